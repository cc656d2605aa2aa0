import Testing
import Timeline

@testable import Bench

/// A console's two ends, joined without a line between them.
private struct ConsolePair {
  var client = MachineRig(machine: ConsoleDialogue())
  var server = ConsoleServer()
  var performed: [ConsoleCommand] = []
  var heard: [String] = []
  var isTurnDue = false
  var now = Instant.zero

  /// Feeds the server and gives what it sends to the client; what the client wants then.
  mutating func feed(_ input: ConsoleServer.Input) -> [DialogueEffect] {
    var effects: [ConsoleServer.Effect] = []
    server.handle(input, at: now, &effects)
    var results: [DialogueEffect] = []
    for effect in effects {
      switch effect {
      case .send(let octets): results += client.feed(.octets(octets))
      case .perform(let command): performed.append(command)
      case .startTurn: isTurnDue = true
      }
    }
    for case .heard(let line) in results { heard.append(line) }
    return results
  }

  /// Types a command; its answer, when there is one.
  mutating func ask(_ text: String) -> [String]? {
    var answer: [String]?
    for effect in client.feed(.ask(Question(text))) {
      guard case .send(let octets) = effect else { continue }
      for case .answer(.success(let lines)) in feed(.octets(octets)) { answer = lines }
    }
    return answer
  }
}

@Suite struct Consoles {
  @Test(arguments: [
    (ConsoleCommand.version, ["dictofun application"]), (.reset, ["resetting"]),
    (
      .record(seconds: 3, isStored: true),
      ["Record launch. Args: 3, 1", "Record launched for 3 seconds and will be stored"]
    ),
    (
      .record(seconds: 3, isStored: false),
      ["Record launch. Args: 3, 0", "Record launched for 3 seconds and will not be stored"]
    ),
    (.memoryTest(3, start: nil, end: nil), ["Memory test 3 launch", "Memory test #3 is launched"]),
    (.memoryTest(5, start: 0, end: 64), ["Memory test 5 launch", "Memory test #5 is launched"]),
    (.bluetooth(3), ["Launching BLE command", "BLE command #3 is launched"]),
    (.system(1), ["Launching system command", "system command #1 is launched"]),
    (.operationMode(3), ["Launching opmode change command", "opmode #3 is launched"]),
    (.light(colour: 2, mode: 1), ["Launching LED control command", "LED #2-1 is launched"]),
  ])
  func everyCommandIsEchoedAcknowledgedAndPerformed(_ command: ConsoleCommand, _ answer: [String]) {
    var pair = ConsolePair()
    #expect(pair.ask(command.text) == answer)
    #expect(pair.performed == [command])
    #expect(answer.last == command.acknowledgement)
  }

  @Test(arguments: [
    ("record", "Wrong command syntax"), ("record 0", "Wrong record duration"), ("record x 1", "Wrong record duration"),
    ("record 3 2", "Wrong storage flag (must be 0 or 1)"), ("memtest", "Wrong command syntax (argc == 1)"),
    ("memtest 6", "Wrong test ID"), ("ble 9", "Wrong command ID"), ("system 2", "Wrong command ID"),
    ("opmode", "Wrong command syntax"), ("led 21 1", "Wrong color ID"), ("led 1 5", "Wrong mode ID"),
    ("sing", "sing: command not found"), ("record 99999999999999999999", "Wrong record duration"),
  ])
  func whatIsTypedWronglyIsRefusedInTheFirmwaresWords(_ line: String, _ answer: String) {
    var pair = ConsolePair()
    #expect(pair.ask(line) == [answer])
    #expect(pair.performed.isEmpty)
  }

  @Test func numbersAreReadAsCReadsThem() throws {
    #expect(try ConsoleCommand.parse("ble 3abc") == .bluetooth(3))
  }

  @Test func aLogComesBetweenAnyTwoThingsAndAnswersNothing() {
    let log = "\u{1B}[80D\u{1B}[J\u{1B}[1;37m[00:00:01.250,976] <info> app: mem: ready\u{1B}[0m\r\n> "
    let parts = ["ver", "sion", "\r\n", "dictofun application", "\r\n", "> "]
    for position in 0...parts.count where position != 4 {
      var rig = MachineRig(machine: ConsoleDialogue())
      var effects = rig.feed(.ask(Question("version"))) + rig.hear("> ")
      for (index, part) in parts.enumerated() {
        // What was typed so far is shown again after a log.
        if index == position { effects += rig.hear(log + ["", "ver", "version"][min(index, 3) % 3]) }
        effects += rig.hear(part)
      }
      if position == parts.count { effects += rig.hear(log) }
      #expect(effects.contains(.answer(.success(["dictofun application"]))), "a log before part \(position)")
      #expect(effects.contains(.heard("[00:00:01.250,976] <info> app: mem: ready")), "\(position)")
    }
  }

