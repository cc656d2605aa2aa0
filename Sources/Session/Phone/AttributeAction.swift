import HostStack

/// Something to do with the attributes of a recorder.
package enum AttributeAction: Equatable, Sendable {
  /// Discover all of them, and read what can be read.
  case table
  /// Read one.
  case read(AttributeHandle)
  /// Write one; without a response the recorder does not acknowledge it.
  case write(AttributeHandle, [UInt8], withoutResponse: Bool)
  /// Subscribe to one, and listen for this long.
  case listen(AttributeHandle, Duration)
}

/// What an action on attributes brought.
package enum AttributeResult: Sendable {
  /// All attributes.
  case table(AttributeTable)
  /// The value of one.
  case value([UInt8])
  /// The write was sent, and acknowledged where it asked for a response.
  case written
  /// This number of values came.
  case heard(Int)
}

extension RecorderConversation {
  /// Connects, and performs an action on the recorder's attributes.
  ///
  /// - Throws: ``NotSubscribable`` where the attribute to listen to offers neither notifications nor indications.
  package func perform(
    _ action: AttributeAction, tell: @escaping @Sendable (AttributeEvent) -> Void
  ) async throws -> AttributeResult {
    switch action {
    case .table: return .table(try await attributeTable(tell: tell))
    case .read(let handle): return .value(try await read(handle, tell: tell))
    case .write(let handle, let value, let isCommand):
      try await write(value, to: handle, withoutResponse: isCommand, tell: tell)
      return .written
    case .listen(let handle, let span): return .heard(try await listen(to: handle, for: span, tell: tell))
    }
  }
}
