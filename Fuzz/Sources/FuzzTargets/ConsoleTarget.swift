import Bench
import Timeline

/// Instruments at the end of a line: each end against octets of a stranger.
enum ConsoleTarget {
  /// One input is a series: an octet that says what happens, and for octets that come a length and the octets.
  static func dialogue(_ octets: [UInt8]) -> Bool {
    var input = InputReader(octets)
    let isConsole = input.octet() & 1 == 0
    return isConsole ? run(ConsoleDialogue(), input) : run(LineDialogue(), input)
  }

  /// The client: every question is answered once at most, and by the end of its patience at the latest.
  private static func run(_ machine: some DialogueMachine, _ input: InputReader) -> Bool {
    var (machine, input) = (machine, input)
    var (console, supply, pico) = (
      ConsoleServer(), SupplyServer(identity: "ACME,PSU,1,2"), PicoServer(serial: "1234")
    )
    var isOpen = false
    var answers = 0
    func settle(_ effects: [DialogueEffect]) {
      for case .answer(let result) in effects {
        precondition(isOpen, "a question is answered twice")
        isOpen = false
        if case .success = result { answers += 1 }
      }
    }
    var now = Instant.zero
    while !input.isAtEnd {
      var effects: [DialogueEffect] = []
      let kind = input.octet()
      switch kind % 8 {
      case 0 where !isOpen:
        isOpen = true
        let question = Question(kind & 8 == 0 ? "version" : "VOLT?", hasAnswer: kind & 16 == 0)
        machine.handle(.ask(question), &effects)
      case 1:
        machine.handle(.patienceEnded, &effects)
        settle(effects)
        precondition(!isOpen, "a question outlives its patience")
        effects = []
      case 2: machine.handle(.closed("unplugged"), &effects)
      case 3:
        now = now.advanced(by: .milliseconds(Int64(input.octet())))
        type(input.counted(), to: &console, at: now)
      case 4:
        let line = String(decoding: input.counted(), as: UTF8.self)
        _ = supply.handle(line, at: now)
        _ = pico.answer(line, latch: kind & 8 == 0, millivolts: 3_300)
        checkWords(line)
      default: machine.handle(.octets(input.counted()), &effects)
      }
      settle(effects)
    }
    return answers > 0
  }

  /// The recorder's end: what it accepts is a command that is typed alike.
  private static func type(_ octets: [UInt8], to console: inout ConsoleServer, at now: Instant) {
    var effects: [ConsoleServer.Effect] = []
    console.handle(.octets(octets), at: now, &effects)
    console.handle(.message(level: .info, "app: ready"), at: now, &effects)
    console.handle(.turn, at: now, &effects)
    for case .perform(let command) in effects {
      var (again, echoed) = (ConsoleServer(), [ConsoleServer.Effect]())
      again.handle(.octets(Array(command.text.utf8) + [0x0D]), at: now, &echoed)
      precondition(echoed.contains(.perform(command)), "a command is typed otherwise than it is read")
    }
  }

  private static func checkWords(_ line: String) {
    if let command = PicoCommand(line) {
      precondition(PicoCommand(command.text) == command, "a command of the Pico changes on its way")
    }
    if let sense = PicoSense(line) {
      precondition(PicoSense(sense.text) == sense, "what nails feel changes on its way")
    }
    _ = ConsoleLog(line)
  }
}
