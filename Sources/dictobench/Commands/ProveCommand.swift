import Bytes
import Crypto
import Foundation
import Phone
import Proof
import Recorder
import Runner
import ScenarioLanguage
import System
import Text
import Verdicts
import YAML

/// `dictobench prove`
enum ProveCommand: Command {
  static let declaration = CommandDeclaration(
    "prove",
    "Proves that every sync ends and no record is lost or fetched twice, whatever happens in between: takes phone and "
      + "recorder through every order of packets and disturbances, and writes a certificate, or a scenario that fails.",
    options: [
      OptionDeclaration(
        "--records", "Sizes of the records in octets, oldest first (default: 300).", value: "OCTETS,..."),
      OptionDeclaration(
        "--disturbances",
        "How many lost links, power cuts, killed applications, late acknowledgements and second requests there may be, "
          + "0 to 8, or any (default: any).", value: "N"),
      ModelOptions.profile, ModelOptions.published,
      ModelOptions.fault(of: " of recorder or phone"),
      OptionDeclaration("--out", "File for the certificate.", value: "FILE"),
      OptionDeclaration("--check", "Verify this certificate instead of searching.", value: "FILE"),
      OptionDeclaration("--scenario", "File for the scenario that fails (default: it is printed).", value: "FILE"),
    ], example: "dictobench prove --out sync.certificate")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let published = try ModelOptions.published(arguments)
    let plan = try plan(arguments, published)
    if let path = arguments.value("--check") {
      for name in ["--out", "--scenario"] where arguments.value(name) != nil {
        throw UsageFailure("\(name) cannot be used with --check, which writes nothing")
      }
      return try check(path, plan, console)
    }
    let (out, scenario) = (try arguments.outputFile("--out"), try arguments.outputFile("--scenario"))
    let space = try space(of: plan)
    let ranks = Ranks(space)
    if let first = Counterexample(space, ranks) {
      let counterexample = try first.simplified(of: plan)
      try tell(counterexample, plan, published, arguments, scenario, console)
      return .deviceFailed
    }
    let certificate = Certificate.text(of: space, ranks.ranks.compactMap(\.self))
    console.out("PROVEN   \(plan.words)")
    console.out(
      "         \(Wording.count(space.nodes.count, "state")), "
        + "\(Wording.count(space.nodes.reduce(0) { $0 + $1.edges.count }, "move")); "
        + "the end is at most \(Wording.count(ranks.ranks.compactMap(\.self).max() ?? 0, "move")) away")
    if let out { try OutputFile.write(certificate, to: out) }
    let octets = Array(certificate.utf8)
    console.out("         certificate: \(octets.count) B, SHA-256 \(Hexadecimal.string(SHA256.digest(octets)))")
    return .passed
  }

  /// Every state of a plan. Throws a ``UsageFailure`` where there are more than `limit`.
  static func space(of plan: MeetingPlan, limit: Int = StateSpace.defaultLimit) throws -> StateSpace {
    do throws(ProofFailure) { return try StateSpace(plan, limit: limit) } catch {
      guard case .tooMany = error else { throw error }
      throw UsageFailure("\(error): ask for fewer or smaller --records, or for fewer --disturbances")
    }
  }

  private static func check(_ path: String, _ plan: MeetingPlan, _ console: Console) throws -> ExitCode {
    let octets = try LimitedFile.octets(path)
    do {
      let report = try CertificateChecker.check(String(decoding: octets, as: UTF8.self), about: plan)
      console.out(
        "HOLDS    \(plan.words)\n         \(Wording.count(report.states, "state")), "
          + "\(Wording.count(report.moves, "move")); the end is at most "
          + "\(Wording.count(report.highestRank, "move")) away")
      return .passed
    } catch let refusal as CertificateChecker.Refusal {
      console.out("REFUSED  \(PlainText.escaped(path)), \(PlainText.escaped(refusal.description))")
      return .deviceFailed
    }
  }

  private static func tell(
    _ counterexample: Counterexample, _ plan: MeetingPlan, _ published: [String], _ arguments: ParsedArguments,
    _ path: String?, _ console: Console
  ) throws {
    console.out("REFUTED  \(plan.words)")
    console.out("         \(counterexample.sentence)")
    console.out("         after \(list(counterexample.moves))")
    if !counterexample.circle.isEmpty { console.out("         again and again \(list(counterexample.circle))") }
    var scenario = try CounterexampleScenario(counterexample, of: plan, published: published)
    scenario.passes = (try? passes(scenario.text, arguments)) ?? false
    if scenario.passes { console.out("         its scenario passes all the same: it cannot hold one packet back") }
    if let path { try OutputFile.write(scenario.text, to: path) } else { console.out(scenario.text) }
  }

  /// Whether a scenario passes in a run with the options of the proof. Throws where the program's data is not there.
  private static func passes(_ text: String, _ arguments: ParsedArguments) throws -> Bool {
    let files = try ScenarioFiles.read(["scenarios/fragments"]) + [SourceFile(path: "refuted.yaml", text: text)]
    let library = ScenarioLibrary(files: files, vocabulary: try Vocabularies.current())
    guard let scenario = library.scenarios.first else { return false }
    var settings = try ModelOptions.settings(arguments)
    settings.sources = library.files
    return ScenarioRun(scenario, settings, sounds: SoundFiles(), firmware: FirmwareFiles()).run().verdict == .passed
  }

  /// Moves in a line; what comes several times is counted.
  private static func list(_ moves: [Move]) -> String {
    var groups: [(name: String, count: Int)] = []
    for move in moves {
      if groups.last?.name == move.rawValue {
        groups[groups.count - 1].count += 1
      } else {
        groups.append((move.rawValue, 1))
      }
    }
    return groups.map { $0.count == 1 ? $0.name : "\($0.count) × \($0.name)" }.joined(separator: ", ")
  }

  /// What the options ask to be proven.
  static func plan(_ arguments: ParsedArguments, _ published: [String]) throws(UsageFailure) -> MeetingPlan {
    var plan = MeetingPlan()
    if let text = arguments.value("--records") { plan.sizes = try sizes(text) }
    if let text = arguments.value("--disturbances"), text != "any" {
      guard let number = Int(text), (0...8).contains(number) else {
        throw UsageFailure(
          "--disturbances needs a whole number from 0 to 8, or any, not \"\(PlainText.escaped(text))\"")
      }
      plan.disturbances = number
    }
    plan.profile = ModelOptions.profile(arguments)
    for name in published {
      if let behaviour = PublishedBehaviour(rawValue: name) { plan.profile = plan.profile.with(behaviour) }
    }
    for fault in try RunRequest.faults(arguments) {
      switch fault {
      case .recorder(let fault): plan.profile = plan.profile.with(fault)
      case .phone(let fault): plan.phoneFaults.append(fault)
      case .air: throw UsageFailure("a proof has no air: plant a fault of recorder or phone")
      }
    }
    return plan
  }

  private static func sizes(_ text: String) throws(UsageFailure) -> [Int] {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let sizes = words.compactMap { Int($0) }.filter { (0...MeetingPlan.limits.octets).contains($0) }
    guard sizes.count == words.count, sizes.count <= MeetingPlan.limits.records else {
      throw UsageFailure(
        "--records needs at most \(MeetingPlan.limits.records) numbers from 0 to \(MeetingPlan.limits.octets), such as 300,40"
      )
    }
    return sizes
  }
}
