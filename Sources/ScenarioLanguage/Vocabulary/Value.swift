import Bytes
import Text

/// A decoded value of the language, before it becomes the Swift type of its field.
public enum Value: Hashable, Sendable {
  /// `true` or `false`, or a key that stands alone.
  case boolean(Bool)
  /// A whole number without a unit.
  case integer(Int)
  /// An amount in the base unit of its dimension.
  case quantity(Dimension, Int64)
  /// A date and time of day.
  case dateTime(CivilDateTime)
  /// A distance from UTC.
  case offset(UTCOffset)
  /// A Bluetooth device address.
  case address(BluetoothAddress)
  /// The sixteen digits of a record.
  case record(RecordName)
  /// Octets, however they are spelt.
  case octets(Octets)
  /// Free text.
  case text(String)
  /// One of the words that a field allows.
  case word(String)
  /// Values in the order they are written.
  case list([Value])
  /// Named values under one field.
  case group(Arguments)
  /// What an earlier step keeps; known only when the scenario runs.
  case kept(KeptName)
}

extension Value: CustomStringConvertible {
  /// The value as it would be written in a scenario.
  public var description: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .quantity(let dimension, let amount): dimension.text(amount)
    case .dateTime(let value): value.description
    case .offset(let value): value.description
    case .address(let value): value.kind == .public ? "\(value)/P" : value.description
    case .record(let value): "\"\(value)\""
    case .octets(let value): Hexadecimal.string(value.bytes)
    case .text(let value): value
    case .word(let value): ValueType.Choice.written(value)
    case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    case .group(let arguments): arguments.description
    case .kept(let name): name.description
    }
  }

  /// The value for people: a duration is not spelled out in the smallest unit that it takes.
  public var plainText: String {
    switch self {
    case .quantity(.duration, let nanoseconds): DurationText.precise(.nanoseconds(nanoseconds))
    case .list(let values): "[" + values.map(\.plainText).joined(separator: ", ") + "]"
    default: description
    }
  }

  /// The value for people, with free text in quotes, so that one sees where it begins and ends.
  var quotedText: String {
    switch self {
    case .text(let text): JSONValue.string(text).text
    case .list(let values): "[" + values.map(\.quotedText).joined(separator: ", ") + "]"
    default: plainText
    }
  }

  /// The kind of the value in a message.
  var kindName: String {
    switch self {
    case .boolean: "a truth value"
    case .integer: "a number"
    case .quantity(let dimension, _): "a \(dimension.rawValue)"
    case .dateTime: "a date and time"
    case .offset: "an offset from UTC"
    case .address: "an address"
    case .record: "a record"
    case .octets: "octets"
    case .text, .word: "text"
    case .list: "a list"
    case .group: "fields in braces"
    case .kept: "a kept value"
    }
  }

  /// Whether this value is a whole multiple of `unit`; true where the two have no common dimension.
  func isMultiple(of unit: Value?) -> Bool {
    guard case .quantity(let dimension, let amount) = self, case .quantity(dimension, let step)? = unit else {
      return true
    }
    return amount % step == 0
  }

  /// Whether this value is less than `other`; `nil` when the two have no common order.
  public func isLess(than other: Value) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.quantity(let dimension, let left), .quantity(let otherDimension, let right)):
      dimension == otherDimension ? left < right : nil
    case (.dateTime(let left), .dateTime(let right)): left < right
    case (.offset(let left), .offset(let right)): left < right
    case (.record(let left), .record(let right)): left < right
    default: nil
    }
  }
}
