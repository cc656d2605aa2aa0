import Bytes
import Packets

/// Reading and finding (Core Specification Vol 3, Part F, 3.4.3 and 3.4.4).
extension AttributeServer {
  /// Read Request.
  mutating func read(
    _ handle: AttributeHandle, _ circumstances: Circumstances, _ table: AttributeTable, _ tokens: inout TokenSource,
    _ actions: inout [Action]
  ) {
    guard let attribute = readable(handle, .readRequest, circumstances, table, &actions) else { return }
    if attribute.isServedByApplication { return ask(.read(handle), handle, 0, &tokens, &actions) }
    respond(with: value(of: attribute), from: 0, of: handle, .readRequest, circumstances, &actions)
  }

  /// Read Blob Request.
  mutating func read(
    _ handle: AttributeHandle, from offset: UInt16, _ circumstances: Circumstances, _ table: AttributeTable,
    _ tokens: inout TokenSource, _ actions: inout [Action]
  ) {
    guard let attribute = readable(handle, .readBlobRequest, circumstances, table, &actions) else { return }
    if attribute.isServedByApplication {
      return ask(.blob(handle, offset: offset), handle, offset, &tokens, &actions)
    }
    respond(with: value(of: attribute), from: offset, of: handle, .readBlobRequest, circumstances, &actions)
  }

  /// Read Multiple Request: goes on until a value must come from the application, or all are gathered.
  mutating func read(
    _ handles: [AttributeHandle], _ before: [UInt8], _ circumstances: Circumstances, _ table: AttributeTable,
    _ tokens: inout TokenSource, _ actions: inout [Action]
  ) {
    var gathered = before
    for (index, handle) in handles.enumerated() {
      guard let attribute = readable(handle, .readMultipleRequest, circumstances, table, &actions) else { return }
      if attribute.isServedByApplication {
        let rest = Array(handles[(index + 1)...])
        return ask(.multiple(handle, rest: rest, gathered: gathered), handle, 0, &tokens, &actions)
      }
      gathered += value(of: attribute)
    }
    actions.append(.send(.readMultipleResponse(Array(gathered.prefix(circumstances.maximumTransmissionUnit - 1)))))
  }

  /// Read By Type Request: values of the length of the first, up to the first that may not be read.
  mutating func read(
    _ range: HandleRange, _ type: BluetoothUUID, _ circumstances: Circumstances, _ table: AttributeTable,
    _ tokens: inout TokenSource, _ actions: inout [Action]
  ) {
    guard isValid(range, .readByTypeRequest, &actions) else { return }
    var values: [AttributeValue] = []
    var room = circumstances.maximumTransmissionUnit - 2
    for handle in table.handles(in: range) {
      guard let attribute = table[handle], attribute.type == type else { continue }
      if let code = circumstances.refusal(attribute.reading, forbidden: .readNotPermitted) {
        if values.isEmpty { return refuse(.readByTypeRequest, handle, code, &actions) }
        break
      }
      if attribute.isServedByApplication {
        if values.isEmpty { return ask(.typed(handle), handle, 0, &tokens, &actions) }
        break
      }
      let part = Array(value(of: attribute).prefix(circumstances.typedValueLimit))
      guard part.count + 2 <= room, values.first.map({ $0.value.count == part.count }) ?? true else { break }
      values.append(AttributeValue(handle, part))
      room -= part.count + 2
    }
    if values.isEmpty { return refuse(.readByTypeRequest, range.start, .attributeNotFound, &actions) }
    actions.append(.send(.readByTypeResponse(values)))
  }

  /// Read By Group Type Request: services, the only groups there are.
  func readGroups(
    _ range: HandleRange, _ type: BluetoothUUID, _ circumstances: Circumstances, _ table: AttributeTable,
    _ actions: inout [Action]
  ) {
    guard isValid(range, .readByGroupTypeRequest, &actions) else { return }
    let types = DeclarationType.self
    guard type == types.primaryService || type == types.secondaryService else {
      return refuse(.readByGroupTypeRequest, range.start, .unsupportedGroupType, &actions)
    }
    var groups: [AttributeGroup] = []
    var room = circumstances.maximumTransmissionUnit - 2
    for handle in table.handles(in: range) {
      guard let attribute = table[handle], attribute.type == type, case .service(let end) = attribute.role else {
        continue
      }
      let part = Array(attribute.value.prefix(circumstances.groupValueLimit))
      guard part.count + 4 <= room, groups.first.map({ $0.value.count == part.count }) ?? true else { break }
      groups.append(AttributeGroup(HandleRange(handle, end), part))
      room -= part.count + 4
    }
    if groups.isEmpty { return refuse(.readByGroupTypeRequest, range.start, .attributeNotFound, &actions) }
    actions.append(.send(.readByGroupTypeResponse(groups)))
  }

