import Foundation
import Ledger
import Reports
import ScenarioLanguage
import Session
import Text
import Timeline
import Verdicts
import YAML

/// `dictobench qualify`
enum QualifyCommand: Command {
  static let declaration = CommandDeclaration(
    "qualify",
    "Finds out whether a firmware can be released, requirement by requirement, and what changed since the last one.",
    operands: "[FILE|FOLDER …]",
    options: [
      OptionDeclaration(
        "--plan", "The plan: requirements, repetitions, waivers with their last day.", value: "FILE"),
      OptionDeclaration(
        "--firmware",
        "What is to be released: an image (ELF or Intel HEX), the package of a known release, or profile:NAME, with faults "
          + "as profile:NAME+recorder:FAULT.", value: "FIRMWARE"),
      BoardFiles.declaration,
      OptionDeclaration(
        "--against",
        "The last release: the folder of its qualification, or its firmware's name in the ledger.", value: "RELEASE"),
      OptionDeclaration(
        "--out", "Folder for qualification.json, .md and .html, and the trace pages and captures of failures.",
        value: "FOLDER"),
      OptionDeclaration(
        "--ledger",
        "The ledger that remembers what was run (default: ledger.sqlite in the folder of --out). A qualification that was "
          + "interrupted goes on where it stopped.", value: "URL"),
      OptionDeclaration(
        "--kills", "What `mutate --format json` wrote: the page then says how many planted faults the suite notices.",
        value: "FILE"),
      LedgerOptions.operatorName,
      OptionDeclaration("--shard", "Run only part I of N. Every scenario is in exactly one part.", value: "I/N"),
      OptionDeclaration(
        "--merge", "Run nothing; take in the results of this ledger of a shard. May be repeated.", value: "URL",
        repeats: true),
      BenchFiles.declaration, BenchLocks.waiting,
      OptionDeclaration("--jobs", "How many scenarios run at a time (default: one per processor).", value: "N"),
    ],
    example:
      "dictobench qualify --plan plan.yaml --firmware firmware.elf --out out-1.5")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    Interruption.listen()
    let request = try QualifyRequest(arguments)
    let isBenchUsed = arguments.value(BenchFiles.declaration.name) != nil && request.merges.isEmpty
    return try BenchLocks.holding(arguments, console, if: isBenchUsed) { try perform(request, arguments, console) }
  }

  private static func perform(
    _ request: QualifyRequest, _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    guard let library = try ScenarioFiles.library(arguments.operands, console) else { return .usage }
    let catalogue = try Vocabularies.catalogue()
    let plan = try request.plan(library, catalogue)
    // Refused before anything is written.
    guard !plan.select(library.scenarios).isEmpty else {
      console.note("the plan selects none of the \(library.scenarios.count) scenarios")
      return .nothingRan
    }
    let base = try request.base(plan, library, catalogue)
    let kills = try request.kills()
    let today = String(UTCTime.text(MachineClock.secondsSince1970()).prefix(10))
    for sentence in plan.expired(on: today) { console.note(PlainText.escaped(sentence)) }
    let lock = try request.lock()
    defer { withExtendedLifetime(lock) {} }
    let ledger = try request.ledger()
    let before = try request.against(ledger)
    let columns = try request.columns(plan, since: before, library, base)
    let program = LedgerOptions.program
    var setting = QualificationSession.Setting(
      subject: .init(
        run: LedgerOptions.newRunName, operatorName: LedgerOptions.operatorName(arguments), program: program,
        rules: LedgerOptions.rules(known: plan.known)),
      tool: Tool.description, host: ProcessInfo.processInfo.hostName, catalogue: catalogue, today: today)
    setting.shard = request.shard
    setting.onlyReads = !request.merges.isEmpty
    let interruption = request.interruption
    Interruption.listen { interruption.request() }
    let screen = RunScreen(console, .quiet)
    let session = QualificationSession(
      plan, columns, ledger, library, LivePerformer(sounds: SoundFiles(), firmware: FirmwareFiles()),
      try request.archive(console), setting
    ) { screen.show($0) }
    var qualification: Qualification
    do {
      qualification = try session.run(firmware: request.firmware.name)
    } catch let failure as QualificationSession.Failure {
      guard case .ledger = failure else { throw UsageFailure("\(failure)") }
      console.complain("\(failure)")
      return .benchFailed
    }
    qualification.killScore = kills
    qualification.changes = before.map { QualificationChanges(qualification, since: $0) }
    do {
      // A later release is compared with all results, not with those that a shard or an interrupted run had so far.
      if request.shard == nil, !interruption.isRequested {
        let document = String(decoding: QualificationFiles.document(qualification), as: UTF8.self)
        try ledger.keep(document, of: qualification.firmware, plan.waivers, on: today)
      }
      try write(qualification, since: before, ledger, request.folder)
    } catch let failure as LedgerFailure {
      console.complain("\(failure)")
      return .benchFailed
    }
    tell(qualification, request.out, console)
    return interruption.isRequested ? .interrupted : qualification.exitCode
  }

  /// Releases that the page shows besides this one.
  private static let shownReleases = 12

  /// Writes the files. The release that it is compared with is shown on the page although another ledger holds it.
  private static func write(
    _ qualification: Qualification, since before: Qualification?, _ ledger: RunLedger, _ folder: ReportFolder
  ) throws {
    // A document of another version has no place beside this one.
    var history = try ledger.qualifications(but: qualification.firmware).suffix(shownReleases)
      .compactMap { try? QualificationFiles.decode(Array($0.utf8)) }
    if let before, !(history + [qualification]).contains(where: { $0.firmware == before.firmware }) {
      history.insert(before, at: 0)
    }
    do throws(ReportFailure) { try QualificationFiles.write(qualification, history: history, in: folder) } catch {
      throw UsageFailure("\(error)")
    }
  }

  private static func tell(_ qualification: Qualification, _ out: String, _ console: Console) {
    console.out(PlainText.escaped(QualificationMarkdown.answer(qualification), limit: 400))
    for target in qualification.targets {
      console.out("  \(target.name): \(PlainText.escaped(target.state, limit: 400))")
      for line in QualificationMarkdown.blocked(target) { console.out("  " + PlainText.escaped(line, limit: 400)) }
    }
    for line in qualification.changes.map(QualificationMarkdown.changes) ?? [] {
      console.out("  " + PlainText.escaped(line, limit: 240))
    }
    for result in qualification.repeats where result.ending != .passed {
      console.out("  " + PlainText.escaped("\(result.scenario) on \(result.target): \(result.sentence)", limit: 400))
    }
    console.out("qualification in \(PlainText.escaped(out))")
  }
}
