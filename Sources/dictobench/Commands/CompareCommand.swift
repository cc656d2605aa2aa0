import Foundation
import Reports
import Requirements
import Verdicts

/// `dictobench compare`
enum CompareCommand: Command {
  static let declaration = CommandDeclaration(
    "compare", "Compares two runs, or two captures, event by decoded event, and tells where they first differ.",
    operands: "FOLDER FOLDER | CAPTURE CAPTURE", operandLimit: 2,
    options: [
      OptionDeclaration("--name", "Compare only the scenario with this name.", value: "NAME"),
      CaptureKeys.declaration, FormatOption.declaration,
    ], example: "dictobench compare out-of-1.4 out-of-1.5")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard arguments.operands.count == 2 else {
      throw UsageFailure("compare needs two folders of reports, or two captures")
    }
    let names = (arguments.operands[0], arguments.operands[1])
    let areFolders = (isFolder(names.0), isFolder(names.1))
    guard areFolders.0 == areFolders.1 else {
      throw UsageFailure("compare needs two of a kind: \(names.0) and \(names.1) are a folder and a file")
    }
    let runs =
      areFolders.0
      ? ComparedRuns(
        try RecordedRunFiles.read(names.0), try RecordedRunFiles.read(names.1), names: names,
        only: arguments.value("--name"))
      : ComparedRuns(try events(names.0, arguments), try events(names.1, arguments), names: names)
    if runs.isEmpty { throw UsageFailure("there is nothing to compare in \(names.0) and \(names.1)") }
    let report = ComparisonReport(runs, names: names)
    if FormatOption.isJSON(arguments) {
      console.out(DocumentSchema.named("compare").stamped(report.document).indentedText)
    } else {
      for line in report.lines { console.out(line) }
    }
    return runs.isSame ? .passed : .deviceFailed
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func events(
    _ path: String, _ arguments: ParsedArguments
  ) throws(UsageFailure) -> [RunComparison.Entry] {
    var entries: [RunComparison.Entry] = []
    _ = try CaptureKeys.trial(path, arguments) { entries.append(RunComparison.Entry($0.told)) }
    return entries
  }
}
