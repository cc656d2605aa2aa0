import Testing
import Verdicts

@testable import Reports

@Suite struct QualificationPages {
  private static func qualification(failures: Int, name: String = "s") throws -> Qualification {
    let catalogue = try RequirementCatalogue(
      Array("- {id: DEV-1, requires: nothing is lost, judges: recorder, simulated: x}".utf8))
    let target = Qualification.Target(name: "modelled", scenarios: 1, judged: 1)
    let statements = [RequirementStatement("DEV-1", .violated, source: name, reason: "<b>|`x`\u{1B}[31m \u{202E}")]
    return Qualification(
      tool: "dictobench 1", firmware: "profile:x", plan: "plan.yaml", seed: .max, day: "2026-06-30", targets: [target],
      rows: QualificationJudge(catalogue, waivers: [], today: "2026-06-30")
        .rows([.init(target, .simulated, statements)], of: []),
      failures: (0..<failures).map {
        Qualification.Failure(scenario: "\(name)-\($0)", target: "modelled", verdict: "failed", reason: name)
      }, repeats: [])
  }

  @Test func theAnswerComesFirstAndForeignTextStaysText() throws {
    let text = QualificationMarkdown.text(try Self.qualification(failures: 1, name: "<i>|\n# s"))
    #expect(text.hasPrefix("# NOT QUALIFIED  profile:x: 1 violated\n"))
    #expect(text.contains("DEV-1 on modelled violated: &lt;b&gt;\\|\\`x\\`"))
    for bad in ["<b>", "<i>", "\u{1B}", "\u{202E}", "\n# s"] { #expect(!text.contains(bad), "\(bad)") }
  }

  @Test func aSummaryIsNeverLongerThanACIAccepts() throws {
    let long = try Self.qualification(failures: 20_000, name: String(repeating: "ä", count: 200))
    let text = QualificationMarkdown.text(long)
    #expect(text.utf8.count <= QualificationMarkdown.limit)
    #expect(text.utf8.count > QualificationMarkdown.limit / 2)
    #expect(text.hasSuffix("The rest is in `qualification.json`.\n"))
  }

  @Test func aDocumentIsReadAsItWasWritten() throws {
    var qualification = try Self.qualification(failures: 2)
    qualification.changes = QualificationChanges(try Self.qualification(failures: 1), since: qualification)
    let octets = QualificationFiles.document(qualification)
    #expect(try QualificationFiles.decode(octets) == qualification)
    let later = String(decoding: octets, as: UTF8.self).replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 2")
    let failure = #expect(throws: SummaryFailure.self) { try QualificationFiles.decode(Array(later.utf8)) }
    #expect(failure?.description == "expected version 1, got 2")
  }
}
