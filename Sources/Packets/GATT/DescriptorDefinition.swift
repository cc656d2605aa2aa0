import Bytes

extension CharacteristicDefinition {
  /// Whether a client configuration belongs to it.
  public var isConfigured: Bool { properties.needsConfiguration }
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
