import Bytes

/// Reads operands that are octets of an attribute.
enum OctetOption {
  /// Longest value of an attribute (Core Specification Vol 3, Part F, 3.2.9).
  private static let limit = 512

  /// The octets of hexadecimal text.
  static func octets(_ text: String, example: String) throws(UsageFailure) -> [UInt8] {
    guard let octets = Hexadecimal.bytes(text), octets.count <= limit else {
      throw UsageFailure("expected up to \(limit) octets in hexadecimal, such as \(example), not \"\(text)\"")
    }
    return octets
  }
}
