import Foundation
import TestThreads
import Testing

/// Releases that are qualified with the built tool.
@Suite(.waits) struct Qualifies {
  private static let scenarios = [
    "scenarios/records/order.yaml", "scenarios/pairing/unpair.yaml", "scenarios/pairing/stranger-cannot-pair.yaml",
  ]
  private static let good = "profile:reference"
  private static let old = good + "+recorder:list-reversed+recorder:keeps-bonds-after-unpair"
  private static let new = good + "+recorder:pairs-with-strangers"

  private struct Document: Decodable {
    struct Row: Decodable {
      struct Requirement: Decodable { var id: String }
      struct Cell: Decodable {
        var target: String
        var finding: String
        var reason: String?
      }
      var requirement: Requirement
      var cells: [Cell]
    }
    struct Change: Decodable {
      var requirement: String
      var before: String
      var now: String
    }
    struct Changes: Decodable {
      var newlyBroken: [Change]
      var newlyMended: [Change]
      var unchanged: [Change]
      var newlyFailing: [String]
      var noLongerFailing: [String]
    }
    struct Target: Decodable {
      var name: String
      var judged: Int
      var waiting: String?
    }
    struct Repeat: Decodable {
      var decision: String
      var judged: Int
      var failed: Int
    }
    struct Failure: Decodable {
      struct Record: Decodable {
        struct Line: Decodable { var label: String }
        var story: [Line]
        var page: String?
        var capture: String?
        var missing: String?
      }
      var scenario: String
      var record: Record?
    }
    var firmware: String
    var targets: [Target]
    var failures: [Failure]
    var rows: [Row]
    var changes: Changes?
    var repeats: [Repeat]

    func finding(_ id: String) -> String? { rows.first { $0.requirement.id == id }?.cells.first?.finding }
    func reason(_ id: String) -> String? { rows.first { $0.requirement.id == id }?.cells.first?.reason }
  }

  private static func read(_ out: String) throws -> Document {
    let octets = try Data(contentsOf: URL(filePath: out + "/qualification.json"))
    try Documents.expect(Array(octets), toBe: "qualification")
    return try JSONDecoder().decode(Document.self, from: octets)
  }

  private static func qualify(
    _ folder: TemporaryFolder, _ firmware: String, plan: String = "seed: 1", to out: String = "out",
    _ options: [String] = []
  ) throws -> (outcome: Tool.Outcome, out: String) {
    let file = try folder.write("plan.yaml", plan)
    let out = folder.url.path + "/" + out
    let words = ["qualify"] + scenarios + ["--plan", file, "--firmware", firmware, "--out", out] + options
    return (try Tool.run(words), out)
  }

