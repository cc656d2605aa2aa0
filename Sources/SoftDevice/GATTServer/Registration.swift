import Bytes
import HostStack
import Processor

/// Building the attribute table, 0xA8 to 0xAB, 0xB3 and 0xB4 (`ble_gatts.h`): handles in the order of registration.
extension SoftDeviceHost {
  /// Reliable writes and writable auxiliaries (`ble_gatt_char_ext_props_t`).
  private static let extendedProperties: UInt8 = 0x03

  /// 0xA8 `sd_ble_gatts_service_add`: 1 primary or 2 secondary, UUID, pointer for the handle.
  mutating func addService(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let kind = UInt8(truncatingIfNeeded: call.r0)
    guard kind == GATTNumber.primaryService || kind == GATTNumber.secondaryService else { throw .invalidParameter }
    let uuid = try readUUID(call.r1, call, processor)
    // The SoftDevice's own services.
    guard uuid.full != BluetoothUUID(AttributeType.genericAccess),
      uuid.full != BluetoothUUID(AttributeType.genericAttribute)
    else { throw .forbidden }
    var table = state.server
    let handle = table.nextHandle
    try table.append([
      .init(role: .service(isPrimary: kind == GATTNumber.primaryService), uuid: uuid.short, fullUUID: uuid.full)
    ])
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
    var properties = CharacteristicProperties(rawValue: about.u8(0)).subtracting(.extended)
    if about.u8(1) & Self.extendedProperties != 0 { properties.insert(.extended) }
    let isConfigured = properties.needsConfiguration
    let slot = isConfigured ? table.configuredValues.count : nil
    value.role = .value(properties: properties, slot: slot)
    let descriptors = try readDescriptors(about, properties, handle: handle, slot, call, processor)
    try table.append([.own(.declaration, AttributeType.characteristic), value] + descriptors)
    try write(Self.handles(handle, descriptors), to: call.r3, optional: true, call, &processor)
    replaceTable(table)
  }

  /// The descriptors that belong to a characteristic, in the order of their handles.
  private mutating func readDescriptors(
    _ about: GuestStructure, _ properties: CharacteristicProperties, handle: UInt16, _ slot: Int?,
    _ call: SupervisorCall,
    _ processor: CortexM4
  ) throws(ErrorNumber) -> [ServerTable.Attribute] {
    var result: [ServerTable.Attribute] = []
    if properties.contains(.extended) {
      result.append(.stored(AttributeType.extendedProperties, [about.u8(1) & Self.extendedProperties, 0]))
    }
    let description = about.u32(4) == 0 ? nil : try readDescription(about, call, processor)
    if let description, settings.policies.descriptorOrder == .descriptionFirst { result.append(description) }
    if let slot {
      let writing = about.u32(20) == 0 ? AccessMode.open : AccessMode(try read(about.u32(20), 3, call, processor)[1])
      result.append(.configuration(of: handle, slot: slot, writing: writing))
    }
    if let description, settings.policies.descriptorOrder == .configurationFirst { result.append(description) }
    if properties.contains(.broadcast) { result.append(.stored(AttributeType.serverConfiguration, [0, 0])) }
    if about.u32(12) != 0 {
      // `ble_gatts_char_pf_t`: format, exponent, unit, name space, description; the second field stands alone.
      let format = try structure(about.u32(12), 8, call, processor)
      let octets = format.part(0, 2) + format.part(2, 2) + [format.u8(4)] + format.part(6, 2)
      result.append(.stored(AttributeType.presentationFormat, octets))
    }
    return result
  }

  private mutating func readDescription(
    _ about: GuestStructure, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> ServerTable.Attribute {
    let (limit, count) = (Int(about.u16(8)), Int(about.u16(10)))
    guard count <= limit, limit <= GATTNumber.longestVariableValue else { throw .dataSize }
    var result = ServerTable.Attribute.own(.descriptor, AttributeType.userDescription)
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
    let reserved = (AttributeType.extendedProperties...AttributeType.presentationFormat).map { BluetoothUUID($0) }
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
    let longest = result.isVariable ? GATTNumber.longestVariableValue : GATTNumber.longestFixedValue
    guard limit <= longest else { throw .dataSize }
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
    for mode in [result.reading, result.writing] where mode.needsProtection {
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
      case AttributeType.userDescription: fields.put(place, at: 2)
      case AttributeType.clientConfiguration: fields.put(place, at: 4)
      case AttributeType.serverConfiguration: fields.put(place, at: 6)
      default: continue
      }
    }
    return fields.octets
  }
}

/// Bits of the third octet of `ble_gatts_attr_md_t`.
private enum RightsBit {
  static let variable: UInt8 = 0x01
  /// Where the value lives (`BLE_GATTS_VLOC_…`): both bits, and the two places.
  static let location: UInt8 = 0x06
  static let inStackMemory: UInt8 = 0x02
  static let inGuestMemory: UInt8 = 0x04
  static let asksForReads: UInt8 = 0x08
  static let asksForWrites: UInt8 = 0x10
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
    isVariable = rights[2] & RightsBit.variable != 0
    asksForReads = rights[2] & RightsBit.asksForReads != 0
    asksForWrites = rights[2] & RightsBit.asksForWrites != 0
    // 0 until its address is known.
    location = rights[2] & RightsBit.location == RightsBit.inGuestMemory ? 0 : nil
  }

  fileprivate var isInGuestMemory: Bool { location != nil }

  /// `ble_gatts_attr_md_t`.
  fileprivate var rights: [UInt8] {
    var bits: UInt8 = isVariable ? RightsBit.variable : 0
    bits |= location == nil ? RightsBit.inStackMemory : RightsBit.inGuestMemory
    if asksForReads { bits |= RightsBit.asksForReads }
    if asksForWrites { bits |= RightsBit.asksForWrites }
    return [reading.octet, writing.octet, bits]
  }
}
