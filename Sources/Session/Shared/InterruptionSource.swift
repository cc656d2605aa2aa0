/// Where a session learns that the user wants it to stop.
package protocol InterruptionSource: Sendable {
  /// Whether the user asked.
  var isRequested: Bool { get }

  /// Calls `action` when the user asks, from whichever thread notices it.
  func listen(_ action: @escaping @Sendable () -> Void)
}
