/// What the Pico under the bed of nails is told, one command a line; `bench/pico/main.py` is its firmware.
package enum PicoCommand: Hashable, Sendable {
  /// Answers `dictobench-pico 2 SERIAL`.
  case version
  /// Presses the button and keeps it pressed, as long as something is said at least every two minutes: a command, or an
  /// empty line, which has no answer.
  case press
  /// Presses the button for a number of milliseconds; the Pico lets it go by itself.
  case hold(milliseconds: Int)
  /// Lets the button go.
  case release
  /// Answers what the nails feel.
  case sense
  /// Forces the power latch on or off.
  case latch(Bool)
  /// Pulls the reset line for a moment.
  case reset

  /// The longest time that a button is held without being told again.
  static let longestHold = 7_200_000

  /// The command as it is sent.
  package var text: String {
    switch self {
    case .version: "version"
    case .press: "press"
    case .hold(let milliseconds): "hold \(milliseconds)"
    case .release: "release"
    case .sense: "sense"
    case .latch(let isOn): "latch \(isOn ? 1 : 0)"
    case .reset: "reset"
    }
  }

  /// Reads a line; `nil` for anything that is not a command.
  package init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    let number = words.count == 2 ? Int(words[1]) : nil
    switch (words.first, words.count) {
    case ("version", 1): self = .version
    case ("press", 1): self = .press
    case ("release", 1): self = .release
    case ("sense", 1): self = .sense
    case ("reset", 1): self = .reset
    case ("latch", 2) where number == 0 || number == 1: self = .latch(number == 1)
    case ("hold", 2):
      guard let number, (1...Self.longestHold).contains(number) else { return nil }
      self = .hold(milliseconds: number)
    default: return nil
    }
  }
}

/// What the nails feel: `button=1 latch=1 supply=3290`.
package struct PicoSense: Hashable, Sendable {
  /// Whether the recorder's button node is high.
  package var isPressed: Bool
  /// Whether the recorder holds its own power on.
  package var isLatched: Bool
  /// The recorder's rail in millivolts.
  package var millivolts: Int

  /// Whether the rail carries what the chip needs at least (nRF52832 Product Specification, 1.7 V).
  var isPowered: Bool { millivolts >= 1_700 }

  /// The answer as it is sent.
  package var text: String { "button=\(isPressed ? 1 : 0) latch=\(isLatched ? 1 : 0) supply=\(millivolts)" }

  package init(isPressed: Bool, isLatched: Bool, millivolts: Int) {
    self.isPressed = isPressed
    self.isLatched = isLatched
    self.millivolts = millivolts
  }

  /// Reads an answer; `nil` for anything else.
  package init?(_ line: String) {
    let parts = line.split(separator: " ").map { $0.split(separator: "=").map(String.init) }
    guard parts.map(\.first) == ["button", "latch", "supply"], parts.allSatisfy({ $0.count == 2 }) else { return nil }
    let numbers = parts.compactMap { Int($0[1]) }
    guard numbers.count == 3, (0...1).contains(numbers[0]), (0...1).contains(numbers[1]),
      (0...20_000).contains(numbers[2])
    else { return nil }
    self.init(isPressed: numbers[0] == 1, isLatched: numbers[1] == 1, millivolts: numbers[2])
  }
}

/// A Pico without a Pico: answers as the firmware does and says what the nails would do.
package struct PicoServer {
  /// What happens at the nails.
  package enum Effect: Hashable, Sendable {
    /// The button goes down, or up.
    case button(isPressed: Bool)
    /// The button must go up after this many milliseconds, unless it is told otherwise meanwhile.
    case releaseAfter(milliseconds: Int, press: Int)
    /// The button must go up when nothing is said for so long.
    case releaseWithoutWord(Duration, word: Int)
    /// The power latch is forced.
    case latch(Bool)
    /// The reset line is pulled.
    case reset
  }

  /// The name by which the firmware introduces itself, and the version of the line protocol.
  static let name = "dictobench-pico 2"

  /// How long a button that was pressed until further notice stays down without a word.
  package static let patience = Duration.seconds(120)

  private let serial: String
  private var isPressed = false
  /// Whether the button comes up by itself.
  private var isHeld = false
  private var press = 0
  private var word = 0

  package init(serial: String) { self.serial = serial }

  /// Takes a line, with what the recorder's nails carry at that moment; the answer and what happens.
  package mutating func answer(_ line: String, latch: Bool, millivolts: Int) -> (String, [Effect]) {
    guard let command = PicoCommand(line) else { return ("error unknown command", []) }
    switch command {
    case .version: return ("\(Self.name) \(serial)", [])
    case .sense: return (PicoSense(isPressed: isPressed, isLatched: latch, millivolts: millivolts).text, [])
    case .press:
      isHeld = false
      return ("ok", push(true) + heard())
    case .release: return ("ok", push(false))
    case .hold(let milliseconds):
      isHeld = true
      return ("ok", push(true) + [.releaseAfter(milliseconds: milliseconds, press: press)])
    case .latch(let isOn): return ("ok", [.latch(isOn)])
    case .reset: return ("ok", [.reset])
    }
  }

  /// Something was said, if only the end of a line; from here on the patience lasts anew.
  package mutating func heard() -> [Effect] {
    word += 1
    return isPressed && !isHeld ? [.releaseWithoutWord(Self.patience, word: word)] : []
  }

  /// Nothing was said since that word for as long as the patience lasts; lets the button go.
  package mutating func patienceEnded(word number: Int) -> [Effect] {
    number == word && isPressed && !isHeld ? push(false) : []
  }

  /// The time of a hold is over; lets the button go unless that press is past.
  package mutating func holdEnded(press number: Int) -> [Effect] { number == press && isPressed ? push(false) : [] }

  private mutating func push(_ down: Bool) -> [Effect] {
    press += 1
    isPressed = down
    return [.button(isPressed: down)]
  }
}
