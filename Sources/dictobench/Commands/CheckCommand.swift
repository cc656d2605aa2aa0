import Reports
import Requirements
import Session
import Verdicts

/// `dictobench check`
enum CheckCommand: Command {
  static let declaration = CommandDeclaration(
    "check", "Judges a capture that was made elsewhere, with the same monitors as a run.", operands: "CAPTURE",
    operandLimit: 1, options: [CaptureKeys.declaration, recordings, FormatOption.declaration],
    example: "dictobench check capture.btsnoop")

  private static let recordings = OptionDeclaration(
    "--recordings", "Write the records that passed whole to this folder, each as it is and as sound.", value: "FOLDER")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let path = arguments.operands.first else { throw UsageFailure("check needs a capture") }
    let report = try judge(path, arguments, console)
    // Without it a capture can be judged as well.
    let catalogue = try? Vocabularies.catalogue()
    if FormatOption.isJSON(arguments) {
      console.out(String(decoding: CaptureVerdict.document(report, file: path, catalogue), as: UTF8.self))
    } else {
      console.out(CaptureVerdict.text(report, file: path, console.outputStyle, catalogue))
    }
    switch CaptureVerdict.Outcome(report) {
    case .violated: return .deviceFailed
    // A capture that was cut off proves nothing of what came after.
    case .broken: return .benchFailed
    case .nothingShown: return .nothingRan
    case .holds: return .passed
    }
  }

  /// Judges the capture, and writes the records in it where that was asked for.
  private static func judge(
    _ path: String, _ arguments: ParsedArguments, _ console: Console
  ) throws -> CaptureReport {
    guard let folder = arguments.value(recordings.name) else { return try CaptureKeys.trial(path, arguments) { _ in } }
    try OutputFile.checkFutureFolder(folder)
    var files = CapturedFiles(folder: folder)
    var trouble: (any Error)?
    let report = try CaptureKeys.trial(path, arguments) { record in
      guard trouble == nil else { return }
      do { try files.write(record) } catch { trouble = error }
    } observer: { _ in
    }
    if let trouble { throw UsageFailure("cannot write to \(folder): \(trouble)") }
    let covered = files.covered == 0 ? "" : ", \(files.covered) covered in the capture"
    console.note("records written to \(folder): \(files.written.count)\(covered)")
    return report
  }
}
