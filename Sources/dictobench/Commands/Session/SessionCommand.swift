import Ledger
import Verdicts

/// `dictobench session`
enum SessionCommand: Command {
  static let declaration = CommandDeclaration(
    "session", "Keeps the time that operators spend at benches, apart from that of scenarios and recordings.",
    operands: "start | pause | resume | end | show | list", operandLimit: 1,
    options: [
      OptionDeclaration(
        "--session", "The session's name (default: that of the open session; start chooses one).", value: "NAME"),
      OptionDeclaration(
        "--operator", "Who is at the bench (default: the user's name); list shows only this operator's sessions.",
        value: "NAME"),
      OptionDeclaration(
        BenchFiles.declaration.name, "The bench file of the bench that the session is about.", value: "FILE"),
      OptionDeclaration(
        "--ledger",
        "The ledger: a file, or postgresql://HOST/DATABASE where several benches share one (default: "
          + "DICTOBENCH_LEDGER).", value: "URL"),
      FormatOption.declaration,
    ], example: "dictobench session start --bench bench.yaml --operator Ada --ledger lab.sqlite")

  private static let actions = ["start", "pause", "resume", "end", "show", "list"]

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let action = arguments.operands.first else {
      throw UsageFailure("session needs an action: \(actions.joined(separator: ", "))")
    }
    guard actions.contains(action) else {
      throw UsageFailure("unknown action \(action)\(ParsedArguments.suggestion(action, actions))")
    }
    do {
      try perform(action, arguments, console)
    } catch let failure as LedgerFailure {
      throw UsageFailure("\(failure)")
    }
    return .passed
  }

  private static func perform(_ action: String, _ arguments: ParsedArguments, _ console: Console) throws {
    let order = RunLedger.SessionOrder(
      session: arguments.value("--session"), bench: try BenchFiles.read(arguments)?.place,
      operatorName: LedgerOptions.operatorName(arguments), key: LedgerOptions.newRunName)
    let ledger = try LedgerOptions.required(arguments, for: action == "start" ? .writing : .reading)
    if action == "list" {
      let list = SessionList(try ledger.sessions(), of: arguments.value("--operator"))
      let output = ResultOutput(
        console: console, isJSON: FormatOption.isJSON(arguments), schema: .named("session-list"))
      return output.show(list.document, list.lines)
    }
    let session =
      switch action {
      case "start": try ledger.startSession(order)
      case "show": try ledger.session(order.session, on: order.bench)
      default: try ledger.mark(RunLedger.SessionDeed(rawValue: action) ?? .end, order)
      }
    ResultOutput(console: console, isJSON: FormatOption.isJSON(arguments), schema: .named("session"))
      .show(session.document, session.lines)
  }
}
