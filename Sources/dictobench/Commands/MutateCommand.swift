import Bytes
import Foundation
import Recorder
import Runner
import ScenarioLanguage
import Text
import Verdicts
import YAML

/// `dictobench mutate`
enum MutateCommand: Command {
  static let declaration = CommandDeclaration(
    "mutate", "Plants every fault of the fault table, and tells which of them the suite notices.",
    operands: "[FILE|FOLDER …]",
    options: [
      OptionDeclaration("--table", "The fault table (default: scenarios/faults.yaml).", value: "FILE"),
      OptionDeclaration("--all", "Plant every fault with each scenario, whatever the table says."),
      OptionDeclaration(
        "--generated",
        "Plant generated faults instead: each value, time, attribute and octet of recorder, phone and controllers changed, "
          + "and each monitor weakened."),
      OptionDeclaration(
        "--only", "Of the generated faults, those whose name or subject contains this.", value: "TEXT"),
      OptionDeclaration(
        "--monitors-only", "Let only monitors judge, and ignore what steps expect."),
      OptionDeclaration("--jobs", "How many faults are tried at a time (default: one per processor).", value: "N"),
      OptionDeclaration("--seed", "The seed of all random choices (default: 1).", value: "N"),
      FormatOption.declaration,
    ], example: "dictobench mutate")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let library = try ScenarioFiles.library(arguments.operands, console) else { return .usage }
    var settings = RunSettings()
    settings.catalogue = try Vocabularies.catalogue()
    settings.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    settings.onlyMonitorsJudge = arguments.isSet("--monitors-only")
    let jobs = try arguments.number("--jobs", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    let isJSON = FormatOption.isJSON(arguments)
    let only = try only(arguments)
    if arguments.isSet("--generated") {
      let table = try table(arguments, library.scenarios)
      let mutation = GeneratedMutation(library.scenarios, table, settings, jobs: jobs)
      let score = mutation.run(only: only) { line in
        if !isJSON { console.out(PlainText.escaped(line)) }
      }
      tell(mutation.unfaultedFailures, console)
      console.out(
        isJSON
          ? DocumentSchema.named("mutate").stamped(score.json).text
          : (score.lines + [score.summary]).joined(separator: "\n"))
      return .passed
    }
    let table = try table(arguments, library.scenarios)
    let sounds = SoundFiles()
    let firmware = FirmwareFiles()
    let unfaulted = UnfaultedRuns(settings, sounds: sounds, firmware: firmware)
    let outcomes = ParallelRuns(jobs: jobs).run(table.rows.count) { [settings] index in
      table.rows[index].run(library.scenarios, settings, besides: unfaulted, sounds: sounds, firmware: firmware)
    }
    tell(unfaulted.failures(among: library.scenarios), console)
    var score = MutationScore()
    for (row, outcome) in zip(table.rows, outcomes) {
      let requirement = row.requirement ?? "any failure"
      let line: String
      switch outcome {
      case .noticed(let cell, let reason): line = "noticed  \(row.fault.text)  by \(cell)  \(requirement): \(reason)"
      case .missed(let seen): line = "MISSED   \(row.fault.text)  by \(row.scenario)  \(requirement): \(seen)"
      case nil: line = "MISSED   \(row.fault.text)  by \(row.scenario)  \(requirement): not run"
      }
      let isNoticed = if case .noticed? = outcome { true } else { false }
      score.add(
        fault: row.fault.text, subject: row.fault.subject, requirement: row.requirement, scenario: row.scenario,
        isNoticed: isNoticed)
      if !isJSON { console.out(PlainText.escaped(line)) }
    }
    let isWhole = arguments.operands.isEmpty && !arguments.isSet("--all")
    score.untried = arguments.isSet("--all") ? [] : table.untried(among: library.scenarios)
    if isJSON {
      console.out(DocumentSchema.named("mutate").stamped(score.json).text)
    } else {
      for id in score.untried { console.out(PlainText.escaped("UNTRIED  no fault tests \(id)")) }
      if isWhole || arguments.isSet("--all") { for line in score.lines { console.out(line) } }
      console.out(score.summary)
    }
    if arguments.isSet("--all") { return .passed }
    return score.noticed == score.total && score.untried.isEmpty ? .passed : .deviceFailed
  }

  /// What `--only` asks for; nothing that no fault contains.
  private static func only(_ arguments: ParsedArguments) throws(UsageFailure) -> String? {
    guard let part = arguments.value("--only") else { return nil }
    guard arguments.isSet("--generated") else {
      throw UsageFailure("--only chooses among generated faults: add --generated")
    }
    let faults = GeneratedMutation.faults(containing: part)
    guard faults.isEmpty else { return part }
    let subjects = Array(Set(GeneratedFault.all.map(\.subject))).sorted()
    throw UsageFailure(
      "no generated fault contains \(PlainText.escaped(part))\(ParsedArguments.suggestion(part, subjects)); they are about "
        + Wording.choices(subjects))
  }

  /// Tells of scenarios that notice nothing, whatever else is written.
  private static func tell(_ failures: [String], _ console: Console) {
    for failure in failures { console.note(PlainText.escaped("\(failure), so it notices none")) }
  }

  private static func table(_ arguments: ParsedArguments, _ scenarios: [Scenario]) throws -> FaultTable {
    if arguments.isSet("--all") { return FaultTable(everyFaultWith: scenarios) }
    let path = arguments.value("--table") ?? "scenarios/faults.yaml"
    do {
      return try FaultTable(
        try SourceFile.read(at: path), scenarios: scenarios, isPart: !arguments.operands.isEmpty)
    } catch {
      throw UsageFailure("\(error)")
    }
  }
}
