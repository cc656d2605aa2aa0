import Bytes
import HostStack

/// What the image is told of the peer's server: connection, status, handle in error, then what was found.
extension SoftDeviceHost {
  private typealias Kind = PendingClientRequest.Kind

  /// A request of the image's client ended.
  mutating func clientCompleted(
    _ token: ClientToken, _ result: Result<ClientResult, ClientFailure>, at cycle: UInt64
  ) {
    if let index = state.link?.writeCommands.firstIndex(of: token) {
      state.link?.writeCommands.remove(at: index)
      var fields = GuestFields(7)
      fields.put(UInt8(1), at: 6)
      return queue(.writeCommandSent, fields, at: cycle)
    }
    guard let request = state.link?.clientRequest, request.token == token else { return }
    state.link?.clientRequest = nil
    switch result {
    case .success(.response(let response)): respond(request.kind, response, at: cycle)
    case .success(.maximumTransmissionUnit(let size)):
      var fields = GuestFields(8)
      fields.put(size, at: 6)
      queue(.transmissionUnitExchanged, fields, at: cycle)
    case .failure(.refused(let code, let handle)):
      fail(request.kind, status: GATTStatus.protocolError | UInt16(code.rawValue), handle: handle.rawValue, at: cycle)
    case .failure(.timeout): queue(.clientTimeout, GuestFields(7), at: cycle)
    case .failure(.disconnected): return
    case .failure, .success: fail(request.kind, status: GATTStatus.unknown, handle: 0, at: cycle)
    }
  }

  private mutating func respond(_ kind: Kind, _ response: ATTPDU, at cycle: UInt64) {
    let body: [UInt8]?
    switch (kind, response) {
    case (.primaryServices(let uuid?), .findByTypeValueResponse(let ranges)):
      body = list(ranges.map { shortUUID(uuid).octets + Self.octets($0) })
    case (.primaryServices, .readByGroupTypeResponse(let groups)):
      body = list(groups.map { uuidOctets($0.value) + Self.octets($0.range) })
    case (.relationships, .readByTypeResponse(let values)):
      body = list(values.map { Self.octets($0.handle) + includeOctets($0.value) })
    case (.characteristics, .readByTypeResponse(let values)):
      body = list(values.compactMap { characteristicOctets($0) })
    case (.descriptors, .findInformationResponse(let entries)):
      body = list(entries.map { Self.octets($0.handle) + shortUUID($0.type).octets })
    case (.attributeInformation, .findInformationResponse(let entries)):
      let isShort = entries.allSatisfy { $0.type.short != nil }
      let parts = entries.map { Self.octets($0.handle) + (isShort ? $0.type.littleEndian : $0.type.littleEndian128) }
      body = Self.octets(UInt16(entries.count)) + [isShort ? 1 : 2, 0] + parts.flatMap(\.self)
    case (.valuesByType, .readByTypeResponse(let values)):
      let length = UInt16(truncatingIfNeeded: values.first?.value.count ?? 0)
      let parts = values.flatMap { Self.octets($0.handle) + $0.value }
      body = Self.octets(UInt16(values.count)) + Self.octets(length) + parts
    case (.value(let handle, let offset), .readResponse(let value)),
      (.value(let handle, let offset), .readBlobResponse(let value)):
      body = Self.octets(handle) + Self.octets(offset) + Self.octets(UInt16(value.count)) + value
    case (.values, .readMultipleResponse(let value)): body = Self.octets(UInt16(value.count)) + value
    case (.write(let handle, let operation, let offset, let sent), .writeResponse),
      (.write(let handle, let operation, let offset, let sent), .executeWriteResponse):
      body = Self.writeOctets(handle, operation, offset, operation == WriteOperation.request ? [] : sent)
    case (.write(_, let operation, _, _), .prepareWriteResponse(let handle, let offset, let part)):
      body = Self.writeOctets(handle.rawValue, operation, offset, part)
    default: body = nil
    }
    guard let body else { return fail(kind, status: GATTStatus.unknown, handle: 0, at: cycle) }
    var fields = GuestFields(6 + body.count)
    fields.put(body, at: 6)
    queue(kind.event, fields, at: cycle)
  }

  /// The event of an error: its status, the handle in error and nothing found.
  private mutating func fail(_ kind: Kind, status: UInt16, handle: UInt16, at cycle: UInt64) {
    var fields = GuestFields(18)
    fields.put(status, at: 2)
    fields.put(handle, at: 4)
    if case .write(let written, let operation, _, _) = kind {
      fields.put(written, at: 6)
      fields.put(operation, at: 8)
    }
    if case .value(let read, _) = kind { fields.put(read, at: 6) }
    queue(kind.event, fields, at: cycle)
  }

  /// The peer's server told a value.
  mutating func valueTold(_ handle: AttributeHandle, _ value: [UInt8], isIndication: Bool, at cycle: UInt64) {
    if isIndication { state.link?.isConfirmationOwed = true }
    var fields = GuestFields(12 + value.count)
    fields.put(handle.rawValue, at: 6)
    fields.put(isIndication ? GATTNumber.indication : GATTNumber.notification, at: 8)
    fields.put(UInt16(truncatingIfNeeded: value.count), at: 10)
    fields.put(value, at: 12)
    queue(.valueTold, fields, at: cycle)
  }

  // MARK: Octets

  private func list(_ parts: [[UInt8]]) -> [UInt8] { Self.octets(UInt16(parts.count)) + parts.flatMap(\.self) }

  private static func octets(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
  private static func octets(_ handle: AttributeHandle) -> [UInt8] { octets(handle.rawValue) }
  private static func octets(_ range: HandleRange) -> [UInt8] { octets(range.start) + octets(range.end) }

  private func uuidOctets(_ octets: [UInt8]) -> [UInt8] {
    (BluetoothUUID(littleEndian: octets).map(shortUUID) ?? .unknown).octets
  }

  /// `ble_gattc_char_t` from a declaration: UUID, properties, a bit for extended ones, both handles.
  private func characteristicOctets(_ declaration: AttributeValue) -> [UInt8]? {
    let value = declaration.value
    guard value.count >= 3 else { return nil }
    let properties = CharacteristicProperties(rawValue: value[0])
    return uuidOctets(Array(value[3...])) + [
      properties.subtracting(.extended).rawValue, properties.contains(.extended) ? 1 : 0,
    ]
      + Self.octets(declaration.handle)
      + value[1...2]
  }

  /// `ble_gattc_service_t` of an included service; a long UUID is not in the declaration.
  private func includeOctets(_ value: [UInt8]) -> [UInt8] {
    guard value.count >= 4 else { return [UInt8](repeating: 0, count: 8) }
    return uuidOctets(Array(value[4...])) + value[0..<4]
  }

  /// `ble_gattc_evt_write_rsp_t`.
  private static func writeOctets(
    _ handle: UInt16, _ operation: UInt8, _ offset: UInt16, _ value: [UInt8]
  ) -> [UInt8] {
    octets(handle) + [operation, 0] + octets(offset) + octets(UInt16(truncatingIfNeeded: value.count)) + value
  }
}

extension PendingClientRequest.Kind {
  /// The event that answers it.
  fileprivate var event: EventNumber {
    switch self {
    case .primaryServices: .primaryServicesFound
    case .relationships: .relationshipsFound
    case .characteristics: .characteristicsFound
    case .descriptors: .descriptorsFound
    case .attributeInformation: .attributeInformationFound
    case .valuesByType: .valuesByTypeRead
    case .value: .valueRead
    case .values: .valuesRead
    case .write: .valueWritten
    case .transmissionUnit: .transmissionUnitExchanged
    }
  }
}
