/// A command of the firmware's console (firmware/src/targets/dictofun/tasks/cli/cli_commands.c).
package enum ConsoleCommand: Hashable, Sendable {
  /// Says that an application runs; not which.
  case version
  /// Resets the processor a tenth of a second later.
  case reset
  /// Records for a number of seconds; development mode only.
  case record(seconds: Int, isStored: Bool)
  /// Tests the memory, 1 to 5.
  case memoryTest(Int, start: Int?, end: Int?)
  /// 1 starts Bluetooth, 2 stops it, 3 deletes the first bond, 4 connects the real file system.
  case bluetooth(Int)
  /// 1 switches off.
  case system(Int)
  /// 1 development, 2 engineering, 3 field; at the next reset.
  case operationMode(Int)
  /// A colour and a mode of the LED.
  case light(colour: Int, mode: Int)

  /// The number of ``bluetooth(_:)`` that deletes the first bond.
  static let deleteFirstBond = 3

  /// The command as it is typed.
  package var text: String {
    switch self {
    case .version: "version"
    case .reset: "reset"
    case .record(let seconds, let isStored): "record \(seconds) \(isStored ? 1 : 0)"
    case .memoryTest(let number, let start?, let end?): "memtest \(number) \(start) \(end)"
    case .memoryTest(let number, _, _): "memtest \(number)"
    case .bluetooth(let number): "ble \(number)"
    case .system(let number): "system \(number)"
    case .operationMode(let number): "opmode \(number)"
    case .light(let colour, let mode): "led \(colour) \(mode)"
    }
  }

  /// The last line of the answer when the command is accepted.
  package var acknowledgement: String {
    switch self {
    case .version: "dictofun application"
    case .reset: "resetting"
    case .record(let seconds, let isStored):
      "Record launched for \(seconds) seconds and will \(isStored ? "" : "not ")be stored"
    case .memoryTest(let number, _, _): "Memory test #\(number) is launched"
    case .bluetooth(let number): "BLE command #\(number) is launched"
    case .system(let number): "system command #\(number) is launched"
    case .operationMode(let number): "opmode #\(number) is launched"
    case .light(let colour, let mode): "LED #\(colour)-\(mode) is launched"
    }
  }

  /// The line that comes before the acknowledgement, where there is one.
  var announcement: String? {
    switch self {
    case .version, .reset: nil
    case .record(let seconds, let isStored): "Record launch. Args: \(seconds), \(isStored ? 1 : 0)"
    case .memoryTest(let number, _, _): "Memory test \(number) launch"
    case .bluetooth: "Launching BLE command"
    case .system: "Launching system command"
    case .operationMode: "Launching opmode change command"
    case .light: "Launching LED control command"
    }
  }
}

/// Why the firmware's console refuses what was typed, in its words.
struct ConsoleRefusal: Error, Hashable {
  let text: String
}

extension ConsoleCommand {
  /// Reads a typed line as the firmware does: numbers by their leading digits, and everything else as 0.
  static func parse(_ line: String) throws(ConsoleRefusal) -> ConsoleCommand {
    let words = line.split(separator: " ").map(String.init)
    let name = words.first ?? ""
    let numbers = words.dropFirst().map(number)
    switch name {
    case "version": return .version
    case "reset": return .reset
    case "record":
      guard (1...2).contains(numbers.count) else { throw ConsoleRefusal(text: "Wrong command syntax") }
      guard numbers[0] >= 1 else { throw ConsoleRefusal(text: "Wrong record duration") }
      let flag = numbers.count == 2 ? numbers[1] : 0
      guard (0...1).contains(flag) else { throw ConsoleRefusal(text: "Wrong storage flag (must be 0 or 1)") }
      return .record(seconds: numbers[0], isStored: flag == 1)
    case "memtest":
      guard numbers.count == 1 || numbers.count == 3 else {
        throw ConsoleRefusal(text: "Wrong command syntax (argc == \(words.count))")
      }
      guard (1...5).contains(numbers[0]) else { throw ConsoleRefusal(text: "Wrong test ID") }
      return .memoryTest(
        numbers[0], start: numbers.count == 3 ? numbers[1] : nil, end: numbers.count == 3 ? numbers[2] : nil)
    case "ble": return .bluetooth(try identifier(numbers, in: 1...4))
    case "system": return .system(try identifier(numbers, in: 1...1))
    case "opmode": return .operationMode(try identifier(numbers, in: 1...3))
    case "led":
      guard numbers.count == 2 else { throw ConsoleRefusal(text: "Wrong command syntax") }
      guard (0...20).contains(numbers[0]) else { throw ConsoleRefusal(text: "Wrong color ID") }
      guard (0...4).contains(numbers[1]) else { throw ConsoleRefusal(text: "Wrong mode ID") }
      return .light(colour: numbers[0], mode: numbers[1])
    default: throw ConsoleRefusal(text: "\(name): command not found")
    }
  }

  private static func identifier(_ numbers: [Int], in range: ClosedRange<Int>) throws(ConsoleRefusal) -> Int {
    guard numbers.count == 1 else { throw ConsoleRefusal(text: "Wrong command syntax") }
    guard range.contains(numbers[0]) else { throw ConsoleRefusal(text: "Wrong command ID") }
    return numbers[0]
  }

  /// `atoi` of the C library; what does not fit is 0 here.
  private static func number(_ word: String) -> Int {
    let isNegative = word.first == "-"
    let digits = (isNegative || word.first == "+" ? word.dropFirst() : word[...]).prefix { $0.isASCII && $0.isNumber }
    return (Int32(digits).map(Int.init) ?? 0) * (isNegative ? -1 : 1)
  }
}
