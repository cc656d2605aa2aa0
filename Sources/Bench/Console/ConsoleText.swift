/// What a console shows, as a terminal without colours would: escape codes are obeyed or dropped, lines come out whole.
///
/// The firmware erases the line being typed, prints a log, and shows the prompt and the typed text again
/// (nRF5 SDK 17.1.0, components/libraries/cli/nrf_cli.c, `cli_log_entry_process`).
struct ConsoleText {
  /// What came out.
  enum Piece: Hashable {
    /// A line, ended by CR or LF, without prompts before it.
    case line(String)
    /// The prompt stands alone: the console waits for a command.
    case prompt
    /// More came than any line holds, or octets that are not text.
    case garbage(String)
  }

  static let prompt = "> "
  /// Begins the line by which the console says that logs came too fast; it is not an answer either.
  static let lostLogs = "Lost logs"

  private enum Mode: Hashable { case text, escape, sequence }

  private var line: [UInt8] = []
  private var mode = Mode.text

  /// Takes octets and says what stands there now.
  mutating func take(_ octets: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    for octet in octets {
      if let piece = take(octet) { pieces.append(piece) }
    }
    // A prompt has no end of its own; it counts when nothing follows it in what came.
    if line == Array(Self.prompt.utf8) { pieces.append(.prompt) }
    return pieces
  }

  private mutating func take(_ octet: UInt8) -> Piece? {
    switch mode {
    case .escape:
      mode = octet == UInt8(ascii: "[") ? .sequence : .text
      return nil
    case .sequence:
      // A control sequence ends with a letter (ECMA-48, 5.4); those that erase begin the line anew.
      guard (0x40...0x7E).contains(octet) else { return nil }
      mode = .text
      if octet == UInt8(ascii: "K") || octet == UInt8(ascii: "J") { line.removeAll(keepingCapacity: true) }
      return nil
    case .text: break
    }
    switch octet {
    case 0x1B: mode = .escape
    case 0x08, 0x7F: if !line.isEmpty { line.removeLast() }
    case 0x0A, 0x0D: return endLine()
    case 0x20...0x7E, 0x09: line.append(octet)
    default:
      let seen = String(decoding: line.suffix(30) + [octet], as: UTF8.self)
      line.removeAll(keepingCapacity: true)
      return .garbage(seen)
    }
    guard line.count > LineCutter.limit else { return nil }
    defer { line.removeAll(keepingCapacity: true) }
    return .garbage(String(decoding: line.prefix(40), as: UTF8.self))
  }

  private mutating func endLine() -> Piece? {
    defer { line.removeAll(keepingCapacity: true) }
    var text = Substring(String(decoding: line, as: UTF8.self))
    while text.hasPrefix(Self.prompt) { text = text.dropFirst(Self.prompt.count) }
    let isEmpty = text.allSatisfy { $0 == " " || $0 == ">" }
    return isEmpty ? nil : .line(String(text))
  }
}

/// A line of the firmware's log, whose stamp counts ticks of 1/1024 s since the boot: `[00:00:01.250,976] <info> app: mem: ready`.
package struct ConsoleLog: Hashable, Sendable {
  /// How grave it is, in the firmware's word.
  package let level: String
  /// What it says, without the module's name.
  package let text: String
  /// Microseconds from the boot until it was written, by the recorder's own clock; `nil` where the stamp is not a time.
  package let microseconds: Int64?

  /// What says that the file system is mounted (firmware/src/targets/dictofun/tasks/memory/task_memory.cpp).
  package static let mounted = "mem: ready"

  /// Whether it is the boot banner, which tells which firmware runs.
  var isBootBanner: Bool { text.hasPrefix(FirmwareSense.banner) }

  /// Takes a line apart; `nil` for one that is not a log.
  package init?(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].first == "[", parts[0].last == "]", parts[1].first == "<", parts[1].last == ">",
      parts[2].last == ":", parts[0].dropFirst().dropLast().allSatisfy({ $0.isNumber || ":.,".contains($0) })
    else { return nil }
    level = String(parts[1].dropFirst().dropLast())
    text = String(parts[3])
    microseconds = Self.microseconds(parts[0].dropFirst().dropLast())
  }

  /// What `00:00:01.250,976` tells; at most the 36 hours that the counter behind it can hold.
  private static func microseconds(_ stamp: Substring) -> Int64? {
    let parts = stamp.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), (0...99).contains(hours),
      (0...59).contains(minutes)
    else { return nil }
    let seconds = parts[2].replacing(",", with: "").split(separator: ".", omittingEmptySubsequences: false)
    guard seconds.count == 2, seconds[1].count == stampDigits, let whole = Int64(seconds[0]),
      let rest = Int64(seconds[1]), (0...59).contains(whole)
    else { return nil }
    return ((hours * 60 + minutes) * 60 + whole) * 1_000_000 + rest
  }

  /// Digits of a microsecond in a stamp.
  private static let stampDigits = 6
}
