import Bytes
import HostStack
import Processor

/// The stack as a whole, 0x60, 0x61 and 0x65 to 0x69 (`ble.h`).
extension SoftDeviceHost {
  /// 0x60 `sd_ble_enable`: pointer to the start of the application's RAM, which is taken as it is: how much the
  /// SoftDevice needs for a configuration stands in no table.
  mutating func enableBluetooth(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard !state.isBluetoothEnabled else { throw .invalidState }
    _ = try read(call.r0, 4, call, processor)
    var server = ServerTable(limit: state.configuration.tableSize, overhead: settings.policies.attributeOverhead)
    state.names = try GenericAccess(
      adding: &server, state.configuration, name: state.names.firstName, writing: state.names.nameWriting,
      resolution: settings.policies.centralAddressResolution)
    state.server = server
    state.isBluetoothEnabled = true
  }

  /// 0x61 `sd_ble_evt_get`: buffer, pointer to its length. Without a buffer it only tells the length.
  mutating func fetchEvent(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 % 4 == 0 else { throw .invalidAddress }
    guard let event = state.events.first else { throw .notFound }
    let octets = event.octets
    let room = try readLength(call.r1, call, processor)
    try write(UInt16(octets.count), to: call.r1, call, &processor)
    guard call.r0 != 0 else { return }
    guard octets.count <= room else { throw .dataSize }
    try write(octets, to: call.r0, call, &processor)
    state.events.removeFirst()
  }

  /// The link layer's version: Bluetooth 5.1 (Assigned Numbers, 2.1).
  private static let linkLayerVersion: UInt8 = 10
  /// Nordic Semiconductor (Assigned Numbers, 7.1).
  private static let company: UInt16 = 0x0059

  /// 0x65 `sd_ble_version_get`: link layer version, company, number of the firmware.
  mutating func tellVersion(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    var fields = GuestFields(6)
    fields.put(Self.linkLayerVersion, at: 0)
    fields.put(Self.company, at: 2)
    fields.put(settings.variant.firmwareNumber, at: 4)
    try write(fields.octets, to: call.r0, call, &processor)
  }

  /// 0x66 `sd_ble_user_mem_reply`: the stack keeps queued writes itself and never asks for memory.
  mutating func replyMemory(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    _ = try link(call)
    throw .invalidState
  }

  /// 0x67 `sd_ble_opt_set`.
  mutating func setOption(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    _ = try read(call.r1, 4, call, processor)
    note(.withoutEffect(call: call.number, "option \(call.r0)"))
  }

  /// 0x68 `sd_ble_opt_get`.
  mutating func tellOption(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    note(.notModelled(call: call.number, "option \(call.r0); answered 6"))
    throw .notSupported
  }

  /// 0x69 `sd_ble_cfg_set`: number, structure, start of the application's RAM.
  mutating func configure(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard !state.isBluetoothEnabled else { throw .invalidState }
    let structure = try structure(call.r1, 12, call, processor)
    switch call.r0 {
    case Configuration.vendorBases:
      guard structure.u8(0) <= Configuration.mostVendorBases else { throw .noMemory }
      state.configuration.vendorBaseCount = Int(structure.u8(0))
    case Configuration.connection:
      state.configuration.peripheralCount = max(state.configuration.peripheralCount, Int(structure.u8(2)))
    case Configuration.client: state.configuration.writeCommandPlaces = Int(structure.u8(2))
    case Configuration.server: state.configuration.notificationPlaces = Int(structure.u8(2))
    case Configuration.transmissionUnit:
      let range = GATTNumber.defaultTransmissionUnit...GATTNumber.largestTransmissionUnit
      guard range.contains(structure.u16(2)) else { throw .invalidParameter }
      state.configuration.maximumTransmissionUnit = structure.u16(2)
    case Configuration.channels: note(.withoutEffect(call: call.number, "channels of L2CAP are not modelled"))
    case Configuration.roles: try configureRoles(structure, call)
    case Configuration.name: try configureName(structure, call, processor)
    case Configuration.preferredParameters: state.configuration.hasPreferredParameters = try isIncluded(structure, call)
    case Configuration.addressResolution: state.configuration.hasAddressResolution = try isIncluded(structure, call)
    case Configuration.serviceChanged: state.configuration.hasServiceChanged = structure.u8(0) & 1 == 1
    case Configuration.tableSize:
      let size = structure.u32(0)
      guard size >= GATTNumber.smallestTable, size % 4 == 0 else { throw .invalidParameter }
      guard size <= GATTNumber.largestTable else { throw .noMemory }
      state.configuration.tableSize = Int(size)
    default: throw .invalidParameter
    }
  }

  private mutating func configureRoles(
    _ structure: GuestStructure, _ call: SupervisorCall
  ) throws(ErrorNumber) {
    guard structure.u8(0) <= 1 else { throw .resources }
    state.configuration.peripheralCount = Int(structure.u8(1))
    if structure.u8(1) > 1 || structure.u8(2) > 0 {
      note(.withoutEffect(call: call.number, "more than one connection, or one as central"))
    }
  }

  private mutating func configureName(
    _ structure: GuestStructure, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) {
    let length = Int(structure.u16(8))
    let limit = Int(structure.u16(10))
    guard limit <= GAPNumber.nameLimit, length <= limit else { throw .invalidParameter }
    if structure.u32(4) != 0 { state.names.firstName = try read(structure.u32(4), length, call, processor) }
    state.names.nameWriting = AccessMode(structure.u8(0))
    state.configuration.nameLimit = limit
  }

