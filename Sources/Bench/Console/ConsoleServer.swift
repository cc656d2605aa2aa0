import Timeline

/// The recorder's end of its console: echo, prompt, escape codes, and a log that loses what comes too fast
/// (nRF5 SDK 17.1.0, components/libraries/cli/nrf_cli.c; sdk_config.h of the firmware for the sizes).
package struct ConsoleServer {
  /// What reaches it.
  package enum Input: Hashable, Sendable {
    /// Somebody types.
    case octets([UInt8])
    /// The firmware logs something.
    case message(level: Level, String)
    /// The task that prints the log had its turn.
    case turn
    /// The recorder boots; its banner.
    case booted(String)
  }

  /// What it wants done.
  package enum Effect: Hashable, Sendable {
    /// Send octets.
    case send([UInt8])
    /// Give ``Input/turn`` after this time.
    case startTurn(Duration)
    /// Perform an accepted command.
    case perform(ConsoleCommand)
  }

  /// How grave a log is.
  package enum Level: String, Sendable {
    /// Something failed; red.
    case error
    /// Something is odd; yellow.
    case warning
    /// Something happened; white.
    case info
    /// Something that only a developer asks for; white.
    case debug
  }

  /// Octets of the line being typed (`NRF_CLI_CMD_BUFF_SIZE`).
  private static let lineLimit = 128
  /// Logs that wait for their turn (`NRF_CLI_LOG_BACKEND`'s queue).
  static let logLimit = 6
  private static let turn = Duration.milliseconds(10)
  /// Ticks a second of the clock that stamps the log.
  static let ticksPerSecond: UInt64 = 1024
  private static let eraseLine = "\u{1B}[80D\u{1B}[J"

  private var typed: [UInt8] = []
  private var lastEnd: UInt8?
  private var logs: [(level: Level, text: String, microseconds: Int)] = []
  private var lost = 0
  private var bootedAt = Instant.zero

  package init() {}

  /// Takes what happened at an instant and appends what to do about it.
  package mutating func handle(_ input: Input, at now: Instant, _ effects: inout [Effect]) {
    switch input {
    case .octets(let octets): for octet in octets { type(octet, &effects) }
    case .message(let level, let text): add(level, text, at: now, &effects)
    case .turn: show(&effects)
    case .booted(let banner):
      bootedAt = now
      typed.removeAll()
      send("\r\n" + ConsoleText.prompt, &effects)
      add(.info, banner, at: now, &effects)
    }
  }

  // MARK: Typing

  private mutating func type(_ octet: UInt8, _ effects: inout [Effect]) {
    let before = lastEnd
    lastEnd = nil
    switch octet {
    case 0x0A, 0x0D:
      // The second of a pair ends nothing.
      if let before, before != octet { return }
      lastEnd = octet
      send("\r\n", &effects)
      execute(&effects)
      send(ConsoleText.prompt, &effects)
    case 0x08, 0x7F:
      guard !typed.isEmpty else { return }
      typed.removeLast()
      send("\u{8} \u{8}", &effects)
    case 0x20...0x7E:
      guard typed.count < Self.lineLimit - 1 else { return }
      typed.append(octet)
      effects.append(.send([octet]))
    default: break
    }
  }

  private mutating func execute(_ effects: inout [Effect]) {
    let line = String(decoding: typed, as: UTF8.self)
    typed.removeAll()
    guard line.contains(where: { $0 != " " }) else { return }
    do {
      let command = try ConsoleCommand.parse(line)
      if let announcement = command.announcement { send(announcement + "\r\n", &effects) }
      send(command.acknowledgement + "\r\n", &effects)
      effects.append(.perform(command))
    } catch {
      send("\u{1B}[1;31m" + error.text + "\u{1B}[0m\r\n", &effects)
    }
  }

  // MARK: Logging

  private mutating func add(_ level: Level, _ text: String, at now: Instant, _ effects: inout [Effect]) {
    guard logs.count < Self.logLimit else {
      lost += 1
      return
    }
    if logs.isEmpty { effects.append(.startTurn(Self.turn)) }
    let nanoseconds = now.nanoseconds - min(bootedAt.nanoseconds, now.nanoseconds)
    // Stamps are whole ticks, cut to microseconds.
    let ticks = (nanoseconds * Self.ticksPerSecond + 500_000_000) / 1_000_000_000
    logs.append((level, text, Int(clamping: ticks * 1_000_000 / Self.ticksPerSecond)))
  }

  private mutating func show(_ effects: inout [Effect]) {
    guard !logs.isEmpty else { return }
    var text = Self.eraseLine
    for log in logs { text += Self.line(log) }
    if lost > 0 { text += "\u{1B}[1;31m\(ConsoleText.lostLogs) - increase log backend queue size.\u{1B}[0m\r\n" }
    logs.removeAll()
    lost = 0
    send(text + ConsoleText.prompt + String(decoding: typed, as: UTF8.self), &effects)
  }

  private static func line(_ log: (level: Level, text: String, microseconds: Int)) -> String {
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    let (milliseconds, fraction) = log.microseconds.quotientAndRemainder(dividingBy: 1_000)
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    let time = "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    let line = "[\(time).\(padded(rest, 3)),\(padded(fraction, 3))] <\(log.level.rawValue)> app: \(log.text)"
    switch log.level {
    case .error: return "\u{1B}[1;31m\(line)\u{1B}[0m\r\n"
    case .warning: return "\u{1B}[1;33m\(line)\u{1B}[0m\r\n"
    case .info, .debug: return "\u{1B}[1;37m\(line)\u{1B}[0m\r\n"
    }
  }

  private func send(_ text: String, _ effects: inout [Effect]) { effects.append(.send(Array(text.utf8))) }
}
