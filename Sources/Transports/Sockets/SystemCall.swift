import Glibc

/// A call of the system that failed: its C name and the number it left in `errno`.
public struct SystemCallFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The C name of the call.
  public let call: String
  /// The error number (`errno`).
  public let number: Int32

  /// The failure of `call` with an error number.
  public init(_ call: String, _ number: Int32) {
    self.call = call
    self.number = number
  }

  /// The failure of `call`, with the number it has just left.
  static func last(_ call: String) -> SystemCallFailure { SystemCallFailure(call, errno) }

  /// The call and the system's words for the number.
  public var description: String {
    var words = [CChar](repeating: 0, count: 128)
    let length = strerror_r(number, &words, words.count) == 0 ? strnlen(words, words.count) : 0
    let text = String(decoding: words[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "\(call): \(text.isEmpty ? "error \(number)" : text)"
  }

  /// Whether the call would only have had to wait.
  var isTransient: Bool { number == EAGAIN || number == EWOULDBLOCK || number == EINTR }
}