  /// 0 includes a characteristic, 1 leaves its handles empty, 2 leaves them out.
  private mutating func isIncluded(
    _ structure: GuestStructure, _ call: SupervisorCall
  ) throws(ErrorNumber) -> Bool {
    guard structure.u8(0) <= 2 else { throw .invalidParameter }
    if structure.u8(0) == 1 { note(.notModelled(call: call.number, "empty handles; left out instead")) }
    return structure.u8(0) == 0
  }

  // MARK: The host stack below

  /// Gives the host stack address and table when either is not what it knows.
  mutating func startStack(_ call: SupervisorCall) {
    guard state.isStackStale || !state.isStackStarted else { return }
    guard state.link == nil || !state.isStackStarted else {
      return note(.notModelled(call: call.number, "a table that changed while connected shows from the next start on"))
    }
    var configuration = HostConfiguration(ownAddress: address, database: state.server.database)
    configuration.maximumTransmissionUnit = state.configuration.maximumTransmissionUnit
    configuration.pairingPolicy = .negotiate
    configuration.keyPolicy = .ask
    configuration.exchangePolicy = .ask
    configuration.subscriptionPolicy = .ask
    configuration.identityResolvingKey = settings.identityResolvingKey
    configuration.suggestsMaximumDataLength = false
    ask(.setBonds([]))
    ask(.start(configuration))
    state.isStackStarted = true
    state.isStackStale = false
  }

  /// The link that a call is about.
  func link(_ call: SupervisorCall) throws(ErrorNumber) -> PeerLink {
    guard call.connection == 0, let link = state.link else { throw .invalidConnection }
    return link
  }
}

/// Numbers of `sd_ble_cfg_set` (`BLE_CONN_CFG_…`, `BLE_COMMON_CFG_…`, `BLE_GAP_CFG_…`, `BLE_GATTS_CFG_…`).
private enum Configuration {
  static let vendorBases: UInt32 = 0x01
  static let connection: UInt32 = 0x20
  static let client: UInt32 = 0x21
  static let server: UInt32 = 0x22
  static let transmissionUnit: UInt32 = 0x23
  static let channels: UInt32 = 0x24
  static let roles: UInt32 = 0x40
  static let name: UInt32 = 0x41
  static let preferredParameters: UInt32 = 0x42
  static let addressResolution: UInt32 = 0x43
  static let serviceChanged: UInt32 = 0xA0
  static let tableSize: UInt32 = 0xA1
  /// Bases of vendor-specific UUIDs (`BLE_UUID_VS_COUNT_MAX`).
  static let mostVendorBases: UInt8 = 254
}

extension GenericAccess {
  /// What Service Changed holds before anything has changed: handles 1 to 0xFFFF.
  private static let allHandles: [UInt8] = [1, 0, 0xFF, 0xFF]

  /// Adds the SoftDevice's own services, GAP and GATT, to an empty table.
  init(
    adding server: inout ServerTable, _ configuration: StackConfiguration, name: [UInt8], writing: AccessMode,
    resolution: UInt8
  ) throws(ErrorNumber) {
    self.init()
    firstName = name
    nameWriting = writing
    try server.append([.service(AttributeType.genericAccess)])
    nameHandle = try server.appendOwn(
      AttributeType.deviceName, properties: writing.isNever ? .read : [.read, .write], name,
      limit: configuration.nameLimit, writing: writing)
    appearanceHandle = try server.appendOwn(AttributeType.appearance, properties: .read, [0, 0], limit: 2)
    if configuration.hasPreferredParameters {
      parametersHandle = try server.appendOwn(
        AttributeType.preferredParameters, properties: .read, parameters, limit: 8)
    }
    if configuration.hasAddressResolution {
      _ = try server.appendOwn(
        AttributeType.centralAddressResolution, properties: .read, [resolution], limit: 1)
    }
    try server.append([.service(AttributeType.genericAttribute)])
    if configuration.hasServiceChanged {
      serviceChangedHandle = try server.appendOwn(
        AttributeType.serviceChanged, properties: .indicate, Self.allHandles, limit: Self.allHandles.count,
        reading: .never)
    }
    firstUserHandle = server.nextHandle
  }
}

extension ServerTable {
  /// Adds a characteristic of the SoftDevice's own and gives its value's handle.
  fileprivate mutating func appendOwn(
    _ type: UInt16, properties: CharacteristicProperties, _ value: [UInt8], limit: Int,
    reading: AccessMode = .open, writing: AccessMode = .never
  ) throws(ErrorNumber) -> UInt16 {
    let handle = nextHandle + 1
    let isConfigured = properties.needsConfiguration
    var attribute = Attribute(
      role: .value(properties: properties, slot: isConfigured ? configuredValues.count : nil), uuid: ShortUUID(type),
      fullUUID: BluetoothUUID(type), value: value, maximumLength: limit)
    attribute.reading = reading
    attribute.writing = writing
    attribute.isVariable = true
    var new = [.own(.declaration, AttributeType.characteristic), attribute]
    if isConfigured { new.append(.configuration(of: handle, slot: configuredValues.count, writing: .open)) }
    try append(new)
    return handle
  }
}

extension ServerTable.Attribute {
  /// An attribute of a type of the SIG's, without a value of its own.
  static func own(_ role: ServerTable.Role, _ type: UInt16) -> Self {
    Self(role: role, uuid: ShortUUID(type), fullUUID: BluetoothUUID(type))
  }

  /// A primary service of the SIG's.
  static func service(_ type: UInt16) -> Self { own(.service(isPrimary: true), type) }

  /// The client configuration of a value.
  static func configuration(of handle: UInt16, slot: Int, writing: AccessMode) -> Self {
    var attribute = own(.configuration(value: handle, slot: slot), AttributeType.clientConfiguration)
    attribute.maximumLength = GATTNumber.configurationLength
    attribute.writing = writing
    return attribute
  }
}
