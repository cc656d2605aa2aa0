import Bytes

/// A Swift type that a field of the language can have.
public protocol FieldValue: Sendable {
  /// What may be written for it.
  static var valueType: ValueType { get }
  /// What an unstated field of this type means; only optional types have such a meaning.
  static var whenAbsent: Self? { get }
  /// Takes a decoded value of `valueType`; `nil` for a value of another type.
  init?(_ value: Value)
  /// The value as it would be decoded again; `nil` for absence.
  var encoded: Value? { get }
}

extension FieldValue {
  /// Not optional: a file must state it, or the field must have a default.
  public static var whenAbsent: Self? { nil }
}

/// An enumeration of words, such as `enum Security: String, FieldChoice { case legacy, secureConnections = "…" }`.
public protocol FieldChoice: FieldValue, CaseIterable, RawRepresentable where RawValue == String {
  /// What this word means, for the reference; empty unless given.
  var meaning: String { get }
}

extension FieldChoice {
  /// Nothing is said about the word unless the type says it.
  public var meaning: String { "" }
  /// One of the raw values, in the order of the cases.
  public static var valueType: ValueType { .choice(allCases.map { .init($0.rawValue, $0.meaning) }) }
  /// Takes a `.word` that is a raw value of the type; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .word(let word) = value else { return nil }
    self.init(rawValue: word)
  }
  /// The raw value as a `.word`.
  public var encoded: Value? { .word(rawValue) }
}

/// A type made of named fields of its own, such as `records: {count: 7, seconds: 4 s}`.
public protocol FieldGroupValue: FieldValue {
  /// The fields, and the one that may stand alone.
  static var group: FieldGroup { get }
  /// Takes the fields; they are complete and of their types.
  init(_ arguments: Arguments)
}

extension FieldGroupValue {
  /// The fields in braces, or a value for the shorthand.
  public static var valueType: ValueType { .group(group) }
  /// Takes a `.group`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .group(let arguments) = value else { return nil }
    self.init(arguments)
  }
  /// Groups are not written back, so their defaults are not shown.
  public var encoded: Value? { nil }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  /// What the wrapped type accepts.
  public static var valueType: ValueType { Wrapped.valueType }
  /// An unstated field is `nil`.
  public static var whenAbsent: Self? { .some(nil) }
  /// Takes what the wrapped type takes.
  public init?(_ value: Value) {
    guard let wrapped = Wrapped(value) else { return nil }
    self = .some(wrapped)
  }
  /// The wrapped value; `nil` encodes as absence.
  public var encoded: Value? { self?.encoded }
}

extension Array: FieldValue where Element: FieldValue {
  /// A list; a single value is a list of one.
  public static var valueType: ValueType { .list(Element.valueType) }
  /// Takes a `.list` whose items the element type takes; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .list(let values) = value else { return nil }
    let elements = values.compactMap(Element.init(_:))
    guard elements.count == values.count else { return nil }
    self = elements
  }
  /// Always a `.list`.
  public var encoded: Value? { .list(compactMap(\.encoded)) }
}

extension Bool: FieldValue {
  /// `true` or `false`.
  public static var valueType: ValueType { .boolean }
  /// Takes a `.boolean`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .boolean(let value) = value else { return nil }
    self = value
  }
  /// Always a `.boolean`.
  public var encoded: Value? { .boolean(self) }
}

extension Int: FieldValue {
  /// A whole number without a unit.
  public static var valueType: ValueType { .integer }
  /// Takes a `.integer`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .integer(let value) = value else { return nil }
    self = value
  }
  /// Always a `.integer`.
  public var encoded: Value? { .integer(self) }
}

extension String: FieldValue {
  /// Free text.
  public static var valueType: ValueType { .text }
  /// Takes a `.text`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .text(let value) = value else { return nil }
    self = value
  }
  /// Always a `.text`.
  public var encoded: Value? { .text(self) }
}

extension CivilDateTime: FieldValue {
  /// A date and a time of day.
  public static var valueType: ValueType { .dateTime }
  /// Takes a `.dateTime`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .dateTime(let value) = value else { return nil }
    self = value
  }
  /// Always a `.dateTime`.
  public var encoded: Value? { .dateTime(self) }
}

extension UTCOffset: FieldValue {
  /// A signed offset in hours and minutes.
  public static var valueType: ValueType { .offset }
  /// Takes a `.offset`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .offset(let value) = value else { return nil }
    self = value
  }
  /// Always a `.offset`.
  public var encoded: Value? { .offset(self) }
}

extension BluetoothAddress: FieldValue {
  /// Six octets in hexadecimal.
  public static var valueType: ValueType { .address }
  /// Takes a `.address`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .address(let value) = value else { return nil }
    self = value
  }
  /// Always a `.address`.
  public var encoded: Value? { .address(self) }
}

extension RecordName: FieldValue {
  /// A record's sixteen digits.
  public static var valueType: ValueType { .record }
  /// Takes a `.record`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .record(let value) = value else { return nil }
    self = value
  }
  /// Always a `.record`.
  public var encoded: Value? { .record(self) }
}
