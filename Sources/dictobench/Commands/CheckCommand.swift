import Foundation
import Reports
import Requirements
import Verdicts

/// `dictobench check`
enum CheckCommand: Command {
  static let declaration = CommandDeclaration(
    "check", "Judges a capture that was made elsewhere, by the same monitors as a run.", operands: "CAPTURE.btsnoop",
    operandLimit: 1,
    options: [OptionDeclaration("--format", "How to print; human unless stated.", choices: ["human", "json"])],
    example: "dictobench check capture.btsnoop")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let path = arguments.operands.first else { throw UsageFailure("check needs a capture") }
    guard let data = FileManager.default.contents(atPath: path) else { throw UsageFailure("\(path) cannot be read") }
    let report: CaptureReport
    do { report = try CaptureJudge.judge(Array(data)) } catch { throw UsageFailure("\(path): \(error)") }
    if arguments.value("--format") == "json" {
      console.out(String(decoding: CaptureVerdict.document(report, file: path), as: UTF8.self))
    } else {
      console.out(CaptureVerdict.text(report, file: path, console.style))
    }
    return report.isViolated ? .deviceFailed : .passed
  }
}
