import Bytes
import Packets

/// The attributes a host serves, laid out by handle: the attribute of handle *n* is `attributes[n - 1]`.
///
/// One table serves all links. What differs from client to client, the client configurations, is with each link's
/// ``AttributeServer`` under the slot number given here.
struct AttributeTable: Hashable, Sendable {
  /// One attribute.
  struct Attribute: Hashable, Sendable {
    /// Its type.
    var type: BluetoothUUID
    /// What it is for.
    var role: Role
    /// Where its octets lie, maybe in a record of which they are a part.
    fileprivate var stored: ArraySlice<UInt8>
    /// What reading needs.
    var reading: AccessRequirement
    /// What writing needs.
    var writing: AccessRequirement
    /// Longest value, in octets.
    var maximumLength: Int

    init(
      type: BluetoothUUID, role: Role, value: [UInt8], reading: AccessRequirement, writing: AccessRequirement,
      maximumLength: Int = 0
    ) {
      self.type = type
      self.role = role
      stored = value[...]
      self.reading = reading
      self.writing = writing
      self.maximumLength = maximumLength
    }

    /// Its octets; of a value that the application serves the last ones that are known here.
    var value: [UInt8] { Array(stored) }
  }

  /// What an attribute is for.
  enum Role: Hashable, Sendable {
    /// Declares a service that ends at this handle.
    case service(end: AttributeHandle)
    /// Declares a characteristic.
    case characteristic
    /// Holds a characteristic's value, or without properties a descriptor's; `slot` numbers its client configuration.
    case value(CharacteristicProperties, ValueSource, slot: Int?)
    /// Holds a client configuration of the value at `value`.
    case configuration(value: AttributeHandle, CharacteristicProperties, slot: Int)
  }

  private(set) var attributes: [Attribute] = []
  /// Handle of the characteristic value for each client configuration slot.
  private(set) var configuredValues: [AttributeHandle] = []

  /// Lays the definitions out from handle 0x0001 on.
  init(_ database: GATTDatabase) {
    for service in database.services {
      let declaration = attributes.count
      attributes.append(
        Attribute(
          type: service.isPrimary ? DeclarationType.primaryService : DeclarationType.secondaryService,
          role: .service(end: .first), value: service.uuid.littleEndian, reading: .open, writing: .never))
      for characteristic in service.characteristics { append(characteristic) }
      attributes[declaration].role = .service(end: AttributeHandle(UInt16(attributes.count)))
    }
    precondition(attributes.count <= 0xFFFF, "a server has at most 65,535 attributes")
  }

  private mutating func append(_ definition: CharacteristicDefinition) {
    precondition(definition.maximumLength <= ATTPDU.maximumValueLength, "a value has at most 512 octets")
    let valueHandle = AttributeHandle(UInt16(attributes.count + 2))
    let slot = definition.isConfigured ? configuredValues.count : nil
    attributes.append(
      Attribute(
        type: DeclarationType.characteristic, role: .characteristic,
        value: [
          definition.properties.rawValue, UInt8(truncatingIfNeeded: valueHandle.rawValue),
          UInt8(valueHandle.rawValue >> 8),
        ] + definition.uuid.littleEndian, reading: .open, writing: .never))
    attributes.append(
      Attribute(
        type: definition.uuid, role: .value(definition.properties, definition.source, slot: slot),
        value: definition.initialValue, reading: definition.reading, writing: definition.writing,
        maximumLength: definition.maximumLength))
    for descriptor in definition.leadingDescriptors { append(descriptor) }
    if let slot {
      configuredValues.append(valueHandle)
      attributes.append(
        Attribute(
          type: DeclarationType.clientConfiguration,
          role: .configuration(value: valueHandle, definition.properties, slot: slot), value: [], reading: .open,
          writing: definition.subscribing, maximumLength: 2))
    }
    for descriptor in definition.trailingDescriptors { append(descriptor) }
  }

  private mutating func append(_ definition: DescriptorDefinition) {
    precondition(definition.maximumLength <= ATTPDU.maximumValueLength, "a value has at most 512 octets")
    attributes.append(
      Attribute(
        type: definition.uuid, role: .value([], definition.source, slot: nil), value: definition.initialValue,
        reading: definition.reading, writing: definition.writing, maximumLength: definition.maximumLength))
  }

  /// The attribute with this handle.
  subscript(_ handle: AttributeHandle) -> Attribute? {
    let index = Int(handle.rawValue) - 1
    return attributes.indices.contains(index) ? attributes[index] : nil
  }

  /// Handles of `range` that exist, in order.
  func handles(in range: HandleRange) -> some Sequence<AttributeHandle> {
    let start = Int(range.start.rawValue)
    let end = min(Int(range.end.rawValue), attributes.count)
    return (start..<max(start, end + 1)).lazy.map { AttributeHandle(UInt16($0)) }
  }

  /// Changes a value that the stack stores; nothing happens for a handle that holds none or a value too long.
  @discardableResult
  mutating func setValue(_ handle: AttributeHandle, _ value: ArraySlice<UInt8>) -> Bool {
    let index = Int(handle.rawValue) - 1
    guard attributes.indices.contains(index), case .value = attributes[index].role,
      value.count <= attributes[index].maximumLength
    else { return false }
    attributes[index].stored = value
    return true
  }

  /// Whether a request reads or writes a client configuration.
  func isConfigurationTouched(by pdu: ATTPDU) -> Bool {
    switch pdu {
    case .readRequest(let handle), .readBlobRequest(let handle, offset: _), .writeRequest(let handle, _),
      .prepareWriteRequest(let handle, offset: _, _):
      isConfiguration(handle)
    case .readMultipleRequest(let handles): handles.contains(where: isConfiguration)
    case .readByTypeRequest(let range, DeclarationType.clientConfiguration):
      handles(in: range).contains(where: isConfiguration)
    default: false
    }
  }

  private func isConfiguration(_ handle: AttributeHandle) -> Bool {
    if case .configuration? = self[handle]?.role { return true }
    return false
  }

  /// Number of the client configuration that belongs to this value.
  func slot(ofValue handle: AttributeHandle) -> Int? {
    let index = Int(handle.rawValue) - 1
    guard attributes.indices.contains(index), case .value(_, _, let slot) = attributes[index].role else { return nil }
    return slot
  }
}
