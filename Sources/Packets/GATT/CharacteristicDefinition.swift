import Bytes

/// The security that a link needs before an attribute may be read or written.
public enum AccessRequirement: Hashable, Sendable {
  /// Access is never allowed.
  case never
  /// Access is always allowed.
  case open
  /// Only over an encrypted link.
  case encrypted
}

/// The party that holds a characteristic's value.
public enum ValueSource: Hashable, Sendable {
  /// The stack stores it, answers by itself, and reports writes.
  case stored
  /// The application answers every read, and decides every write before it is answered.
  case application
}

/// The procedures that a characteristic allows (Core Specification Vol 3, Part G, 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
  /// The octet of the declaration.
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

  /// Whether a client configuration descriptor follows the value.
  public var needsConfiguration: Bool { !isDisjoint(with: [.notify, .indicate]) }
}

/// One characteristic to be served.
public struct CharacteristicDefinition: Hashable, Sendable {
  /// Its type.
  public var uuid: BluetoothUUID
  /// The procedures that it allows.
  public var properties: CharacteristicProperties
  /// The security that reading needs; applies even where the read property is missing.
  public var reading: AccessRequirement
  /// The security that writing needs.
  public var writing: AccessRequirement
  /// The security that writing its client configuration needs.
  public var subscribing: AccessRequirement = .open
  /// Its first value.
  public var initialValue: [UInt8]
  /// Longest value in octets, at most 512.
  public var maximumLength: Int
  /// The party that holds the value.
  public var source: ValueSource
  /// Descriptors between the value and its client configuration, in the order of their handles.
  public var leadingDescriptors: [DescriptorDefinition] = []
  /// Descriptors after the client configuration, in the order of their handles.
  public var trailingDescriptors: [DescriptorDefinition] = []

  /// Describes a characteristic. By default access is forbidden, the value is empty, and the length is the longest of
  /// ATT.
  public init(
    uuid: BluetoothUUID, properties: CharacteristicProperties, reading: AccessRequirement = .never,
    writing: AccessRequirement = .never, initialValue: [UInt8] = [], maximumLength: Int = ATTPDU.maximumValueLength,
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

/// One service to be served.
public struct ServiceDefinition: Hashable, Sendable {
  /// Its type.
  public var uuid: BluetoothUUID
  /// Whether it is a primary service; a secondary one is not found by clients that look for primary services.
  public var isPrimary = true
  /// Its characteristics, in the order of their handles.
  public var characteristics: [CharacteristicDefinition]

  /// Describes a service.
  public init(uuid: BluetoothUUID, characteristics: [CharacteristicDefinition]) {
    self.uuid = uuid
    self.characteristics = characteristics
  }
}
