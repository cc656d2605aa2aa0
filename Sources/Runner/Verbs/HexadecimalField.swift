import Bytes
import World

/// Octets as scenarios write them: hexadecimal, with spaces where they help.
enum HexadecimalField {
  /// Reads them. Throws `impossible` for anything else.
  static func octets(_ text: String) throws(ControlFailure) -> [UInt8] {
    guard let octets = Hexadecimal.bytes(text.filter { $0 != " " }) else {
      throw .impossible("\(text) is not hexadecimal")
    }
    return octets
  }
}
