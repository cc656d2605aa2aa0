import Bytes
import HostStack

/// Who may read or write an attribute (`ble_gap_conn_sec_mode_t`): one octet, mode in its lower half.
struct AccessMode: Hashable, Sendable {
  var mode: UInt8
  var level: UInt8

  init(mode: UInt8, level: UInt8) {
    self.mode = mode
    self.level = level
  }

  init(_ octet: UInt8) {
    mode = octet & 0x0F
    level = octet >> 4
  }

  static let open = AccessMode(mode: 1, level: 1)
  static let never = AccessMode(mode: 0, level: 0)
  /// The level of mode 1 that encryption without a protection gives.
  static let encryptedLevel: UInt8 = 2

  var octet: UInt8 { mode | level << 4 }

  /// Whether nobody may: mode 0.
  var isNever: Bool { mode == 0 }

  /// Whether it asks for a protection against a man in the middle: a level of mode 1 above encryption, or mode 2.
  var needsProtection: Bool { mode == 1 && level > Self.encryptedLevel || mode > 1 }

  /// What the host stack asks for; a protection against a man in the middle counts as encryption only.
  var requirement: AccessRequirement {
    if isNever { return .never }
    return level < Self.encryptedLevel ? .open : .encrypted
  }
}

/// A UUID as the image names it: sixteen bits and the number of its base (`ble_uuid_t`).
struct ShortUUID: Hashable, Sendable {
  var value: UInt16
  var base: UInt8

  /// `BLE_UUID_TYPE_UNKNOWN`.
  static let unknownBase: UInt8 = 0
  /// `BLE_UUID_TYPE_BLE`.
  static let bluetoothBase: UInt8 = 1
  /// A UUID with a base that the image has not added.
  static let unknown = ShortUUID(0, base: unknownBase)

  init(_ value: UInt16, base: UInt8 = bluetoothBase) {
    self.value = value
    self.base = base
  }

  /// The structure's four octets.
  var octets: [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8), base, 0] }
}

/// The attributes as the image registers them: the attribute of handle *n* is `attributes[n - 1]`.
struct ServerTable: Hashable, Sendable {
  /// What an attribute is for.
  enum Role: Hashable, Sendable {
    case service(isPrimary: Bool)
    case declaration
    case value(properties: CharacteristicProperties, slot: Int?)
    case configuration(value: UInt16, slot: Int)
    case descriptor
  }

  /// One attribute.
  struct Attribute: Hashable, Sendable {
    var role: Role
    var uuid: ShortUUID
    var fullUUID: BluetoothUUID
    var value: [UInt8] = []
    var maximumLength = 0
    var reading = AccessMode.open
    var writing = AccessMode.never
    /// Its length changes with what is written.
    var isVariable = false
    /// Where in guest memory its value lives; `nil` for the SoftDevice's own memory.
    var location: UInt32?
    var asksForReads = false
    var asksForWrites = false

    /// Whether the host stack asks for every access.
    var source: ValueSource { asksForReads || asksForWrites || location != nil ? .application : .stored }

    /// The value after octets were written from an offset on; `nil` where they do not fit.
    func value(writing octets: [UInt8], at offset: Int) -> [UInt8]? {
      guard offset + octets.count <= maximumLength else { return nil }
      var result = value
      if result.count < offset { result += [UInt8](repeating: 0, count: offset - result.count) }
      let end = min(result.count, offset + octets.count)
      result.replaceSubrange(offset..<(isVariable ? result.count : end), with: octets)
      return result
    }
  }

  private(set) var attributes: [Attribute] = []
  /// Handles of the values whose client configuration has this number.
  private(set) var configuredValues: [UInt16] = []
  /// Octets that are left for more.
  private var room: Int
  private let overhead: Int

  init(limit: Int, overhead: Int) {
    room = limit
    self.overhead = overhead
  }

  subscript(_ handle: UInt16) -> Attribute? {
    let index = Int(handle) - 1
    return attributes.indices.contains(index) ? attributes[index] : nil
  }

  /// Handle that the next attribute gets.
  var nextHandle: UInt16 { UInt16(attributes.count + 1) }

  /// Whether a service was declared that takes characteristics.
  var lastService: UInt16? {
    let index = attributes.lastIndex { if case .service = $0.role { true } else { false } }
    return index.map { UInt16($0 + 1) }
  }

  /// Adds attributes, or none where there is no room for all.
  mutating func append(_ new: [Attribute]) throws(ErrorNumber) {
    let octets = new.reduce(0) { $0 + overhead + ($1.location == nil ? ($1.maximumLength + 3) / 4 * 4 : 0) }
    guard octets <= room, attributes.count + new.count < 0xFFFF else { throw .noMemory }
    room -= octets
    for attribute in new {
      if case .value(_, .some) = attribute.role { configuredValues.append(nextHandle) }
      attributes.append(attribute)
    }
  }

  /// Changes a value. The handle must exist.
  mutating func setValue(_ handle: UInt16, _ value: [UInt8]) {
    let index = Int(handle) - 1
    if attributes.indices.contains(index) { attributes[index].value = value }
  }

  /// Changes who may write a value. The handle must exist.
  mutating func setWriting(_ handle: UInt16, _ mode: AccessMode, properties: CharacteristicProperties) {
    let index = Int(handle) - 1
    guard attributes.indices.contains(index), index > 0 else { return }
    attributes[index].writing = mode
    attributes[index].role = .value(properties: properties, slot: nil)
  }

  /// Number of the client configuration of a value.
  func slot(ofValue handle: UInt16) -> Int? {
    if case .value(_, let slot)? = self[handle]?.role { return slot }
    return nil
  }

  /// Handle of the client configuration with this number.
  func configurationHandle(_ slot: Int) -> UInt16? {
    let index = attributes.firstIndex { if case .configuration(_, slot) = $0.role { true } else { false } }
    return index.map { UInt16($0 + 1) }
  }

  /// What the host stack serves.
  var database: GATTDatabase {
    var services: [ServiceDefinition] = []
    var isConfigurationPassed = false
    for attribute in attributes {
      let last = services.count - 1
      switch attribute.role {
      case .service(let isPrimary):
        var service = ServiceDefinition(uuid: attribute.fullUUID, characteristics: [])
        service.isPrimary = isPrimary
        services.append(service)
      case .declaration: continue
      case .value(let properties, let slot):
        isConfigurationPassed = slot == nil
        services[last].characteristics.append(
          CharacteristicDefinition(
            uuid: attribute.fullUUID, properties: properties,
            reading: attribute.reading.requirement, writing: attribute.writing.requirement,
            initialValue: attribute.value, maximumLength: attribute.maximumLength, source: attribute.source))
      case .configuration:
        isConfigurationPassed = true
        let place = services[last].characteristics.count - 1
        services[last].characteristics[place].subscribing = attribute.writing.requirement
      case .descriptor:
        let place = services[last].characteristics.count - 1
        let definition = DescriptorDefinition(
          uuid: attribute.fullUUID, reading: attribute.reading.requirement, writing: attribute.writing.requirement,
          initialValue: attribute.value, maximumLength: attribute.maximumLength, source: attribute.source)
        if isConfigurationPassed {
          services[last].characteristics[place].trailingDescriptors.append(definition)
        } else {
          services[last].characteristics[place].leadingDescriptors.append(definition)
        }
      }
    }
    return GATTDatabase(services: services)
  }
}
