import Text
import Bytes
import Phone
import Verdicts
import Session
import Transports
import World

/// What the commands that play the phone have in common: controller, state folder, recorder, format.
struct PhoneCommand: Sendable {
  static let options: [OptionDeclaration] =
    [
      OptionDeclaration(
        "--controller", "The phone's controller, such as usb:0 (default: the one that setup remembers).",
        value: "SPEC"),
      AdapterOptions.take,
      OptionDeclaration(
        "--device", "Address of the recorder (default: the paired one, else the only one found).", value: "ADDRESS"),
      OptionDeclaration(
        "--state", "Folder of the phone's library and bonds (default: the user's state folder).", value: "FOLDER"),
      FormatOption.declaration,
    ] + CaptureRequest.options

  let plan: PhoneSession.Plan
  let output: ResultOutput
  private let capture: CaptureRequest

  init(_ arguments: ParsedArguments, _ console: Console) throws(UsageFailure) {
    let controller = try Self.controller(arguments)
    let isJSON = FormatOption.isJSON(arguments)
    capture = try CaptureRequest(arguments, isJSON: isJSON)
    plan = PhoneSession.Plan(
      controller: controller, opening: AdapterOptions.opening(arguments),
      choice: try TransportOptions.device(arguments).map { .address($0) } ?? .paired,
      state: arguments.value("--state") ?? UserFolders.state, isUncovered: capture.isUncovered)
    output = ResultOutput(console: capture.console(console), isJSON: isJSON)
  }

  private static func controller(_ arguments: ParsedArguments) throws(UsageFailure) -> TransportSpecification {
    if let stated = try TransportOptions.specification(arguments, "--controller") { return stated }
    if let remembered = try BenchFiles.meant(arguments)?.adapters.first { return remembered }
    throw UsageFailure("--controller is needed, such as tcp-client:127.0.0.1:9001; `dictobench setup` remembers one")
  }

  /// Holds a conversation and shows what it came to. `failed` shows a failure of the phone that needs other words than
  /// usual; it returns `nil` for any other.
  func run<Value: Sendable>(
    _ conversation: @escaping @Sendable (RecorderConversation) async throws -> Value,
    failed: (PhoneFailure) -> ExitCode? = { _ in nil }, show: (Value) -> ExitCode
  ) throws -> ExitCode {
    let console = output.console
    let session = PhoneSession(
      plan, interruption: SignalInterruption(),
      capture: { [capture] in try capture.open(note: Tool.description, on: $0, console) },
      tell: { Self.tell($0, console) })
    let outcome = try session.run(conversation)
    var code: ExitCode
    switch outcome.result {
    case .success(let value): code = show(value)
    case .failure(.phone(let failure)): code = failed(failure) ?? report(failure, outcome.loss)
    case .failure(let failure): code = report(failure)
    }
    if let failure = outcome.closing { code = report(failure) }
    return outcome.isInterrupted ? .interrupted : code
  }

  private static func tell(_ event: PhoneSession.Event, _ console: Console) {
    switch event {
    case .listening(let place, let exposure):
      console.note("listening at \(place?.description ?? "")")
      if let exposure { console.note(exposure) }
    case .note(let sentence): console.note(PlainText.escaped(sentence))
    }
  }

  /// Shows that a low battery was read, which lets an application ask for nothing else.
  func showLowBattery(_ percent: UInt8) {
    output.console.note("the recorder's battery is at \(percent) %: an application would ask for nothing else")
  }

  /// Shows why the phone's own end failed.
  private func report(_ failure: PhoneSession.Failure) -> ExitCode {
    switch failure {
    case .phone(let failure): return report(failure, nil)
    case .notOpened(let failure): output.show(failure: "\(failure)")
    case .noAnswer: output.show(failure: "the phone's controller did not answer in time")
    case .controller(let failure): output.show(failure: "the phone's controller failed: \(failure)")
    case .capture(let error): output.show(failure: "\(error)")
    case .library(let failure): output.show(failure: "\(plan.state): \(failure)")
    case .interrupted: return .interrupted
    }
    return .benchFailed
  }

  /// Shows why the phone failed: because its controller did, or else as the phone saw it. Only a scenario can tell whether
  /// a recorder that does not answer is the bench's fault or the device's. A single command cannot, so it fails as the
  /// device.
  private func report(_ failure: PhoneFailure, _ loss: ControllerLoss.Reason?) -> ExitCode {
    if let loss {
      output.show(failure: "the phone's controller \(loss.sentence)")
      return .benchFailed
    }
    output.show(failure: PlainText.escaped(failure.sentence))
    switch failure {
    case .severalInSight, .alreadyPaired, .notPaired, .noSuchRecord: return .usage
    case .library, .abandoned: return .benchFailed
    default: return .deviceFailed
    }
  }
}

extension ControllerLoss.Reason {
  /// What happened, as the rest of a sentence about the controller.
  var sentence: String {
    switch self {
    case .lost(let closure): "was lost: \(PlainText.escaped(closure.reason))"
    case .failed(let words): "failed: \(PlainText.escaped(words))"
    }
  }
}