  /// Find Information Request: types of the size of the first.
  func findInformation(
    _ range: HandleRange, _ circumstances: Circumstances, _ table: AttributeTable, _ actions: inout [Action]
  ) {
    guard isValid(range, .findInformationRequest, &actions) else { return }
    var list: [AttributeInformation] = []
    var room = circumstances.maximumTransmissionUnit - 2
    for handle in table.handles(in: range) {
      guard let attribute = table[handle] else { continue }
      let isShort = attribute.type.short != nil
      let size = isShort ? 4 : 18
      guard size <= room, list.first.map({ ($0.type.short != nil) == isShort }) ?? true else { break }
      list.append(AttributeInformation(handle, attribute.type))
      room -= size
    }
    if list.isEmpty { return refuse(.findInformationRequest, range.start, .attributeNotFound, &actions) }
    actions.append(.send(.findInformationResponse(list)))
  }

  /// Find By Type Value Request: attributes that anybody may read and that the stack stores.
  func find(
    _ range: HandleRange, _ type: BluetoothUUID, _ wanted: [UInt8], _ circumstances: Circumstances,
    _ table: AttributeTable, _ actions: inout [Action]
  ) {
    guard isValid(range, .findByTypeValueRequest, &actions) else { return }
    let service = BluetoothUUID(littleEndian: wanted)
    var found: [HandleRange] = []
    for handle in table.handles(in: range) {
      guard let attribute = table[handle], attribute.type == type, attribute.reading == .open,
        !attribute.isServedByApplication, (found.count + 1) * 4 < circumstances.maximumTransmissionUnit
      else { continue }
      switch attribute.role {
      // A service's type may be asked for in its long form as well.
      case .service(let end) where BluetoothUUID(littleEndian: attribute.value) == service:
        found.append(HandleRange(handle, end))
      case .characteristic where attribute.value == wanted, .value where attribute.value == wanted:
        found.append(HandleRange(handle, handle))
      default: continue
      }
    }
    if found.isEmpty { return refuse(.findByTypeValueRequest, range.start, .attributeNotFound, &actions) }
    actions.append(.send(.findByTypeValueResponse(found)))
  }

  /// Sends the part of a value that a read asks for.
  func respond(
    with value: [UInt8], from offset: UInt16, of handle: AttributeHandle, _ request: ATTOpcode,
    _ circumstances: Circumstances, _ actions: inout [Action]
  ) {
    guard Int(offset) <= value.count else { return refuse(request, handle, .invalidOffset, &actions) }
    let part = Array(value.dropFirst(Int(offset)).prefix(circumstances.maximumTransmissionUnit - 1))
    actions.append(.send(request == .readRequest ? .readResponse(part) : .readBlobResponse(part)))
  }

  private func readable(
    _ handle: AttributeHandle, _ request: ATTOpcode, _ circumstances: Circumstances, _ table: AttributeTable,
    _ actions: inout [Action]
  ) -> AttributeTable.Attribute? {
    guard let attribute = table[handle] else {
      refuse(request, handle, .invalidHandle, &actions)
      return nil
    }
    if let code = circumstances.refusal(attribute.reading, forbidden: .readNotPermitted) {
      refuse(request, handle, code, &actions)
      return nil
    }
    return attribute
  }

  private mutating func ask(
    _ access: Pending, _ handle: AttributeHandle, _ offset: UInt16, _ tokens: inout TokenSource,
    _ actions: inout [Action]
  ) {
    let token = AccessToken(tokens.next())
    pending = (token, access)
    actions.append(.requestRead(token, handle, offset: offset))
  }

  private func isValid(_ range: HandleRange, _ request: ATTOpcode, _ actions: inout [Action]) -> Bool {
    if !range.isValid { refuse(request, range.start, .invalidHandle, &actions) }
    return range.isValid
  }

  /// A client configuration's value is this client's own.
  private func value(of attribute: AttributeTable.Attribute) -> [UInt8] {
    guard case .configuration(_, _, let slot) = attribute.role else { return attribute.value }
    return [UInt8(truncatingIfNeeded: subscriptions[slot].rawValue), UInt8(subscriptions[slot].rawValue >> 8)]
  }
}

extension AttributeTable.Attribute {
  /// Whether reads and writes of it go to the application.
  var isServedByApplication: Bool {
    if case .value(_, .application, _) = role { return true }
    return false
  }
}
