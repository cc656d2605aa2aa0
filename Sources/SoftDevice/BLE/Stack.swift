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

  /// 0x65 `sd_ble_version_get`: link layer version 10 (5.1), company 0x0059, number of the firmware.
  mutating func tellVersion(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    var fields = GuestFields(6)
    fields.put(UInt8(10), at: 0)
    fields.put(UInt16(0x0059), at: 2)
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
    case 0x01:
      guard structure.u8(0) <= 254 else { throw .noMemory }
      state.configuration.vendorBaseCount = Int(structure.u8(0))
    case 0x20:
      state.configuration.peripheralCount = max(state.configuration.peripheralCount, Int(structure.u8(2)))
    case 0x21: state.configuration.writeCommandPlaces = Int(structure.u8(2))
    case 0x22: state.configuration.notificationPlaces = Int(structure.u8(2))
    case 0x23:
      guard (23...517).contains(structure.u16(2)) else { throw .invalidParameter }
      state.configuration.maximumTransmissionUnit = structure.u16(2)
    case 0x24: note(.withoutEffect(call: call.number, "channels of L2CAP are not modelled"))
    case 0x40: try configureRoles(structure, call)
    case 0x41: try configureName(structure, call, processor)
    case 0x42: state.configuration.hasPreferredParameters = try isIncluded(structure, call)
    case 0x43: state.configuration.hasAddressResolution = try isIncluded(structure, call)
    case 0xA0: state.configuration.hasServiceChanged = structure.u8(0) & 1 == 1
    case 0xA1:
      let size = structure.u32(0)
      guard size >= 248, size % 4 == 0 else { throw .invalidParameter }
      guard size <= 0x4_0000 else { throw .noMemory }
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
    guard limit <= 248, length <= limit else { throw .invalidParameter }
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

extension GenericAccess {
  /// Adds the SoftDevice's own services, GAP and GATT, to an empty table.
  init(
    adding server: inout ServerTable, _ configuration: StackConfiguration, name: [UInt8], writing: AccessMode,
    resolution: UInt8
  ) throws(ErrorNumber) {
    self.init()
    firstName = name
    nameWriting = writing
    try server.append([.service(0x1800)])
    nameHandle = try server.appendOwn(
      0x2A00, properties: writing.mode == 0 ? 0x02 : 0x0A, name, limit: configuration.nameLimit, writing: writing)
    appearanceHandle = try server.appendOwn(0x2A01, properties: 0x02, [0, 0], limit: 2)
    if configuration.hasPreferredParameters {
      parametersHandle = try server.appendOwn(0x2A04, properties: 0x02, parameters, limit: 8)
    }
    if configuration.hasAddressResolution {
      _ = try server.appendOwn(0x2AA6, properties: 0x02, [resolution], limit: 1)
    }
    try server.append([.service(0x1801)])
    if configuration.hasServiceChanged {
      serviceChangedHandle = try server.appendOwn(
        0x2A05, properties: 0x20, [1, 0, 0xFF, 0xFF], limit: 4, reading: .never)
    }
    firstUserHandle = server.nextHandle
  }
}

extension ServerTable {
  /// Adds a characteristic of the SoftDevice's own and gives its value's handle.
  fileprivate mutating func appendOwn(
    _ type: UInt16, properties: UInt8, _ value: [UInt8], limit: Int, reading: AccessMode = .open,
    writing: AccessMode = .never
  ) throws(ErrorNumber) -> UInt16 {
    let handle = nextHandle + 1
    let isConfigured = properties & 0x30 != 0
    var attribute = Attribute(
      role: .value(properties: properties, slot: isConfigured ? configuredValues.count : nil), uuid: ShortUUID(type),
      fullUUID: BluetoothUUID(type), value: value, maximumLength: limit)
    attribute.reading = reading
    attribute.writing = writing
    attribute.isVariable = true
    var new = [.own(.declaration, 0x2803), attribute]
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
    var attribute = own(.configuration(value: handle, slot: slot), 0x2902)
    attribute.maximumLength = 2
    attribute.writing = writing
    return attribute
  }
}
