import Bytes
import Packets

/// Writing (Core Specification Vol 3, Part F, 3.4.5 and 3.4.6).
extension AttributeServer {
  /// Write Request.
  mutating func write(
    _ handle: AttributeHandle, _ value: [UInt8], _ circumstances: Circumstances, _ table: inout AttributeTable,
    _ tokens: inout TokenSource, _ actions: inout [Action]
  ) {
    guard let attribute = table[handle] else { return refuse(.writeRequest, handle, .invalidHandle, &actions) }
    if let code = circumstances.refusal(attribute.writing, forbidden: .writeNotPermitted)
      ?? rejection(of: value, for: attribute)
    {
      return refuse(.writeRequest, handle, code, &actions)
    }
    if attribute.isServedByApplication {
      let token = AccessToken(tokens.next())
      pending = (token, .write(handle))
      return actions.append(.requestWrite(token, handle, value))
    }
    actions.append(.send(.writeResponse))
    store(AttributeValue(handle, value), attribute, &table, &actions)
  }

  /// Write Command: what cannot be done is dropped without a word.
  mutating func writeWithoutResponse(
    _ handle: AttributeHandle, _ value: [UInt8], _ circumstances: Circumstances, _ table: inout AttributeTable,
    _ tokens: inout TokenSource, _ actions: inout [Action]
  ) {
    guard let attribute = table[handle], case .value(let properties, _, _) = attribute.role,
      properties.contains(.writeWithoutResponse),
      circumstances.refusal(attribute.writing, forbidden: .writeNotPermitted) == nil,
      rejection(of: value, for: attribute) == nil
    else { return }
    if attribute.isServedByApplication {
      return actions.append(.requestWrite(AccessToken(tokens.next()), handle, value))
    }
    store(AttributeValue(handle, value), attribute, &table, &actions)
  }

  /// Prepare Write Request: permissions are checked here, offset and length when the queue is executed (3.4.6.1).
  mutating func prepare(
    _ write: PreparedWrite, _ circumstances: Circumstances, _ table: AttributeTable, _ actions: inout [Action]
  ) {
    guard let attribute = table[write.handle] else {
      return refuse(.prepareWriteRequest, write.handle, .invalidHandle, &actions)
    }
    if let code = circumstances.refusal(attribute.writing, forbidden: .writeNotPermitted) {
      return refuse(.prepareWriteRequest, write.handle, code, &actions)
    }
    guard prepared.count < Self.preparedWriteLimit else {
      return refuse(.prepareWriteRequest, write.handle, .prepareQueueFull, &actions)
    }
    prepared.append(write)
    actions.append(.send(.prepareWriteResponse(write.handle, offset: write.offset, write.part)))
  }

  /// Execute Write Request: everything queued is checked before the first value changes.
  mutating func execute(
    _ commits: Bool, _ table: inout AttributeTable, _ tokens: inout TokenSource, _ actions: inout [Action]
  ) {
    let parts = prepared
    prepared = []
    guard commits else { return actions.append(.send(.executeWriteResponse)) }
    var values: [AttributeValue] = []
    for part in parts {
      guard let attribute = table[part.handle] else { continue }
      var value: [UInt8]
      if let last = values.last, last.handle == part.handle, part.offset > 0 {
        value = values.removeLast().value
      } else {
        value = attribute.isServedByApplication ? [] : attribute.value
      }
      guard Int(part.offset) <= value.count else {
        return refuse(.executeWriteRequest, part.handle, .invalidOffset, &actions)
      }
      value.replaceSubrange(Int(part.offset)..., with: part.part)
      guard value.count <= attribute.maximumLength else {
        return refuse(.executeWriteRequest, part.handle, .invalidAttributeValueLength, &actions)
      }
      values.append(AttributeValue(part.handle, value))
    }
    for value in values {
      if let attribute = table[value.handle], let code = rejection(of: value.value, for: attribute) {
        return refuse(.executeWriteRequest, value.handle, code, &actions)
      }
    }
    commit(values, &table, &tokens, &actions)
  }

  /// Asks the application about its values one after the other; when it has taken all, writes the others.
  mutating func commit(
    _ values: [AttributeValue], _ table: inout AttributeTable, _ tokens: inout TokenSource,
    _ actions: inout [Action]
  ) {
    var rest = values
    if let index = rest.firstIndex(where: { table[$0.handle]?.isServedByApplication ?? false }) {
      let write = rest.remove(at: index)
      let token = AccessToken(tokens.next())
      pending = (token, .execute(write.handle, rest: rest))
      return actions.append(.requestWrite(token, write.handle, write.value))
    }
    actions.append(.send(.executeWriteResponse))
    for write in rest {
      if let attribute = table[write.handle] { store(write, attribute, &table, &actions) }
    }
  }

  /// Why a value may never be written, or `nil`.
  private func rejection(of value: [UInt8], for attribute: AttributeTable.Attribute) -> ATTErrorCode? {
    guard value.count <= attribute.maximumLength else { return .invalidAttributeValueLength }
    guard case .configuration(_, let properties, _) = attribute.role else { return nil }
    guard value.count == 2 else { return .invalidAttributeValueLength }
    let wanted = Subscription(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8)
    var offered: Subscription = []
    if properties.contains(.notify) { offered.insert(.notifications) }
    if properties.contains(.indicate) { offered.insert(.indications) }
    return wanted.isSubset(of: offered) ? nil : .valueNotAllowed
  }

  private mutating func store(
    _ write: AttributeValue, _ attribute: AttributeTable.Attribute, _ table: inout AttributeTable,
    _ actions: inout [Action]
  ) {
    guard case .configuration(let handle, _, let slot) = attribute.role else {
      table.setValue(write.handle, write.value[...])
      return actions.append(.written(write.handle, write.value))
    }
    let subscription = Subscription(rawValue: UInt16(write.value[0]) | UInt16(write.value[1]) << 8)
    setSubscription(subscription, slot: slot)
    actions.append(.subscriptionChanged(handle, subscription, .written))
  }
}
