/// How a transport is opened.
package struct OpeningOptions: Hashable, Sendable {
  /// Time that is given to the other end: to answer, or to come.
  package var patience: Duration
  /// Takes an adapter also when the kernel keeps connections over it, which are cut (`--take`).
  package var takesAdaptersInUse: Bool
  /// The adapters whose deviations are known.
  package var quirks = QuirkLibrary()

  /// Ten seconds, and leaving alone adapters that are in use, unless stated.
  package init(patience: Duration = .seconds(10), takesAdaptersInUse: Bool = false) {
    self.patience = patience
    self.takesAdaptersInUse = takesAdaptersInUse
  }
}