  @Test func twoDefectsMendedAndOneNewAreSaidExactly() throws {
    let folder = try TemporaryFolder()
    let before = try Self.qualify(folder, Self.old, to: "before")
    #expect(before.outcome.status == 1, "\(before.outcome.trouble)")
    let now = try Self.qualify(folder, Self.new, to: "now", ["--against", before.out])
    #expect(now.outcome.status == 1, "\(now.outcome.trouble)")
    let changes = try #require(try Self.read(now.out).changes)
    #expect(changes.newlyBroken.map(\.requirement) == ["DEV-10"])
    #expect(changes.newlyMended.map(\.requirement) == ["DEV-4", "DEV-14"])
    #expect(changes.newlyMended.map(\.before) == ["violated", "violated"])
    #expect(changes.unchanged.isEmpty)
    #expect(changes.newlyFailing == ["pairing-stranger-cannot-pair on modelled"])
    #expect(changes.noLongerFailing.sorted() == ["pairing-unpair on modelled", "records-order on modelled"])
    let summary = try String(contentsOfFile: now.out + "/qualification.md", encoding: .utf8)
    #expect(summary.hasPrefix("# NOT QUALIFIED"))
    #expect(summary.contains("- newly broken DEV-10 on modelled ("))
    let page = try String(contentsOfFile: now.out + "/qualification.html", encoding: .utf8)
    #expect(page.contains("<title>NOT QUALIFIED: \(Self.new)</title>"))
    for release in [Self.old, Self.new] { #expect(page.contains("<title>modelled · \(release)</title>"), "\(release)") }
    #expect(now.outcome.output.contains("newly mended DEV-14 on modelled (violated → "), "\(now.outcome.output)")
    // The last release may also be found in the ledger.
    let ledger = before.out + "/ledger.sqlite"
    let again = try Self.qualify(folder, Self.new, to: "again", ["--against", Self.old, "--ledger", ledger])
    #expect(try Self.read(again.out).changes?.newlyBroken.map(\.requirement) == ["DEV-10"])
  }

  /// A part of the results is no release to compare with.
  @Test func aShardIsNotTheLastRelease() throws {
    let folder = try TemporaryFolder()
    let ledger = ["--ledger", folder.url.path + "/l.sqlite"]
    for index in 1...2 { _ = try Self.qualify(folder, Self.old, to: "out", ledger + ["--shard", "\(index)/2"]) }
    let early = try Self.qualify(folder, Self.new, to: "out", ledger + ["--against", Self.old]).outcome
    #expect(early.status == 2)
    #expect(early.trouble.contains("nor a firmware with a qualification in the ledger"), "\(early.trouble)")
    // Without --shard nothing is left to be run, and the whole is kept.
    #expect(try Self.qualify(folder, Self.old, to: "out", ledger).outcome.status == 1)
    let now = try Self.qualify(folder, Self.new, to: "out", ledger + ["--against", Self.old])
    #expect(try Self.read(now.out).changes?.newlyBroken.map(\.requirement) == ["DEV-10"])
    #expect(!now.outcome.output.contains("nothing to compare with"), "\(now.outcome.output)")
    // A narrower plan is kept, and the comparison says what it lacks.
    _ = try Self.qualify(folder, Self.old, plan: "requirements: [DEV-14]", to: "out", ledger)
    let narrow = try Self.qualify(folder, Self.new, to: "out", ledger + ["--against", Self.old])
    #expect(narrow.outcome.output.contains(" requirements have nothing to compare with: "), "\(narrow.outcome.output)")
  }

  /// What `run` calls flaky is not qualified, unless it is in a quarantine.
  @Test func whatIsFlakyIsNotQualified() throws {
    let folder = try TemporaryFolder()
    let (file, name) = ("scenarios/transfer/break-at-any-point.yaml", "transfer-break-at-any-point[attempt=1]")
    let ledger = ["--ledger", folder.url.path + "/l.sqlite"]
    let run = try Tool.run(["run", file, "--profile", "firmware-1.4", "--retries", "2", "--name", name] + ledger)
    #expect(run.status == 5, "\(run.output)")
    let plan = "scenarios: [\"\(name)\"]\n"
    let quarantine = "quarantine:\n  - {scenario: \"\(name)\", by: Ada, until: 2199-12-31, why: it is known}\n"
    for (text, answer) in [(plan, "NOT QUALIFIED"), (plan + quarantine, "PROVISIONAL")] {
      let words = ["qualify", file, "--plan", try folder.write("plan.yaml", text)]
      let out = ["--firmware", "profile:firmware-1.4", "--out", folder.url.path + "/out"]
      let outcome = try Tool.run(words + out + ledger)
      #expect(outcome.output.hasPrefix(answer), "\(outcome.output)")
      let summary = try String(contentsOfFile: folder.url.path + "/out/qualification.md", encoding: .utf8)
      #expect(summary.contains("it is known") == (answer == "PROVISIONAL"), "\(summary)")
      try Documents.expect(
        Array(Data(contentsOf: folder.url.appending(path: "out/qualification.json"))), toBe: "qualification")
    }
  }

  /// Of one declared defect, some scenarios show it and others do not: `run` calls that wrong, and so does `qualify`.
  @Test func aDefectThatShowsOnlySometimesIsWronglyDeclared() throws {
    let folder = try TemporaryFolder()
    let known = try folder.write("known.yaml", "defects:\n  - {requirement: DEV-6, reason: accepted}\n")
    let plan = try folder.write("plan.yaml", "requirements: [DEV-6]\nknown: \(known)\n")
    let files = ["waiting-request", "too-long", "list-twice"].map { "scenarios/protocol/\($0).yaml" }
    let out = folder.url.path + "/out"
    let qualify = try Tool.run(
      ["qualify"] + files + ["--plan", plan, "--firmware", "profile:firmware-1.4", "--out", out])
    #expect(qualify.status == 1, "\(qualify.trouble)")
    #expect(try Self.read(out).finding("DEV-6") == "mended")
    #expect(try Self.read(out).reason("DEV-6")?.contains("but it holds") == true)
  }

  @Test func waiversHoldUntilTheirDayAndDefectsMayBeKnown() throws {
    let folder = try TemporaryFolder()
    let waivers = """
      waivers:
        - {requirement: DEV-14, by: Ada, until: 2199-12-31, why: nobody unpairs}
        - {requirement: DEV-4, by: Ada, until: 2020-12-31, why: sorted soon}
      """
    let waived = try Self.qualify(folder, Self.old, plan: waivers)
    #expect(waived.outcome.status == 1)
    let document = try Self.read(waived.out)
    #expect(document.finding("DEV-14") == "waived")
    #expect(document.finding("DEV-4") == "violated")
    #expect(document.reason("DEV-4")?.contains("the waiver of Ada expired on 2020-12-31") == true)
    #expect(waived.outcome.trouble.contains("the waiver of DEV-4 ("), "\(waived.outcome.trouble)")
    let known = try folder.write(
      "known.yaml",
      """
      defects:
        - {requirement: DEV-4, scenarios: [records-order], reason: the list is reversed}
        - {requirement: DEV-14, scenarios: [pairing-unpair], reason: bonds stay}
        - {requirement: APP-1.1, scenarios: [pairing-unpair], reason: bonds stay}
        - {requirement: DEV-10, scenarios: [pairing-stranger-cannot-pair], reason: strangers may pair}
      """)
    let declared = try Self.read(try Self.qualify(folder, Self.old, plan: "known: \(known)", to: "known").out)
    #expect(declared.finding("DEV-4") == "known")
    #expect(declared.finding("DEV-14") == "known")
    #expect(declared.finding("DEV-10") == "mended")
    // The phone's requirements say nothing about a firmware.
    #expect(declared.finding("APP-1.3.1.1") == "notObservable")
  }

  @Test func shardsMergedAreTheWhole() throws {
    let folder = try TemporaryFolder()
    let whole = try Self.qualify(folder, Self.new, to: "whole")
    for index in 1...2 {
      let shard = try Self.qualify(folder, Self.new, to: "shard-\(index)", ["--shard", "\(index)/2"])
      #expect([1, 5].contains(shard.outcome.status), "\(shard.outcome.trouble)")
    }
    let ledgers = (1...2).map { folder.url.path + "/shard-\($0)/ledger.sqlite" }
    let merged = try Self.qualify(
      folder, Self.new, to: "merged", ledgers.flatMap { ["--merge", $0] })
    #expect(merged.outcome.status == 1, "\(merged.outcome.trouble)")
    let files = [whole.out, merged.out].map { $0 + "/qualification.json" }
    #expect(try Data(contentsOf: URL(filePath: files[0])) == Data(contentsOf: URL(filePath: files[1])))
    let missing = try Self.qualify(folder, Self.new, to: "missing", ["--merge", ledgers[0]])
    #expect(missing.outcome.status == 2)
    #expect(missing.outcome.trouble.contains("a shard is missing, or was interrupted"), "\(missing.outcome.trouble)")
    #expect(missing.outcome.trouble.split(separator: "\n").count == 1)
  }

  /// The names and octets of what a qualification kept of its failures.
  private static func failureFiles(_ out: String) throws -> [String: Data] {
    let folder = URL(filePath: out + "/failures")
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return files
  }

  @Test func eachFailureHasItsStoryItsPageAndItsCapture() throws {
    let folder = try TemporaryFolder()
    let first = try Self.qualify(folder, Self.old)
    let document = try Self.read(first.out)
    #expect(document.failures.map(\.scenario) == ["records-order", "pairing-unpair"])
    for failure in document.failures {
      let record = try #require(failure.record)
      #expect(record.story.contains { $0.label == "expected" }, "\(record.story)")
      let page = try String(contentsOfFile: first.out + "/" + (record.page ?? ""), encoding: .utf8)
      #expect(page.contains("<title>\(failure.scenario)</title>"))
      let capture = try Data(contentsOf: URL(filePath: first.out + "/" + (record.capture ?? "")))
      #expect(capture.starts(with: Array("btsnoop".utf8)))
      let summary = try String(contentsOfFile: first.out + "/qualification.md", encoding: .utf8)
      #expect(summary.contains("([trace page](\(record.page ?? "?")), [capture](\(record.capture ?? "?")))"))
    }
    let files = try Self.failureFiles(first.out)
    #expect(files.count == 6)
    // Without running anything again, a half-written file is removed, and another firmware's failures keep their own.
    try Data().write(to: URL(filePath: first.out + "/failures/killed.btsnoop.partial"))
    _ = try Self.qualify(folder, Self.new)
    #expect(try Self.failureFiles(first.out).count == 9)
    _ = try Self.qualify(folder, Self.old)
    #expect(try Self.failureFiles(first.out).count == 9)
    // In another folder they are run again to the same trace, and the ledger learns nothing from it.
    let ledger = first.out + "/ledger.sqlite"
    let other = try Self.qualify(folder, Self.old, to: "other", ["--ledger", ledger])
    #expect(try Self.failureFiles(other.out) == files)
    let history = try Tool.run(["history", "--scenario", "records-order", "--ledger", ledger])
    #expect(history.output.hasPrefix("scenario records-order in 2 runs"), "\(history.output)")
    // What nobody may run again is said to be elsewhere.
    let merged = try Self.qualify(folder, Self.old, to: "merged", ["--ledger", ledger, "--merge", ledger])
    let record = try Self.read(merged.out).failures.first?.record
    #expect(record?.missing == nil)
    try FileManager.default.moveItem(atPath: first.out + "/failures", toPath: first.out + "/moved")
    let bare = try Self.qualify(folder, Self.old, to: "bare", ["--ledger", ledger, "--merge", ledger])
    let missing = try Self.read(bare.out).failures.first?.record?.missing
    #expect(missing == "capture and trace page are in the folder of the qualification that ran it")
  }

  /// A failure whose files have no room is judged all the same, and the document says why it has no story.
  @Test func aFailureThatCannotBeExplainedSaysWhy() throws {
    let folder = try TemporaryFolder()
    let out = try Self.qualify(folder, Self.old).out
    let files = try Self.failureFiles(out).keys.map { "\(out)/failures/\($0)" }
    for file in files { try FileManager.default.removeItem(atPath: file) }
    for file in files where file.hasSuffix(".html") {
      try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
    }
    let again = try Self.qualify(folder, Self.old)
    #expect(again.outcome.status == 1, "\(again.outcome.trouble)")
    let missing = try Self.read(out).failures.map(\.record?.missing)
    #expect(!missing.isEmpty)
    #expect(missing.allSatisfy { $0 == "its capture, trace page and story could not be written" }, "\(missing)")
  }

  /// Of a repeated scenario the first repetition that failed is explained.
  @Test func aRepeatedFailureIsExplainedOnce() throws {
    let folder = try TemporaryFolder()
    let plan = "scenarios: [pairing-unpair]\nrepeat:\n  - {scenarios: [pairing-unpair], below: 2 %, confidence: 99 %}"
    let bad = try Self.qualify(folder, Self.old, plan: plan)
    #expect(try Self.read(bad.out).failures.first?.record?.page != nil, "\(bad.outcome.trouble)")
    #expect(try Self.failureFiles(bad.out).count == 3)
  }

  @Test func twoQualificationsDoNotWriteIntoOneFolder() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.path + "/out"
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    let descriptor = open(out, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let outcome = try Self.qualify(folder, Self.good).outcome
    #expect(outcome.status == 2)
    #expect(outcome.trouble.hasSuffix("cannot write beside another run to \(out)\n"), "\(outcome.trouble)")
  }

  @Test func onlyAChangedScenarioIsRunAgain() throws {
    let folder = try TemporaryFolder()
    let source = try String(contentsOf: Tool.repository.appending(path: Self.scenarios[0]), encoding: .utf8)
    let (plan, ledger) = (try folder.write("plan.yaml", "seed: 1"), folder.url.path + "/l.sqlite")
    for (text, runs) in [(source, 1), (source, 1), (source + "\n# changed\n", 2), (source, 2)] {
      let file = try folder.write("order.yaml", text)
      let outcome = try Tool.run([
        "qualify", file, "--plan", plan, "--firmware", Self.good, "--out", folder.url.path + "/out", "--ledger", ledger,
      ])
      #expect(outcome.status == 5, "\(outcome.trouble)")
      let history = try Tool.run(["history", "--scenario", "records-order", "--ledger", ledger])
      #expect(history.output.hasPrefix("scenario records-order in \(runs) run"), "\(history.output)")
    }
  }

  @Test func whatIsRepeatedEndsWhenEnoughIsKnown() throws {
    let folder = try TemporaryFolder()
    let plan = "repeat:\n  - {scenarios: [pairing-unpair], below: 20 %, confidence: 90 %}"
    let good = try Self.read(try Self.qualify(folder, Self.good, plan: plan, to: "good").out)
    #expect(good.repeats.map(\.decision) == ["below"])
    #expect(good.repeats.map(\.failed) == [0])
    #expect(good.repeats.first?.judged == 14)
    let bad = try Self.qualify(folder, Self.old, plan: plan, to: "bad")
    #expect(bad.outcome.status == 1)
    let document = try Self.read(bad.out)
    #expect(document.repeats.map(\.decision) == ["above"])
    #expect(document.repeats.first?.judged == 2)
    #expect(document.repeats.first?.failed == 2)
  }

  @Test func withoutABenchItIsProvisional() throws {
    let folder = try TemporaryFolder()
    let outcome = try Self.qualify(
      folder, "firmware-images/s140-1.4.0.zip", plan: "requirements: [DEV-14]\ntargets: [modelled, hardware]")
    let document = try? Self.read(outcome.out)
    #expect(document?.targets.map(\.name) == ["modelled", "hardware"], "\(outcome.outcome.trouble)")
    #expect(document?.targets.last?.waiting == "no bench is free; give one with --bench")
  }

  /// A release is known by its image: another one under its name is another firmware.
  @Test func aReleaseIsKnownByItsImage() throws {
    let folder = try TemporaryFolder()
    let plan = "targets: [modelled]\nscenarios: [records-order]\n"
    let ledger = ["--ledger", folder.url.path + "/l.sqlite"]
    let first = try Self.qualify(folder, "firmware-images/s140-1.4.0.zip", plan: plan, to: "first", ledger)
    let firmware = try Self.read(first.out).firmware
    #expect(firmware.wholeMatch(of: #/release:1\.4\.0@[0-9a-f]{64}/#) != nil, "\(firmware)")
    let history = try Tool.run(["history"] + ledger)
    #expect(history.output.contains(firmware), "\(history.output)")
    // To compare with it, its name is enough.
    let against = ledger + ["--against", "release:1.4.0"]
    let second = try Self.qualify(folder, "firmware-images/s140-1.5.0.zip", plan: plan, to: "second", against)
    #expect(try Self.read(second.out).changes != nil, "\(second.outcome.trouble)")
  }

  @Test func eachUpdateToAReleaseIsAColumn() throws {
    let folder = try TemporaryFolder()
    func qualify(_ release: String, plan: String, to out: String, _ options: [String] = []) throws -> (
      outcome: Tool.Outcome, out: String
    ) {
      let file = try folder.write("plan.yaml", plan)
      let out = folder.url.path + "/" + out
      let words = ["scenarios/records/order.yaml", "scenarios/update/path.yaml", "scenarios/update/path-cut.yaml"]
      return (
        try Tool.run(
          ["qualify"] + words + [
            "--plan", file, "--firmware", "firmware-images/s140-\(release).zip", "--out", out,
          ] + options), out
      )
    }
    let plan = "targets: [modelled]\nscenarios: [records-order]\n"
    let first = try qualify("1.4.0", plan: plan, to: "first")
    #expect(try Self.read(first.out).targets.map(\.name) == ["modelled"], "\(first.outcome.trouble)")
    // The last release is one to update from, besides those that the plan names.
    let second = try qualify("1.5.1", plan: plan + "update-from: [1.5.0]", to: "second", ["--against", first.out])
    let document = try Self.read(second.out)
    #expect(document.targets.map(\.name) == ["modelled", "update from 1.5.0", "update from 1.4.0"])
    #expect(document.targets.map(\.judged) == [1, 2, 2], "\(second.outcome.trouble)")
    let cells = document.rows.first { $0.requirement.id == "DEV-3" }?.cells.map(\.finding)
    #expect(cells == ["notExercised", "partlyShown", "partlyShown"])
    for (firmware, release, complaint) in [
      ("1.5.0", "1.5.O", "plan.yaml:3:15: error: unknown release `1.5.O`"),
      ("1.5.0", "1.6.0", "plan.yaml:3: no scenario updates a recorder from 1.6.0 to 1.5.0"),
      ("1.5.0", "1.4.0-s132", "plan.yaml:3: no scenario updates a recorder from 1.4.0-s132 to 1.5.0"),
    ] {
      let outcome = try qualify(firmware, plan: plan + "update-from: [\(release)]", to: "bad").outcome
      #expect(outcome.status == 2)
      #expect(outcome.trouble.contains(complaint), "\(outcome.trouble)")
    }
    let profile = try Self.qualify(folder, Self.good, plan: "update-from: [1.4.0]").outcome
    #expect(profile.trouble.contains("only the package of a known release can be an update"), "\(profile.trouble)")
  }

  /// Where one of its files cannot be written, none is: a page never belongs to another document.
  @Test func aQualificationThatCannotBeWrittenLeavesTheLastOne() throws {
    let folder = try TemporaryFolder()
    let first = try Self.qualify(folder, Self.good)
    let document = try Data(contentsOf: URL(filePath: first.out + "/qualification.json"))
    try FileManager.default.removeItem(atPath: first.out + "/qualification.html")
    try FileManager.default.createDirectory(
      atPath: first.out + "/qualification.html", withIntermediateDirectories: true)
    let second = try Self.qualify(folder, Self.new)
    #expect(second.outcome.status == 2)
    #expect(second.outcome.trouble.contains("cannot create "), "\(second.outcome.trouble)")
    #expect(second.outcome.trouble.split(separator: "\n").count == 1, "\(second.outcome.trouble)")
    #expect(try Data(contentsOf: URL(filePath: first.out + "/qualification.json")) == document)
    let names = try FileManager.default.contentsOfDirectory(atPath: first.out)
    #expect(!names.contains { $0.hasSuffix(".partial") }, "\(names)")
  }

  @Test func mistakesStandAtTheirPlace() throws {
    let folder = try TemporaryFolder()
    let mistakes: [(plan: String, complaint: String)] = [
      ("requirements: [DEV-14, DEW-4]", "plan.yaml:1:24: error: unknown requirement `DEW-4`"),
      ("requirements: [DEV-14, DEW-4]", "`DEV-4`"),
      ("repeat:\n  - {scenarios: [pairing-umpair], below: 2 %}", "plan.yaml:2:18: error: unknown scenario"),
      ("repeat:\n  - {scenarios: [pairing-unpair], below: 2 %, confidence: 100 %}", "this cannot be found out"),
      ("waivers:\n  - {requirement: DEV-4, by: Ada, until: soon, why: x}", "plan.yaml:2:"),
      ("targets: [modeled]", "modelled"),
      ("", "the file is empty"),
    ]
    for (plan, complaint) in mistakes {
      let outcome = try Self.qualify(folder, Self.good, plan: plan).outcome
      #expect(outcome.status == 2, "\(plan)")
      #expect(outcome.trouble.contains(complaint), "\(outcome.trouble)")
    }
    for (firmware, options, complaint) in [
      ("profile:referense", [], "did you mean reference?"),
      (Self.good + "+recorder:list-reverse", [], "did you mean recorder:list-reversed?"),
      ("nowhere.zip", [], "cannot read nowhere.zip: No such file"),
      ("nowhere.elf", [], "cannot read nowhere.elf: no such file"),
      (Self.good, ["--against", "nobody"], "neither a folder, nor a firmware with a qualification in the ledger"),
      (Self.good, ["--against", "scenarios"], "cannot read scenarios/qualification.json"),
      (Self.good, ["--shard", "3/2"], "--shard needs I/N"),
      (Self.good, ["--kills", "nowhere.json"], "cannot read nowhere.json"),
      (Self.good, ["--kills", "firmware-images/catalogue.json"], "is not a result of `mutate --format json`"),
    ] as [(String, [String], String)] {
      let outcome = try Self.qualify(folder, firmware, plan: "seed: 1", options).outcome
      #expect(outcome.status == 2, "\(firmware) \(options)")
      #expect(outcome.trouble.contains(complaint), "\(outcome.trouble)")
      #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
    }
  }

  @Test func whatIsRefusedLeavesNoFiles() throws {
    let folder = try TemporaryFolder()
    // None of the three scenarios verifies this requirement.
    for (plan, status) in [("requirements: [DEV-6]", 4), ("known: nowhere.yaml", 2)] as [(String, Int32)] {
      let (outcome, out) = try Self.qualify(folder, Self.good, plan: plan)
      #expect(outcome.status == status, "\(outcome.output) \(outcome.trouble)")
      #expect((try? FileManager.default.contentsOfDirectory(atPath: out)) ?? [] == [])
    }
  }
}
