/// A key of a terminal.
enum TerminalKey: Hashable, Sendable {
  case character(Character)
  case enter, tab, backspace, delete
  case left, right, up, down, home, end
  /// Ctrl-D.
  case endOfInput
  /// Ctrl-U, Ctrl-K and Ctrl-W.
  case eraseToStart, eraseToEnd, eraseWord
}

/// Tells keys from the octets that a terminal sends for them (ECMA-48 and xterm's control sequences).
struct TerminalKeyDecoder {
  private var sequence: [UInt8] = []
  private var scalars = UTF8Collector()

  /// The octets of a sequence that nobody waits for any longer.
  private static let sequenceLimit = 8

  /// Takes an octet; the key that it completes, if it does.
  mutating func take(_ octet: UInt8) -> TerminalKey? {
    if !sequence.isEmpty { return takeSequence(octet) }
    switch octet {
    case 0x1B:
      sequence = [octet]
      return nil
    case 0x0A, 0x0D: return .enter
    case 0x09: return .tab
    case 0x08, 0x7F: return .backspace
    case 0x01: return .home
    case 0x02: return .left
    case 0x04: return .endOfInput
    case 0x05: return .end
    case 0x06: return .right
    case 0x0B: return .eraseToEnd
    case 0x0E: return .down
    case 0x10: return .up
    case 0x15: return .eraseToStart
    case 0x17: return .eraseWord
    case ..<0x20: return nil
    default: return scalars.take(octet).map { .character($0) }
    }
  }

  private mutating func takeSequence(_ octet: UInt8) -> TerminalKey? {
    sequence.append(octet)
    // ESC [ or ESC O, parameters, and a letter or tilde that ends it.
    let isIntroducer = sequence.count == 2 && (octet == UInt8(ascii: "[") || octet == UInt8(ascii: "O"))
    let isEnd = !isIntroducer && (sequence.count == 2 || (0x40...0x7E).contains(octet))
    guard isEnd || sequence.count > Self.sequenceLimit else { return nil }
    defer { sequence = [] }
    switch String(decoding: sequence.dropFirst(2), as: UTF8.self) {
    case "A": return .up
    case "B": return .down
    case "C": return .right
    case "D": return .left
    case "H", "1~", "7~": return .home
    case "F", "4~", "8~": return .end
    case "3~": return .delete
    default: return nil
    }
  }
}

/// Collects the octets of one character.
private struct UTF8Collector {
  private var octets: [UInt8] = []

  mutating func take(_ octet: UInt8) -> Character? {
    if octet < 0x80 || octet >= 0xC0 { octets = [] }
    octets.append(octet)
    let first = octets[0]
    let count = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0
    guard octets.count >= count else { return nil }
    defer { octets = [] }
    let text = String(decoding: octets, as: UTF8.self)
    return text.count == 1 && text != "\u{FFFD}" ? text.first : nil
  }
}
