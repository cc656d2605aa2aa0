import Bytes
import HostStack
import Processor

/// The GATT client, 0x9B to 0xA5 (`ble_gattc.h`): every call is one request of the Attribute Protocol, one at a time.
extension SoftDeviceHost {
  /// Handles that fit into one request to read several values: two at least, and as many as ATT_MTU 23 has room for
  /// (Core Specification Vol 3, Part F, 3.4.4.7).
  private static let readableAtOnce = 2...11

  /// 0x9B `sd_ble_gattc_primary_services_discover`: connection, first handle, UUID or null for all.
  mutating func discoverServices(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let first = UInt16(truncatingIfNeeded: call.r1)
    guard first > 0 else { throw .invalidParameter }
    let range = HandleRange(AttributeHandle(first), .last)
    guard call.r2 != 0 else {
      return try request(
        .readByGroupTypeRequest(range, BluetoothUUID(AttributeType.primaryService)), .primaryServices(nil), call)
    }
    let uuid = try readUUID(call.r2, call, processor).full
    try request(
      .findByTypeValueRequest(range, type: AttributeType.primaryService, value: uuid.littleEndian),
      .primaryServices(uuid), call)
  }

  /// 0x9C `sd_ble_gattc_relationships_discover`: connection, range.
  mutating func discoverRelationships(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let range = try readRange(call.r1, call, processor)
    try request(.readByTypeRequest(range, BluetoothUUID(AttributeType.include)), .relationships, call)
  }

  /// 0x9D `sd_ble_gattc_characteristics_discover`: connection, range.
  mutating func discoverCharacteristics(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let range = try readRange(call.r1, call, processor)
    try request(.readByTypeRequest(range, BluetoothUUID(AttributeType.characteristic)), .characteristics, call)
  }

  /// 0x9E `sd_ble_gattc_descriptors_discover`: connection, range.
  mutating func discoverDescriptors(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try request(.findInformationRequest(try readRange(call.r1, call, processor)), .descriptors, call)
  }

  /// 0x9F `sd_ble_gattc_attr_info_discover`: connection, range.
  mutating func discoverInformation(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try request(.findInformationRequest(try readRange(call.r1, call, processor)), .attributeInformation, call)
  }

  /// 0xA0 `sd_ble_gattc_char_value_by_uuid_read`: connection, UUID, range.
  mutating func readByType(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let uuid = try readUUID(call.r1, call, processor).full
    try request(.readByTypeRequest(try readRange(call.r2, call, processor), uuid), .valuesByType, call)
  }

  /// 0xA1 `sd_ble_gattc_read`: connection, handle, offset.
  mutating func readValue(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let (handle, offset) = (UInt16(truncatingIfNeeded: call.r1), UInt16(truncatingIfNeeded: call.r2))
    guard handle > 0 else { throw .invalidParameter }
    let place = AttributeHandle(handle)
    try request(
      offset == 0 ? .readRequest(place) : .readBlobRequest(place, offset: offset), .value(handle, offset: offset), call)
  }

  /// 0xA2 `sd_ble_gattc_char_values_read`: connection, handles, how many.
  mutating func readValues(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let count = Int(UInt16(truncatingIfNeeded: call.r2))
    guard Self.readableAtOnce.contains(count) else { throw .invalidParameter }
    let structure = try structure(call.r1, count * 2, call, processor)
    let handles = (0..<count).map { AttributeHandle(structure.u16($0 * 2)) }
    try request(.readMultipleRequest(handles), .values, call)
  }

  /// 0xA3 `sd_ble_gattc_write`: connection, `ble_gattc_write_params_t`.
  mutating func writeValue(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    let parameters = try structure(call.r1, 12, call, processor)
    let (operation, flags, offset) = (parameters.u8(0), parameters.u8(1), parameters.u16(4))
    let count = Int(parameters.u16(6))
    let handle = AttributeHandle(parameters.u16(2))
    let header = operation == WriteOperation.prepare ? GATTNumber.prepareHeader : GATTNumber.valueHeader
    guard count <= Int(link.maximumTransmissionUnit) - header else { throw .dataSize }
    let octets = count == 0 ? [] : try read(parameters.u32(8), count, call, processor)
    let kind = PendingClientRequest.Kind.write(handle.rawValue, operation: operation, offset: offset, octets)
    switch operation {
    case WriteOperation.request: try request(.writeRequest(handle, octets), kind, call)
    case WriteOperation.command: try sendCommand(link, handle, octets)
    case WriteOperation.prepare: try request(.prepareWriteRequest(handle, offset: offset, octets), kind, call)
    case WriteOperation.execute:
      guard flags <= 1 else { throw .invalidParameter }
      try request(.executeWriteRequest(commits: flags == 1), kind, call)
    case WriteOperation.signedCommand:
      note(.notModelled(call: call.number, "signed writes; answered 6"))
      throw .notSupported
    default: throw .invalidParameter
    }
  }

  private mutating func sendCommand(
    _ link: PeerLink, _ handle: AttributeHandle, _ octets: [UInt8]
  ) throws(ErrorNumber) {
    guard !link.isDisconnecting else { throw .invalidState }
    guard link.writeCommands.count < state.configuration.writeCommandPlaces else { throw .resources }
    let token = ClientToken(nextNumber())
    state.link?.writeCommands.append(token)
    ask(.client(link.handle, token, .writeWithoutResponse(handle, octets)))
  }

  /// 0xA4 `sd_ble_gattc_hv_confirm`: connection, handle. The host stack has confirmed already.
  mutating func confirmValue(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard try link(call).isConfirmationOwed else { throw .invalidState }
    state.link?.isConfirmationOwed = false
  }

  /// 0xA5 `sd_ble_gattc_exchange_mtu_request`: connection, largest PDU, which is the one that was configured.
  mutating func exchangeTransmissionUnit(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let size = UInt16(truncatingIfNeeded: call.r1)
    guard size >= GATTNumber.defaultTransmissionUnit, size <= state.configuration.maximumTransmissionUnit else {
      throw .invalidParameter
    }
    if size != state.configuration.maximumTransmissionUnit {
      note(.notModelled(call: call.number, "an MTU below the configured one; the configured one is told"))
    }
    try begin(.exchangeMaximumTransmissionUnit, .transmissionUnit, call)
  }

  private mutating func request(
    _ pdu: ATTPDU, _ kind: PendingClientRequest.Kind, _ call: SupervisorCall
  ) throws(ErrorNumber) {
    try begin(.exchange(pdu), kind, call)
  }

  private mutating func begin(
    _ procedure: ClientProcedure, _ kind: PendingClientRequest.Kind, _ call: SupervisorCall
  ) throws(ErrorNumber) {
    let link = try link(call)
    guard !link.isDisconnecting else { throw .invalidState }
    guard link.clientRequest == nil else { throw .busy }
    let token = ClientToken(nextNumber())
    state.link?.clientRequest = PendingClientRequest(token: token, kind: kind)
    ask(.client(link.handle, token, procedure))
  }

  /// `ble_gattc_handle_range_t`.
  private mutating func readRange(
    _ address: UInt32, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> HandleRange {
    let structure = try structure(address, 4, call, processor)
    let range = HandleRange(AttributeHandle(structure.u16(0)), AttributeHandle(structure.u16(2)))
    guard range.isValid else { throw .invalidParameter }
    return range
  }
}
