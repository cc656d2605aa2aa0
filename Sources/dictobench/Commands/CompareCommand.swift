import Crypto
import Foundation
import Reports
import Requirements
import Session
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
    for name in arguments.operands where !FileManager.default.fileExists(atPath: name) {
      throw UsageFailure("no such file or folder: \(name)")
    }
    let areFolders = (isFolder(names.0), isFolder(names.1))
    guard areFolders.0 == areFolders.1 else {
      throw UsageFailure("compare needs two of a kind: \(names.0) and \(names.1) are a folder and a file")
    }
    return areFolders.0 ? try compareFolders(names, arguments, console) : try compareCaptures(names, arguments, console)
  }

  private static func compareFolders(
    _ names: (String, String), _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    let runs = ComparedRuns(
      try RecordedRunFiles.read(names.0), try RecordedRunFiles.read(names.1), names: names,
      only: arguments.value("--name"))
    if runs.isEmpty { throw UsageFailure("there is nothing to compare in \(names.0) and \(names.1)") }
    tell(ComparisonReport(runs, names: names), arguments, console)
    guard runs.isSame else { return .deviceFailed }
    return runs.notCompared.isEmpty ? .passed : .benchFailed
  }

  /// Two captures that are the same as far as one of them can be read are not shown to be the same.
  private static func compareCaptures(
    _ names: (String, String), _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    let (here, there) = (try Capture(names.0, arguments), try Capture(names.1, arguments))
    let runs = try ComparedRuns(
      (here.outline, here.read, here.records), (there.outline, there.read, there.records), names: names)
    if runs.isEmpty {
      throw UsageFailure("there is nothing to compare in \(names.0) and \(names.1): no host is in both")
    }
    tell(ComparisonReport(runs, names: names, notCompared: here.notCompared + there.notCompared), arguments, console)
    guard runs.isSame else { return .deviceFailed }
    return here.isBroken || there.isBroken ? .benchFailed : .passed
  }

  private static func tell(_ report: ComparisonReport, _ arguments: ParsedArguments, _ console: Console) {
    if FormatOption.isJSON(arguments) {
      console.out(DocumentSchema.named("compare").stamped(report.document).indentedText)
    } else {
      for line in report.lines { console.out(line) }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// A capture that was read for comparing. Of its events, of which there may be millions, an outline is kept.
  private struct Capture {
    private let trial: CaptureTrial
    let outline: RunComparison.Outline
    let records: [(name: String, digest: [UInt8])]
    let isBroken: Bool
    let notCompared: [String]

    init(_ path: String, _ arguments: ParsedArguments) throws(UsageFailure) {
      trial = try CaptureKeys.open(path, arguments)
      var outline = RunComparison.Outline()
      var records: [(name: String, digest: [UInt8])] = []
      let report = try CaptureKeys.judge(trial) { record in
        guard let name = record.identifier?.description, !record.isCovered else { return }
        records.append((name, SHA256.digest(record.octets)))
      } observer: {
        outline.take(RunComparison.Entry($0.told))
      }
      self.outline = outline
      self.records = records
      isBroken = report.brokenBy != nil
      notCompared =
        (report.brokenBy.map { ["\(path): what follows on a damaged record: \($0)"] } ?? [])
        + report.omitted.map { "\(path): \($0)" }
    }

    /// Reads it again.
    func read(_ take: (RunComparison.Entry) -> Void) throws {
      _ = try CaptureKeys.judge(trial) { take(RunComparison.Entry($0.told)) }
    }
  }
}
