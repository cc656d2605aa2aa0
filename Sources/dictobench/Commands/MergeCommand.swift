import Foundation
import Reports
import System
import Verdicts

/// `dictobench merge`
enum MergeCommand: Command {
  static let declaration = CommandDeclaration(
    "merge", "Merges the shards of a run, and what other checks attest, into the report of one run.",
    operands: "FOLDER …",
    options: [
      OptionDeclaration(
        "--attestations", "Folder of attestations: JSON files in which checks say which requirements they prove.",
        value: "FOLDER"),
      OptionDeclaration(
        "--out", "Folder for junit.xml, summary.json, and the event logs and captures of all parts.", value: "FOLDER"),
      OptionDeclaration("--require-all", "Exit with 5 when a requirement is not shown."),
      OptionDeclaration("--quiet", "Print only the result and the requirements (-q)."),
    ], example: "dictobench merge shard-1 shard-2 shard-3 --attestations attested --out out")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard !arguments.operands.isEmpty else { throw UsageFailure("merge needs the folders of the reports to merge") }
    var sources: [RunMerging.Source] = []
    for folder in arguments.operands {
      do { sources.append((folder, try RunReport(summaryIn: folder))) } catch { throw UsageFailure("\(error)") }
    }
    if let out = arguments.value("--out"), arguments.operands.contains(where: { isSame($0, out) }) {
      throw UsageFailure("--out \(out) is one of the folders to merge; name another one")
    }
    _ = try arguments.outputFolder("--out")
    let merging = RunMerging(sources, in: try Vocabularies.catalogue())
    let merged: RunReport
    do {
      merged = try merging.merged(
        with: try attestations(arguments.value("--attestations")), requiringAll: arguments.isSet("--require-all"))
    } catch let failure as MergeFailure {
      throw UsageFailure(failure.description)
    }
    do { try write(merged, sources, merging, arguments, console) } catch let failure as ReportFailure {
      console.complain("\(failure)")
      return merged.exitCode.withResultsLost
    }
    return merged.exitCode
  }

  private static func write(
    _ merged: RunReport, _ sources: [RunMerging.Source], _ merging: RunMerging, _ arguments: ParsedArguments,
    _ console: Console
  ) throws {
    let folder = try arguments.value("--out").map { try ReportFolder($0) }
    for (place, source) in sources.enumerated() {
      try folder?.copyCaptures(of: source.run, from: source.folder, ofPart: merging.number(ofPart: place))
    }
    if let folder { try MergedEvents.write(merged, from: sources.map(\.folder), to: folder) }
    var place = ReportPlace(
      folder: folder, attachmentFolder: folder.map { ProjectFolder.path($0.path) },
      style: console.outputStyle, environment: Environment.value, say: { console.out($0) })
    place.findFiles()
    place.hasLog = false
    place.isQuiet = arguments.isSet("--quiet")
    try ReportSet([], merged, in: place).finish(merged)
  }

  /// Every attestation of a folder, in the order of their names.
  private static func attestations(
    _ folder: String?
  ) throws(UsageFailure) -> [(file: String, attestation: Attestation)] {
    guard let folder else { return [] }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw UsageFailure("no such folder: \(folder)")
    }
    return try names.filter { $0.hasSuffix(".json") }.sorted().map { name throws(UsageFailure) in
      let file = folder + "/" + name
      do { return (file, try Attestation(file: file)) } catch { throw UsageFailure("\(error)") }
    }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    URL(filePath: one).standardizedFileURL.path == URL(filePath: other).standardizedFileURL.path
  }
}
