import HostStack
import Session

extension AttributeAction {
  /// What `gatt` was asked to do.
  init(_ arguments: ParsedArguments) throws(UsageFailure) {
    let operands = arguments.operands
    guard let word = operands.first else {
      self = .table
      return
    }
    let counts = [("read", 2), ("write", 3), ("subscribe", 2)]
    guard let (_, count) = counts.first(where: { $0.0 == word }) else {
      throw UsageFailure("unknown action \(word)\(ParsedArguments.suggestion(word, counts.map(\.0)))")
    }
    guard operands.count == count else {
      throw UsageFailure("gatt \(word) needs " + (count == 3 ? "a handle and octets" : "a handle"))
    }
    let handle = try Self.handle(operands[1])
    switch word {
    case "read": self = .read(handle)
    case "write":
      let octets = try OctetOption.octets(operands[2], example: "01ff")
      self = .write(handle, octets, withoutResponse: arguments.isSet("--without-response"))
    default:
      let span = try arguments.duration("--for", in: .milliseconds(100)...(.seconds(3_600)))
      self = .listen(handle, span ?? .seconds(10))
    }
  }

  /// A handle as the table writes it: hexadecimal after `0x`, else decimal.
  private static func handle(_ text: String) throws(UsageFailure) -> AttributeHandle {
    let number = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
    guard let number, number > 0 else {
      throw UsageFailure("a handle is a number from 1 to 65535, such as 0x0010, not \"\(text)\"")
    }
    return AttributeHandle(number)
  }
}
