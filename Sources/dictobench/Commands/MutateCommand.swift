import Bytes
import Foundation
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
      OptionDeclaration("--jobs", "How many faults are tried at a time (default: one per processor).", value: "N"),
      OptionDeclaration("--seed", "The seed of all random choices (default: 1).", value: "N"),
    ], example: "dictobench mutate")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    guard let library = try ScenarioFiles.library(arguments.operands, console) else { return .usage }
    let path = arguments.value("--table") ?? "scenarios/faults.yaml"
    let table: FaultTable
    do { table = try FaultTable(try SourceFile.read(at: path), scenarios: library.scenarios) } catch {
      throw UsageFailure("\(error)")
    }
    var settings = RunSettings()
    settings.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    let jobs = try arguments.number("--jobs", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
    let sounds = SoundFiles()
    let firmware = FirmwareFiles()
    let outcomes = ParallelRuns(jobs: jobs).run(table.rows.count) { [settings] index in
      table.rows[index].run(library.scenarios, settings, sounds: sounds, firmware: firmware)
    }
    var missed = 0
    for (row, outcome) in zip(table.rows, outcomes) {
      switch outcome {
      case .noticed(let cell, let reason):
        console.out(PlainText.escaped("noticed  \(row.fault.text)  by \(cell)  \(row.requirement): \(reason)"))
      case .missed(let seen):
        missed += 1
        console.out(PlainText.escaped("MISSED   \(row.fault.text)  by \(row.scenario)  \(row.requirement): \(seen)"))
      case nil: missed += 1
      }
    }
    let untried = table.untried(among: library.scenarios)
    for id in untried { console.out(PlainText.escaped("UNTRIED  no fault tests \(id)")) }
    console.out("\(table.rows.count - missed) of \(table.rows.count) faults noticed")
    return missed == 0 && untried.isEmpty ? .passed : .deviceFailed
  }
}
