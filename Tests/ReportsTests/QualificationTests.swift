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

  /// Where the last release has no result, nothing is said to have changed or not.
  @Test func whatCannotBeComparedIsOneLine() throws {
    var qualification = try Self.qualification(failures: 0)
    var before = qualification
    before.rows = []
    qualification.changes = QualificationChanges(qualification, since: before)
    let line = "1 requirement has nothing to compare with: DEV-1 on modelled"
    #expect(qualification.changes.map(QualificationMarkdown.changes) == [line])
    #expect(QualificationMarkdown.text(qualification).contains("\n- \(line)\n"))
    #expect(String(decoding: QualificationPage(qualification).octets, as: UTF8.self).contains(line))
    let gap = try #require(qualification.changes?.incomparable?.first)
    qualification.changes?.incomparable = Array(repeating: gap, count: 7)
    let lines = qualification.changes.map(QualificationMarkdown.changes) ?? []
    #expect(lines.first?.hasPrefix("7 requirements have nothing to compare with: DEV-1 on modelled, ") == true)
    #expect(lines.first?.hasSuffix("DEV-1 on modelled and 2 more") == true)
  }

  /// Scenarios that were blocked are named with what they lack, and are none that were judged.
  @Test func whatWasBlockedIsNamed() throws {
    var qualification = try Self.qualification(failures: 0)
    let lack = "the target lacks a button"
    qualification.targets[0].judged = 0
    qualification.targets[0].blocked = ["s", "t"].map { .init($0, reason: lack, requirements: ["DEV-1"]) }
    let text = QualificationMarkdown.text(qualification)
    #expect(text.contains("- modelled: 0 of 1 scenarios judged, 2 blocked\n"))
    #expect(text.contains("\n## Blocked\n\n- blocked on modelled, \(lack): s, t\n"))
    let page = String(decoding: QualificationPage(qualification).octets, as: UTF8.self)
    #expect(page.contains("blocked on modelled, \(lack): s, t"))
    // Documents from before blocked scenarios were kept are read.
    let document = String(decoding: QualificationFiles.document(try Self.qualification(failures: 0)), as: UTF8.self)
    let older = document.replacing(#/"blocked": \[\s*\],?/#, with: "")
    #expect(older != document)
    #expect(try QualificationFiles.decode(Array(older.utf8)).targets.map(\.blocked) == [nil])
  }

  @Test func aQuarantineStandsBesideWhatIsFlaky() throws {
    var qualification = try Self.qualification(failures: 0)
    qualification.failures = [
      Qualification.Failure(
        scenario: "s", target: "modelled", verdict: "flaky", reason: "now and then",
        quarantine: Quarantine(scenario: "s", grantedBy: "Ada", until: "2026-12-31", reason: "bench"))
    ]
    let sentence = "now and then; in quarantine until 2026-12-31 by Ada: bench"
    #expect(QualificationMarkdown.text(qualification).contains("- flaky s on modelled: \(sentence)\n"))
    #expect(String(decoding: QualificationPage(qualification).octets, as: UTF8.self).contains(sentence))
  }

  @Test func aDocumentFromBeforeGapsWereKeptIsRead() throws {
    var qualification = try Self.qualification(failures: 1)
    qualification.changes = QualificationChanges(qualification, since: qualification)
    let octets = QualificationFiles.document(qualification)
    let text = String(decoding: octets, as: UTF8.self)
    let older = text.replacing(#/"incomparable": \[\s*\],?/#, with: "")
    #expect(older != text)
    #expect(try QualificationFiles.decode(Array(older.utf8)).changes?.incomparable == nil)
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
