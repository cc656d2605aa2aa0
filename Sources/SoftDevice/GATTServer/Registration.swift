import Bytes
import Processor

/// Building the attribute table, 0xA8 to 0xAB, 0xB3 and 0xB4 (`ble_gatts.h`): handles in the order of registration.
extension SoftDeviceHost {
  /// 0xA8 `sd_ble_gatts_service_add`: 1 primary or 2 secondary, UUID, pointer for the handle.
  mutating func addService(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let kind = UInt8(truncatingIfNeeded: call.r0)
    guard kind == 1 || kind == 2 else { throw .invalidParameter }
    let uuid = try readUUID(call.r1, call, processor)
    // The SoftDevice's own services.
    guard uuid.full != BluetoothUUID(0x1800), uuid.full != BluetoothUUID(0x1801) else { throw .forbidden }
    var table = state.server
    let handle = table.nextHandle
    try table.append([.init(role: .service(isPrimary: kind == 1), uuid: uuid.short, fullUUID: uuid.full)])
    try write(handle, to: call.r2, call, &processor)
    replaceTable(table)
  }

  /// 0xA9 `sd_ble_gatts_include_add`.
  mutating func addInclude(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    note(.notModelled(call: call.number, "included services; answered 6"))
    throw .notSupported
  }

  /// 0xAA `sd_ble_gatts_characteristic_add`: service (0 for the last one), what goes with the value, the value, pointer
  /// for the handles. Only the last service takes more.
  mutating func addCharacteristic(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard let service = state.server.lastService, service >= state.names.firstUserHandle else { throw .invalidState }
    guard call.connection == 0 || call.connection == service else { throw .invalidParameter }
    let about = try structure(call.r1, 28, call, processor)
    var value = try readAttribute(call.r2, call, processor)
    var table = state.server
    let handle = table.nextHandle + 1
    let properties = about.u8(0) & 0x7F | (about.u8(1) & 3 == 0 ? 0 : 0x80)
    let isConfigured = properties & 0x30 != 0
    let slot = isConfigured ? table.configuredValues.count : nil
    value.role = .value(properties: properties, slot: slot)
    let descriptors = try readDescriptors(about, properties, handle: handle, slot, call, processor)
    try table.append([.own(.declaration, 0x2803), value] + descriptors)
    try write(Self.handles(handle, descriptors), to: call.r3, optional: true, call, &processor)
    replaceTable(table)
  }

  /// The descriptors that belong to a characteristic, in the order of their handles.
  private mutating func readDescriptors(
    _ about: GuestStructure, _ properties: UInt8, handle: UInt16, _ slot: Int?, _ call: SupervisorCall,
    _ processor: CortexM4
  ) throws(ErrorNumber) -> [ServerTable.Attribute] {
    var result: [ServerTable.Attribute] = []
    if properties & 0x80 != 0 { result.append(.stored(0x2900, [about.u8(1) & 3, 0])) }
    let description = about.u32(4) == 0 ? nil : try readDescription(about, call, processor)
    if let description, settings.policies.descriptorOrder == .descriptionFirst { result.append(description) }
    if let slot {
      let writing = about.u32(20) == 0 ? AccessMode.open : AccessMode(try read(about.u32(20), 3, call, processor)[1])
      result.append(.configuration(of: handle, slot: slot, writing: writing))
    }
    if let description, settings.policies.descriptorOrder == .configurationFirst { result.append(description) }
    if properties & 0x01 != 0 { result.append(.stored(0x2903, [0, 0])) }
    if about.u32(12) != 0 {
      // `ble_gatts_char_pf_t`: format, exponent, unit, name space, description; the second field stands alone.
      let format = try structure(about.u32(12), 8, call, processor)
      result.append(.stored(0x2904, format.part(0, 2) + format.part(2, 2) + [format.u8(4)] + format.part(6, 2)))
    }
    return result
  }