  @Test func logsThatComeTooFastAreLostAndSaidSo() {
    var pair = ConsolePair()
    for number in 0..<9 { _ = pair.feed(.message(level: .info, "state: transition \(number)->6")) }
    #expect(pair.isTurnDue)
    let effects = pair.feed(.turn)
    #expect(pair.heard.count == ConsoleServer.logLimit)
    #expect(!effects.contains { if case .answer = $0 { true } else { false } })
    #expect(pair.ask("version") == ["dictofun application"])
    #expect(ConsoleLog(pair.heard[0]) == ConsoleLog("[00:00:00.000,000] <info> app: state: transition 0->6"))
    #expect(ConsoleLog(pair.heard[0])?.text == "state: transition 0->6")
  }

  @Test func thatLogsWereLostIsNoPartOfAnAnswer() {
    var rig = MachineRig(machine: ConsoleDialogue())
    _ = rig.feed(.ask(Question("version"))) + rig.hear("> version\r\n")
    // The prompt and the log that erases it come in one piece.
    let effects = rig.hear(
      "dictofun application\r\n> \u{1B}[80D\u{1B}[J\u{1B}[1;37m[00:00:01.250,976] <info> app: mem: ready\u{1B}[0m\r\n"
        + "\u{1B}[1;31mLost logs - increase log backend queue size.\u{1B}[0m\r\n> ")
    #expect(effects.contains(.answer(.success(["dictofun application"]))))
  }

  @Test func aLineBeingTypedSurvivesALog() {
    var pair = ConsolePair()
    _ = pair.feed(.octets(Array("ver".utf8)))
    _ = pair.feed(.message(level: .warning, "noise"))
    _ = pair.feed(.turn)
    _ = pair.feed(.octets(Array("sion\r\n".utf8)))
    #expect(pair.performed == [.version])
  }

  @Test func backspaceLongLinesAndPairsOfLineEndsAreTheTerminals() {
    var pair = ConsolePair()
    _ = pair.feed(.octets(Array("versionn\u{8}\r\nreset\n\n".utf8)))
    #expect(pair.performed == [.version, .reset])
    _ = pair.feed(.octets([UInt8](repeating: UInt8(ascii: "x"), count: 500) + [0x0D]))
    #expect(pair.performed.count == 2)
  }

  @Test(arguments: [
    "\u{0}\u{1}\u{2}\u{3}", "login: ", "U-Boot 2023.01\r\nHit any key\r\n", "\u{1B}[31mversion?\r\n> ",
    String(repeating: "y", count: 3_000),
  ])
  func anotherConsoleIsNonsenseOrSilenceWithinItsTime(_ text: String) {
    var rig = MachineRig(machine: ConsoleDialogue())
    var effects = rig.feed(.ask(Question("version"))) + rig.hear(text)
    #expect(!effects.contains { if case .answer = $0 { true } else { false } })
    effects = rig.feed(.patienceEnded)
    guard case .answer(.failure(let failure)) = effects.last else {
      Issue.record("\(effects)")
      return
    }
    if text != "login: " { #expect(failure != .silence(question: "version", patience: .seconds(2))) }
    #expect(rig.feed(.ask(Question("version"))) == [.answer(.failure(failure))])
  }

  @Test func noOctetsMakeEitherEndTrap() {
    let chance = ChoiceSource(seed: 7).stream("octets")
    var rig = MachineRig(machine: ConsoleDialogue())
    var server = ConsoleServer()
    for _ in 0..<2_000 {
      let octets = chance.bytes(Int(chance.next() % 24))
      _ = rig.feed(.ask(Question("version")), .octets(octets))
      var effects: [ConsoleServer.Effect] = []
      server.handle(.octets(octets), at: .zero, &effects)
      server.handle(.turn, at: .zero, &effects)
    }
  }
}
