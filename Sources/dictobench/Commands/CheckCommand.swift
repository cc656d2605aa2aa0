import Reports
import Session
import Verdicts

/// `dictobench check`
enum CheckCommand: Command {
  static let declaration = CommandDeclaration(
    "check", "Judges a capture that was made elsewhere, with the same monitors as a run.", operands: "CAPTURE",
    operandLimit: 1, options: [CaptureKeys.declaration, FormatOption.declaration],
    example: "dictobench check capture.btsnoop")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let path = arguments.operands.first else { throw UsageFailure("check needs a capture") }
    let report = try CaptureKeys.trial(path, arguments) { _ in }
    if FormatOption.isJSON(arguments) {
      console.out(String(decoding: CaptureVerdict.document(report, file: path), as: UTF8.self))
    } else {
      console.out(CaptureVerdict.text(report, file: path, console.outputStyle))
    }
    switch CaptureVerdict.Outcome(report) {
    case .violated: return .deviceFailed
    // A capture that was cut off proves nothing of what came after.
    case .broken: return .benchFailed
    case .nothingShown: return .nothingRan
    case .holds: return .passed
    }
  }
}
