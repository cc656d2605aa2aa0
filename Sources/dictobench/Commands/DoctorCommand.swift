import Text
import Bench
import Bytes
import Verdicts
import Session
import Transports

/// `dictobench doctor`
enum DoctorCommand: Command {
  static let declaration = CommandDeclaration(
    "doctor", "Checks whether a bench is ready, and tells what is wrong, what to do and what changed.",
    options: [
      BenchFiles.declaration,
      OptionDeclaration("--controller", "The controller to check, instead of the bench's.", value: "SPEC"),
      OptionDeclaration("--out", "Folder that a run would write to (default: the current folder).", value: "FOLDER"),
      OptionDeclaration(
        "--state", "Folder of the phone's library and bonds (default: the user's state folder).", value: "FOLDER"),
      AdapterOptions.quirks,
      OptionDeclaration(
        "--report", "Examine the adapters too, and write what they are like, with an entry for what deviates.",
        value: "FILE"),
      OptionDeclaration("--with-addresses", "Put the adapters' addresses into the report."), FormatOption.declaration,
    ],
    example: "dictobench doctor --bench bench/simulated.yaml")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let bench = try BenchFiles.meant(arguments)
    return try BenchLocks.holding(arguments, console) { try check(bench, arguments, console) }
  }

  private static func check(
    _ bench: BenchFile?, _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    var subject = BenchSubject(
      bench, controller: try TransportOptions.specification(arguments, "--controller"),
      folders: [try arguments.value("--state") ?? UserFolders.state, arguments.value("--out") ?? "."],
      isAttended: BenchFiles.operatorPlace != nil)
    subject.quirks = try AdapterOptions.opening(arguments, bench).quirks
    let report = try reportPath(arguments)
    Interruption.listen()
    let isJSON = FormatOption.isJSON(arguments)
    let session = DoctorSession(
      of: subject, place: bench?.place, on: .this(program: Tool.description), lastRun: GoodRuns.last)
    var result = session.run(
      until: { Interruption.isRequested },
      progress: { if !isJSON { console.note("checking \(PlainText.escaped($0))") } })
    if let report {
      if !isJSON { console.note("examining the adapters") }
      session.examine(&result, until: { Interruption.isRequested })
      let document = AdapterReport(result, subject.quirks, hasAddresses: arguments.isSet("--with-addresses")).document
      try OutputFile.write(DocumentSchema.named("adapter-report").stamped(document).indentedText + "\n", to: report)
    }
    let text = DoctorText(result)
    console.out(
      isJSON
        ? DocumentSchema.named("doctor").stamped(text.document).text : text.lines.joined(separator: "\n"))
    if Interruption.isRequested { return .interrupted }
    return result.checkup.outcome == .ready ? .passed : .benchFailed
  }

  private static func reportPath(_ arguments: ParsedArguments) throws(UsageFailure) -> String? {
    let path = try arguments.outputFile("--report")
    if path == nil, arguments.isSet("--with-addresses") { throw UsageFailure("--with-addresses needs --report") }
    return path
  }

}
