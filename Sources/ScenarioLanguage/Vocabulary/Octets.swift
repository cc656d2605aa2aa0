import Bytes

/// Octets as scenarios write them: hexadecimal in small or capital letters, with spaces where they help.
public struct Octets: Hashable, Sendable {
  /// The octets.
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads `0203` or `02 03`; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Hexadecimal.bytes(String(text).filter { $0 != " " }) else { return nil }
    self.bytes = bytes
  }
}

extension Octets: FieldValue {
  /// Octets in hexadecimal.
  public static var valueType: ValueType { .octets }
  /// Takes `.octets`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .octets(let octets) = value else { return nil }
    self = octets
  }
  /// Always `.octets`.
  public var encoded: Value? { .octets(self) }
}

/// The name that `given:` gives a recorder or a phone.
public struct RecorderName: Hashable, Sendable, FieldValue {
  /// The name.
  public let text: String

  /// One of the recorders of `given:`.
  public static var valueType: ValueType { .participant(.device) }
  /// Takes a `.text`; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .text(let text) = value else { return nil }
    self.text = text
  }
  /// Always a `.text`.
  public var encoded: Value? { .text(text) }
}
