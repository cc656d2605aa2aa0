import Text
import Bytes
import Reports
import Verdicts
import Session

/// Shows a simulation on the terminal, and passes on what is typed there.
final class SimulationScreen {
  private let console: Console
  private var keys = SteeringKeys()
  private var terminal: TerminalInput?
  /// Orders that were given and are not answered yet, and those in a row that were refused.
  private var (waiting, refusals) = (0, 0)

  /// Orders that may wait; whoever gives more has to wait.
  private static let waitingLimit = 32
  /// Orders in a row that may be refused; a person or a script stops long before.
  private static let refusalLimit = 100
  /// Begins to read what is typed.
  var input: (@escaping (TerminalInput.Input) -> Void) -> TerminalInput? = { _ in nil }
  /// Takes an order, or `nil` for the wish to end.
  var order: (String?) -> Void = { _ in }

  init(_ console: Console) { self.console = console }

  /// Takes what a simulation tells.
  func show(_ event: SimulationEvent) {
    switch event {
    case .recalled(let recorder, let records, let bonds):
      console.note("\(recorder) continues with \(records) records and \(bonds) bonds")
    case .keptOwnRecords(let recorder): console.note("\(recorder) keeps its own records; --records is not used")
    case .awaitingController(let place, let exposure):
      console.note("listening at \(place?.description ?? "")")
      warn(exposure)
    case .controllerNote(let sentence): console.note(PlainText.escaped(sentence))
    case .listening(let place, let exposure):
      console.out("listening \(place)")
      warn(exposure)
    case .instrument(let place): console.out("instrument \(place)")
    case .controller(let specification): console.out("controller \(specification)")
    case .controllerAway(let reason):
      let sentence = PlainText.escaped(reason)
      say { console.note("the recorder's controller was lost: \(sentence); it is opened again when it is back") }
    case .controllerBack(let specification): say { console.note("\(specification) is back; the recorder boots") }
    case .ready(let recorders, let control): begin(recorders, control)
    case .answered(let answer):
      say { console.out(PlainText.escaped(answer.text, limit: 100_000)) }
      answered(answer)
    case .violated(let violation):
      let reason = PlainText.escaped(violation.reason)
      say { console.note("VIOLATED \(violation.requirement) at \(violation.instant) s: \(reason)") }
    }
  }

  /// Shows how a simulation ended.
  func show(_ outcome: SimulationOutcome) -> ExitCode {
    close()
    let exercised = outcome.findings.filter { $0.outcome != .notExercised }
    for line in CaptureVerdict.lines(exercised, console.style) { console.note(line) }
    switch outcome.end {
    case .quit: return .passed
    case .interrupted: return .interrupted
    case .memoryFailed(let trouble): console.complain("\(trouble)")
    case .controllerLost(let reason): console.complain("the recorder's controller \(reason.sentence)")
    }
    return .benchFailed
  }

  /// Gives the terminal back as it was.
  func close() {
    if hasKeys { console.progress("\r\u{1B}[K") }
    terminal?.close()
    terminal = nil
  }

  /// Why a simulation cannot go on with what a recorder keeps.
  static func sentence(_ contradiction: SimulationPlan.Contradiction) -> String {
    let (option, kept): (String, String)
    switch contradiction {
    case .unknownProfile(let name):
      return "the recorder in --state has profile \(name): name its file with --profile"
    case .profile(let name): (option, kept) = ("--profile", "has profile \(name)")
    case .firmware(let version): (option, kept) = ("--firmware", "has version \(version) installed")
    case .board(let name): (option, kept) = ("--board", "has board \(name)")
    case .address(let address): (option, kept) = ("this address", "has address \(address)")
    }
    return "\(option) cannot be used: the recorder in --state \(kept); leave it out or choose another folder"
  }

  private var hasKeys: Bool { terminal?.hasKeys ?? false }

  private func begin(_ recorders: [BluetoothAddress], _ control: String?) {
    for address in recorders { console.out("recorder \(address)") }
    if let control { console.out("control \(PlainText.escaped(control))") }
    console.out("ready")
    terminal = input { [weak self] in self?.take($0) }
    if hasKeys { console.progress(SteeringKeys.help) }
  }

  private func warn(_ exposure: String?) { if let exposure { console.note("WARNING: \(exposure)") } }

  private func take(_ input: TerminalInput.Input) {
    switch input {
    case .line(let line): give(line)
    case .endless:
      say {
        console.complain(
          "standard input sent more than \(TerminalInput.lineLimit) octets without an end of line; it is no longer "
            + "read")
      }
    case .key("q"): order(nil)
    case .key(":"): console.progress("\r\u{1B}[K:")
    case .key(let key): if let line = keys.order(key) { give(line) }
    }
  }

  private func give(_ line: String) {
    waiting += 1
    if waiting >= Self.waitingLimit { terminal?.pause() }
    order(line)
  }

  private func answered(_ answer: SteeringDesk.Answer) {
    waiting -= 1
    if case .refused = answer { refusals += 1 } else { refusals = 0 }
    if refusals == Self.refusalLimit {
      terminal?.stop()
      say {
        console.complain("the last \(Self.refusalLimit) orders were refused; standard input is no longer read")
      }
    }
    if waiting < Self.waitingLimit { terminal?.resume() }
  }

  /// Writes above the line of keys, where there is one.
  private func say(_ write: () -> Void) {
    if hasKeys { console.progress("\r\u{1B}[K") }
    write()
    if hasKeys { console.progress(SteeringKeys.help) }
  }
}
