/// How a transport is opened.
public struct OpeningOptions: Hashable, Sendable {
  /// Time that is given to the other end: to answer, or to come.
  public var patience: Duration
  /// Takes an adapter also when the kernel keeps connections over it, which are cut (`--take`).
  public var takesAdaptersInUse: Bool

  /// Ten seconds, and leaving alone adapters that are in use, unless stated.
  public init(patience: Duration = .seconds(10), takesAdaptersInUse: Bool = false) {
    self.patience = patience
    self.takesAdaptersInUse = takesAdaptersInUse
  }
}
