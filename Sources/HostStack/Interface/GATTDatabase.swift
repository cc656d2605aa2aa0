import Bytes

/// What a link must be before an attribute may be read or written.
public enum AccessRequirement: Hashable, Sendable {
  /// Nobody may.
  case never
  /// Anybody may.
  case open
  /// Only over an encrypted link.
  case encrypted
}

/// Where a characteristic's value lives.
public enum ValueSource: Hashable, Sendable {
  /// The stack stores it, answers by itself, and reports writes.
  case stored
  /// The application is asked for every read, and told of every write before it is answered.
  case application
}

/// What a characteristic can do (Vol 3, Part G, 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The value may be read.
  public static let read = CharacteristicProperties(rawValue: 0x02)
  /// The value may be written without a response.
  public static let writeWithoutResponse = CharacteristicProperties(rawValue: 0x04)
  /// The value may be written.
  public static let write = CharacteristicProperties(rawValue: 0x08)
  /// The server may notify the value; a configuration descriptor follows it.
  public static let notify = CharacteristicProperties(rawValue: 0x10)
  /// The server may indicate the value; a configuration descriptor follows it.
  public static let indicate = CharacteristicProperties(rawValue: 0x20)
}

/// One characteristic to be served.
public struct CharacteristicDefinition: Hashable, Sendable {
  /// Its type.
  public var uuid: BluetoothUUID
  /// What it can do.
  public var properties: CharacteristicProperties
  /// What reading its value needs; applies even where the read property is missing.
  public var reading: AccessRequirement
  /// What writing its value needs.
  public var writing: AccessRequirement
  /// What writing its client configuration needs.
  public var subscribing: AccessRequirement = .open
  /// Its first value.
  public var initialValue: [UInt8]
  /// Longest value in octets, at most 512.
  public var maximumLength: Int
  /// Who serves the value.
  public var source: ValueSource
  /// Descriptors between the value and its client configuration, in the order of their handles.
  public var leadingDescriptors: [DescriptorDefinition] = []
  /// Descriptors after the client configuration, in the order of their handles.
  public var trailingDescriptors: [DescriptorDefinition] = []

  public init(
    uuid: BluetoothUUID, properties: CharacteristicProperties, reading: AccessRequirement = .never,
    writing: AccessRequirement = .never, initialValue: [UInt8] = [], maximumLength: Int = 512,
    source: ValueSource = .stored
  ) {
    self.uuid = uuid
    self.properties = properties
    self.reading = reading
    self.writing = writing
    self.initialValue = initialValue
    self.maximumLength = maximumLength
    self.source = source
  }
}

extension CharacteristicDefinition {
  /// Whether a client configuration belongs to it.
  var isConfigured: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }
  /// Handles it takes: its declaration, its value and its descriptors.
  var handleCount: UInt16 {
    (isConfigured ? 3 : 2) + UInt16(leadingDescriptors.count + trailingDescriptors.count)
  }
}

/// One more descriptor of a characteristic to be served; client configurations come by themselves.
public struct DescriptorDefinition: Hashable, Sendable {
  /// Its type.
  public var uuid: BluetoothUUID
  /// What reading it needs.
  public var reading: AccessRequirement
  /// What writing it needs.
  public var writing: AccessRequirement
  /// Its first value.
  public var initialValue: [UInt8]
  /// Longest value in octets, at most 512.
  public var maximumLength: Int
  /// Who serves it.
  public var source: ValueSource

  public init(
    uuid: BluetoothUUID, reading: AccessRequirement = .open, writing: AccessRequirement = .never,
    initialValue: [UInt8], maximumLength: Int, source: ValueSource = .stored
  ) {
    self.uuid = uuid
    self.reading = reading
    self.writing = writing
    self.initialValue = initialValue
    self.maximumLength = maximumLength
    self.source = source
  }
}

/// One service to be served.
public struct ServiceDefinition: Hashable, Sendable {
  /// Its type.
  public var uuid: BluetoothUUID
  /// Whether it is a primary service; a secondary one is not found by clients that look for primary services.
  public var isPrimary = true
  /// Its characteristics, in the order of their handles.
  public var characteristics: [CharacteristicDefinition]

  public init(uuid: BluetoothUUID, characteristics: [CharacteristicDefinition]) {
    self.uuid = uuid
    self.characteristics = characteristics
  }
}

/// The attributes a host serves, handles given from 0x0001 upwards without gaps: a declaration for each service; for
/// each characteristic its declaration, its value, where it notifies or indicates its client configuration, and its
/// other descriptors.
public struct GATTDatabase: Hashable, Sendable {
  /// The services, in the order of their handles.
  public var services: [ServiceDefinition]

  public init(services: [ServiceDefinition]) { self.services = services }

  /// What a client finds that discovers everything.
  public var discovered: [DiscoveredService] {
    var next: UInt16 = 1
    return services.compactMap { definition in
      var service = DiscoveredService(
        uuid: definition.uuid, handle: AttributeHandle(next), endHandle: AttributeHandle(next))
      next += 1
      for characteristic in definition.characteristics {
        let configuration = next + 2 + UInt16(characteristic.leadingDescriptors.count)
        service.characteristics.append(
          DiscoveredCharacteristic(
            uuid: characteristic.uuid, handle: AttributeHandle(next), valueHandle: AttributeHandle(next + 1),
            properties: characteristic.properties,
            configurationHandle: characteristic.isConfigured ? AttributeHandle(configuration) : nil))
        next += characteristic.handleCount
      }
      service.endHandle = AttributeHandle(next - 1)
      return definition.isPrimary ? service : nil
    }
  }

  /// Handle of the first value of characteristic `uuid`, in the service `service` where one is named.
  public func valueHandle(of uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> AttributeHandle? {
    var next: UInt16 = 1
    for definition in services {
      next += 1
      for characteristic in definition.characteristics {
        if characteristic.uuid == uuid, service == nil || service == definition.uuid {
          return AttributeHandle(next + 1)
        }
        next += characteristic.handleCount
      }
    }
    return nil
  }
}
