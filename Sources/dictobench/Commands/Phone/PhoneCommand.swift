import Phone
import Session
import Trace
import Verdicts

/// What the commands that play the phone have in common: they hold one conversation and show what it came to.
struct PhoneCommand: Sendable {
  var plan: PhoneSession.Plan
  let output: ResultOutput
  /// Sees the packets besides the capture; `nil` for nobody.
  var observer: (any TraceSink & Sendable)?
  private let capture: CaptureRequest
  private let arguments: ParsedArguments

  /// `schema` names the documents that it shows.
  init(_ schema: String, _ arguments: ParsedArguments, _ console: Console) throws(UsageFailure) {
    self.arguments = arguments
    let isJSON = FormatOption.isJSON(arguments)
    capture = try CaptureRequest(arguments, isJSON: isJSON)
    plan = try PhoneOptions.plan(arguments, isUncovered: capture.isUncovered)
    output = ResultOutput(
      console: capture.console(console), isJSON: isJSON, schema: .named(schema))
  }

  /// Holds a conversation and shows what it came to. `failed` shows a failure of the phone that needs other words than
  /// usual; it returns `nil` for any other.
  func run<Value: Sendable>(
    _ conversation: @escaping @Sendable (RecorderConversation) async throws -> Value,
    failed: (PhoneFailure) -> ExitCode? = { _ in nil }, show: (Value) -> ExitCode
  ) throws -> ExitCode {
    try BenchLocks.holding(arguments, output.console, refuse: { output.show(failure: $0) }) {
      try hold(conversation, failed, show)
    }
  }

  private func hold<Value: Sendable>(
    _ conversation: @escaping @Sendable (RecorderConversation) async throws -> Value,
    _ failed: (PhoneFailure) -> ExitCode?, _ show: (Value) -> ExitCode
  ) throws -> ExitCode {
    let console = output.console
    let session = PhoneSession(
      plan, interruption: SignalInterruption(),
      capture: { [capture] in try capture.open(note: Tool.description, on: $0, console) }, observer: observer,
      tell: { for sentence in $0.sentences { console.note(sentence) } })
    let outcome = try session.run(conversation)
    var code: ExitCode
    switch outcome.result {
    case .success(let value): code = show(value)
    case .failure(.phone(let failure)): code = failed(failure) ?? report(.phone(failure), after: outcome.loss)
    case .failure(let failure): code = report(failure)
    }
    if let failure = outcome.closing { code = report(failure) }
    return outcome.isInterrupted ? .interrupted : code
  }

  private func report(_ failure: PhoneSession.Failure, after loss: ControllerLoss.Reason? = nil) -> ExitCode {
    if let sentence = failure.sentence(after: loss, state: plan.state) { output.show(failure: sentence) }
    return failure.exitCode(after: loss)
  }
}
