/// Hexadecimal text for bytes, and back.
public enum Hexadecimal {
  private static let lowerCase = Array("0123456789abcdef".utf8)

  /// Two lower-case digits an octet, without separators.
  public static func string(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(lowerCase[Int(byte >> 4)])
      text.append(lowerCase[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A number in upper-case digits, as many as its type has room for: `000A`.
  public static func digits(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: type(of: number).bitWidth / 4 - digits.utf8.count) + digits
  }

  /// The octets that `text` spells; blanks, colons and line breaks between octets are skipped. `nil` when any
  /// other character occurs or a digit is left over.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var result: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      let value: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = character - UInt8(ascii: "A") + 10
      case UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        guard high == nil else { return nil }
        continue
      default: return nil
      }
      if let first = high {
        result.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? result : nil
  }
}
