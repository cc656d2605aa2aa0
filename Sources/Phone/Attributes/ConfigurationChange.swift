import HostStack

/// How a client configuration is to be.
struct ConfigurationChange: Hashable, Sendable {
  /// The descriptor's handle.
  let handle: AttributeHandle
  /// Whether it notifies.
  let enables: Bool
}