  private mutating func readDescription(
    _ about: GuestStructure, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> ServerTable.Attribute {
    let (limit, count) = (Int(about.u16(8)), Int(about.u16(10)))
    guard count <= limit, limit <= 512 else { throw .dataSize }
    var result = ServerTable.Attribute.own(.descriptor, 0x2901)
    result.value = try read(about.u32(4), count, call, processor)
    result.maximumLength = limit
    result.isVariable = true
    if about.u32(16) != 0 { result.apply(try read(about.u32(16), 3, call, processor)) }
    return result
  }

  /// 0xAB `sd_ble_gatts_descriptor_add`: characteristic (0 for the last one), the descriptor, pointer for its handle.
  mutating func addDescriptor(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let last = state.server.attributes.last
    if case .service? = last?.role { throw .invalidState }
    guard let service = state.server.lastService, service >= state.names.firstUserHandle else { throw .invalidState }
    var attribute = try readAttribute(call.r1, call, processor)
    attribute.role = .descriptor
    // Descriptors that belong to the SoftDevice.
    let reserved = (UInt16(0x2900)...0x2904).map { BluetoothUUID($0) }
    guard !reserved.contains(attribute.fullUUID) else { throw .forbidden }
    var table = state.server
    let handle = table.nextHandle
    try table.append([attribute])
    try write(handle, to: call.r2, call, &processor)
    replaceTable(table)
  }

  /// `ble_gatts_attr_t`: UUID, rights, first length, its offset, longest length, value.
  private mutating func readAttribute(
    _ address: UInt32, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> ServerTable.Attribute {
    let structure = try structure(address, 20, call, processor)
    let uuid = try readUUID(structure.u32(0), call, processor)
    var result = ServerTable.Attribute(role: .descriptor, uuid: uuid.short, fullUUID: uuid.full)
    result.apply(try read(structure.u32(4), 3, call, processor))
    let (count, offset, limit) = (Int(structure.u16(8)), Int(structure.u16(10)), Int(structure.u16(12)))
    // Longest values of fixed and of variable length.
    guard limit <= (result.isVariable ? 512 : 510) else { throw .dataSize }
    guard offset + count <= limit else { throw .invalidParameter }
    result.maximumLength = limit
    let octets =
      structure.u32(16) == 0 || count == 0
      ? [UInt8](repeating: 0, count: count) : try read(structure.u32(16), count, call, processor)
    result.value = [UInt8](repeating: 0, count: offset) + octets
    if !result.isVariable { result.value += [UInt8](repeating: 0, count: limit - result.value.count) }
    if result.isInGuestMemory {
      _ = try read(structure.u32(16), limit, call, processor)
      result.location = structure.u32(16)
    }
    for mode in [result.reading, result.writing] where mode.mode == 1 && mode.level > 2 || mode.mode > 1 {
      note(.notModelled(call: call.number, "protection against a man in the middle; encryption is enough"))
    }
    return result
  }

  /// 0xB3 `sd_ble_gatts_initial_user_handle_get`.
  mutating func tellFirstUserHandle(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(state.names.firstUserHandle, to: call.r0, call, &processor)
  }

  /// 0xB4 `sd_ble_gatts_attr_get`: handle, pointers for UUID and rights, each of which may be null.
  mutating func tellAttribute(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard let attribute = state.server[call.connection] else { throw .invalidAttribute }
    if call.r1 != 0 { try write(attribute.uuid.octets, to: call.r1, call, &processor) }
    if call.r2 != 0 { try write(attribute.rights, to: call.r2, call, &processor) }
  }

  private mutating func replaceTable(_ table: ServerTable) {
    state.server = table
    if let known = state.link?.subscriptions.count, known < table.configuredValues.count {
      state.link?.subscriptions += [UInt16](repeating: 0, count: table.configuredValues.count - known)
    }
    state.isStackStale = true
  }

  private mutating func write(
    _ octets: [UInt8], to address: UInt32, optional: Bool, _ call: SupervisorCall, _ processor: inout CortexM4
  ) throws(ErrorNumber) {
    if address != 0 || !optional { try write(octets, to: address, call, &processor) }
  }

  /// `ble_gatts_char_handles_t`: value, user description, client and server configuration; 0 for what is not there.
  private static func handles(_ handle: UInt16, _ descriptors: [ServerTable.Attribute]) -> [UInt8] {
    var fields = GuestFields(8)
    fields.put(handle, at: 0)
    for (index, descriptor) in descriptors.enumerated() {
      let place = handle + 1 + UInt16(index)
      switch descriptor.uuid.value {
      case 0x2901: fields.put(place, at: 2)
      case 0x2902: fields.put(place, at: 4)
      case 0x2903: fields.put(place, at: 6)
      default: continue
      }
    }
    return fields.octets
  }
}

extension ServerTable.Attribute {
  /// A descriptor that anybody may read.
  fileprivate static func stored(_ type: UInt16, _ value: [UInt8]) -> Self {
    var result = own(.descriptor, type)
    result.value = value
    result.maximumLength = value.count
    return result
  }

  /// Takes `ble_gatts_attr_md_t`: rights to read and to write, and a bit field.
  fileprivate mutating func apply(_ rights: [UInt8]) {
    reading = AccessMode(rights[0])
    writing = AccessMode(rights[1])
    isVariable = rights[2] & 0x01 != 0
    asksForReads = rights[2] & 0x08 != 0
    asksForWrites = rights[2] & 0x10 != 0
    // Until its address is known.
    location = rights[2] >> 1 & 3 == 2 ? 0 : nil
  }

  fileprivate var isInGuestMemory: Bool { location != nil }

  /// `ble_gatts_attr_md_t`.
  fileprivate var rights: [UInt8] {
    var bits: UInt8 = isVariable ? 0x01 : 0
    bits |= location == nil ? 0x02 : 0x04
    if asksForReads { bits |= 0x08 }
    if asksForWrites { bits |= 0x10 }
    return [reading.octet, writing.octet, bits]
  }
}
