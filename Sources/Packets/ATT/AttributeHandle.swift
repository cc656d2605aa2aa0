import Bytes

/// Number by which client and server name an attribute, 0x0001 to 0xFFFF (Core Specification Vol 3, Part F, 3.2.2).
public struct AttributeHandle: Hashable, Sendable, Comparable, RawRepresentable, CustomStringConvertible {
  public var rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  @inlinable public init(_ rawValue: UInt16) { self.rawValue = rawValue }
  /// `0x` and four digits.
  public var description: String { "0x" + Hexadecimal.string([UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)]) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension AttributeHandle {
  /// The lowest valid handle.
  public static let first = AttributeHandle(0x0001)
  /// The highest valid handle.
  public static let last = AttributeHandle(0xFFFF)
}

/// A range of handles, both ends included, as requests carry it.
public struct HandleRange: Hashable, Sendable {
  /// First handle of the range.
  public var start: AttributeHandle
  /// Last handle of the range.
  public var end: AttributeHandle

  public init(_ start: AttributeHandle, _ end: AttributeHandle) {
    self.start = start
    self.end = end
  }

  /// Every valid handle.
  public static let all = HandleRange(.first, .last)

  /// Whether it starts above 0 and does not end before it starts; else a server answers invalid handle
  /// (Vol 3, Part F, 3.4.3.1).
  public var isValid: Bool { start.rawValue > 0 && start <= end }
}

/// A handle with its value.
public struct AttributeValue: Hashable, Sendable {
  /// The attribute.
  public var handle: AttributeHandle
  /// Its value.
  public var value: [UInt8]

  public init(_ handle: AttributeHandle, _ value: [UInt8]) {
    self.handle = handle
    self.value = value
  }
}

/// A handle with the type of its attribute (Vol 3, Part F, 3.4.3.2).
public struct AttributeInformation: Hashable, Sendable {
  /// The attribute.
  public var handle: AttributeHandle
  /// Its type.
  public var type: BluetoothUUID

  public init(_ handle: AttributeHandle, _ type: BluetoothUUID) {
    self.handle = handle
    self.type = type
  }
}

/// A grouping attribute with the last handle of its group and its value (Vol 3, Part F, 3.4.4.10).
public struct AttributeGroup: Hashable, Sendable {
  /// The handles of the group, its declaration's first.
  public var range: HandleRange
  /// Value of the declaration.
  public var value: [UInt8]

  public init(_ range: HandleRange, _ value: [UInt8]) {
    self.range = range
    self.value = value
  }
}
