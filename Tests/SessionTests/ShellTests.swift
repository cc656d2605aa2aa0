import Bytes
import Runner
import ScenarioLanguage
import Session
import Testing
import Timeline
import Trace
import Verdicts
import World
import YAML

/// What a session told.
private final class Told {
  private(set) var violations: [MonitorViolation] = []
  private(set) var found: [String] = []
  private(set) var words: [String] = []

  func note(_ event: ShellEvent) {
    switch event {
    case .violated(let violation): violations.append(violation)
    case .found(let findings): found.append(findings.description)
    case .happened(let reported): words.append(reported.words)
    case .ended: break
    }
  }
}

/// A session of the shell in a simulated world.
private final class Sitting {
  let told = Told()
  let session: ShellSession

  init(_ settings: RunSettings = RunSettings()) {
    let plan = ShellSession.Plan(
      settings, DictofunVocabulary.vocabulary(requirements: ["DEV-2", "APP-1.1"]), fragments: [], sounds: NoSounds(),
      firmware: NoFirmware(), place: "lines")
    let told = told
    session = ShellSession(plan, capture: { _ in nil }, tell: { told.note($0) })
  }

  /// The outcome of a line in a word; what was wrong with a line that was not performed.
  func take(_ line: String) throws -> String {
    switch try session.take(line) {
    case .nothing: "nothing"
    case .given: "given"
    case .performed(let entry): entry.outcome?.word ?? "no step"
    case .refused(let report): report.firstText()
    case .wrong(let sentence): sentence
    case .help(let words): "help \(words)"
    case .history(let entries): entries.map(\.sentence).joined(separator: "; ")
    case .requirements(let findings): "\(findings.count)"
    case .save(_, let yaml): yaml
    case .quit: "quit"
    case .failed(let failure): "\(failure)"
    }
  }
}

@Suite struct ShellSteps {
  @Test func stepsArePerformedOnOneLink() throws {
    let sitting = Sitting()
    #expect(try sitting.take("given: {device: {records: 2}}") == "given")
    #expect(try sitting.take("phone: connect") == "passed")
    #expect(try sitting.take("phone: pair") == "passed")
    #expect(try sitting.take("phone: list, expect: {count: 2}") == "passed")
    #expect(sitting.told.found.last?.contains("count: 2") == true)
    #expect(sitting.told.words.contains { $0.hasPrefix("sends the list of files: 2 records") })
    #expect(sitting.told.violations == [])
  }

  @Test func aStepThatFailsDoesNotEndTheSession() throws {
    let sitting = Sitting()
    #expect(try sitting.take("phone: list") == "failed")
    #expect(try sitting.take("phone: connect") == "passed")
    #expect(try sitting.take("phone: {read-attribute: 3}, expect: {octets: 1}") == "failed")
    #expect(try sitting.take("phone: {read-attribute: 3}, expect: {octets: 13}") == "passed")
  }

  @Test func aLineThatIsRefusedLeavesNothingBehind() throws {
    let sitting = Sitting()
    let text = try sitting.take("phone: conect, keep: {a: b}")
    #expect(text.hasPrefix("lines:1:8: error: "))
    #expect(text.contains("\n  1 | phone: conect, keep: {a: b}\n"))
    #expect(text.contains("did you mean `connect`?"))
    #expect(try sitting.take("phone: connect") == "passed")
    #expect(try sitting.take("phone: {press: 2 s").hasPrefix("lines:3:19: error: "))
    let colons = try sitting.take("phone: wait: 1 s")
    #expect(colons.hasPrefix("lines:4:12: error: "))
    #expect(!colons.contains("note:"), "nobody wrote the braces around the line")
    #expect(try sitting.take("history") == "phone: connect")
  }

  @Test func whatALineKeepsLaterLinesMayUse() throws {
    let sitting = Sitting()
    _ = try sitting.take("given: {device: {records: 1}, phone: {bonded: true}}")
    #expect(try sitting.take("phone: connect") == "passed")
    #expect(try sitting.take("phone: {inform: newest}, keep: {announced: size}") == "passed")
    #expect(try sitting.take("phone: {download: newest}, expect: {size: $announced}") == "passed")
    #expect(try sitting.take("phone: {download: newest}, expect: {size: $unknown}").contains("unknown"))
  }

  @Test func theWorldIsStatedBeforeTheFirstStep() throws {
    let sitting = Sitting()
    #expect(try sitting.take("wait: 1 s") == "passed")
    #expect(try sitting.take("given: {device: {records: 1}}").contains("`given` after a step"))
  }

  @Test func aViolationIsToldOnceAndTheSessionGoesOn() throws {
    var settings = RunSettings()
    settings.faults = [try #require(PlantedFault("recorder:list-count-off-by-one"))]
    let sitting = Sitting(settings)
    for line in ["phone: connect", "phone: pair", "phone: list", "wait: 30 s"] { _ = try sitting.take(line) }
    let told = sitting.told.violations
    #expect(told.map(\.requirement) == ["DEV-6"])
    #expect(try sitting.take("wait: 1 s") == "passed")
    #expect(sitting.told.violations == told)
  }

  @Test func theSameLinesAndSeedGiveTheSameTrace() throws {
    func hash(_ seed: UInt64, pausing: Bool = false) throws -> TraceHash? {
      var settings = RunSettings()
      settings.seed = seed
      let sitting = Sitting(settings)
      for line in ["phone: connect", "phone: pair", "device: {press: 2 s}", "phone: sync"] {
        if pausing { _ = try sitting.take("requirements") }
        _ = try sitting.take(line)
      }
      return sitting.session.finish()?.hash
    }
    let first = try #require(try hash(1))
    #expect(try hash(1) == first)
    #expect(try hash(1, pausing: true) == first)
    #expect(try hash(2) != first)
  }

  @Test func anInterruptEndsTheStepAndNotTheSession() throws {
    let sitting = Sitting()
    _ = try sitting.take("phone: connect")
    let interruption = RunInterruption()
    interruption.request()
    guard case .performed(let entry) = try sitting.session.take("wait: 300 s", interruption) else {
      Issue.record("the line was not performed")
      return
    }
    #expect(entry.outcome == .benchError("interrupted in `wait: 300 s`"))
    #expect(entry.reports.map(\.ended) == entry.reports.map(\.began), "nothing happens before it ends")
    #expect(try sitting.take("wait: 1 s") == "passed")
  }
}

@Suite struct ShellLines {
  @Test(arguments: [
    ("", ShellLine.nothing), ("  # a remark", .nothing), ("help phone sync", .help(["phone", "sync"])),
    ("help phone: sync", .help(["phone", "sync"])), ("save a.yaml", .save("a.yaml")), ("exit", .quit),
    ("- phone: sync", .language("  phone: sync")), ("read 0x0010", .language("phone: {read-attribute: 16}")),
    ("write 16 01 ff", .language("phone: {write-attribute: {handle: 16, value: \"01ff\"}}")),
    ("fts list", .language("phone: list")), ("fts data newest", .language("phone: {download: newest}")),
    ("fts info 0000240131120000", .language("phone: {inform: \"0000240131120000\"}")),
    ("fts raw 05", .language("phone: {write-control-point: \"05\"}")),
    ("read 0", .wrong("a handle is a number from 1 to 65535, such as 16 or 0x0010, not 0")),
    ("write 16 0g", .wrong("octets are written in hexadecimal, such as 01 ff, not 0g")),
    ("fts lst", .wrong("fts has no request lst; did you mean list?; expected list, info, data, status or raw")),
    ("hlep", .wrong("unknown word `hlep`; did you mean `help`?")),
    ("save", .wrong("`save` was not understood; expected save FILE")), ("history: 3", .language("history: 3")),
  ])
  func aLineIsAStepOrAWordOfTheShell(line: String, expected: ShellLine) { #expect(ShellLine(line) == expected) }
}

@Suite struct ShellDrafts {
  private static let lines = [
    "given: {device: {records: 1}}", "phone: connect", "phone: pair", "phone: list, expect: {count: 3}",
    "phone: list, keep: {listed: count}", "eventually: {link: down}, within: 6 s, shows: DEV-2",
  ]

  @Test func theLanguageAcceptsTheDraftOfASession() throws {
    let sitting = Sitting()
    for line in Self.lines { _ = try sitting.take(line) }
    let yaml = try sitting.take("save out/My draft.2.yaml")
    let vocabulary = DictofunVocabulary.vocabulary(requirements: ["DEV-2", "APP-1.1"])
    let library = ScenarioLibrary(files: [SourceFile(path: "d.yaml", text: yaml)], vocabulary: vocabulary)
    #expect(!library.hasErrors, "\(library.report.text())")
    let scenario = try #require(library.scenarios.first)
    #expect(scenario.id == "my-draft")
    #expect(scenario.requirements.contains("DEV-2"))
    #expect(scenario.steps.map(\.sentence).first == "phone: connect")
    #expect(scenario.steps.count == 5)
    #expect(yaml.contains("  # In the shell this did not pass: count: expected 3, found 1\n  - phone: list\n"))
    #expect(yaml.contains("\ngiven: {device: {records: 1}}\n"))
  }
}

@Suite struct ShellCompletions {
  private static let completion = ShellCompletion(DictofunVocabulary.vocabulary(requirements: []))

  @Test(arguments: [
    ("pho", "ne: "), ("phone: conn", "ect"), ("phone: {read-att", "ribute"), ("phone: {write-attribute: {h", "andle: "),
    ("phone: {write-attribute: {handle: 3, v", "alue: "), ("phone: {listen: newest, u", "ntil: "),
    ("phone: {listen: n", "ewest"), ("phone: sync, e", "xpect: "), ("phone: list, expect: {c", "ount: "),
    ("phone: list, expect: {count: {at-l", "east: "), ("phone: list, fails: not-c", "onnected"),
    ("phone: {read-attribute: 3}, expect: {v", "alue: "), ("phone: {read-attribute: 3}, fails: {ref", "used"),
    ("eventually: lin", "k"), ("eventually: {link: d", "own"), ("eventually: {link: down}, wi", "thin: "),
    ("either: [phone.sto", "red"), ("given: {dev", "ice"), ("given: {device: {rec", "ords: "),
    ("given: {device: {power: \"of", "f\""), ("never: paired, while: [{phone: disc", "o"), ("rea", "d "), ("hel", "p "),
    ("fts li", "st "), ("help phone sy", "nc"), ("nonsense", ""), ("phone: {nonsense: {x", ""), ("", ""), ("}}]", ""),
    ("{[,:", ""), ("phone: \"con", ""), ("device: {inspect", ""),
  ])
  func tabCompletesWhatMayStandThere(line: String, addition: String) {
    #expect(Self.completion.proposal(for: line).addition == addition)
  }

  @Test func severalWordsAreShown() {
    let proposal = Self.completion.proposal(for: "phone: dis")
    #expect(proposal.choices == ["disconnect", "discover-attributes"])
    #expect(proposal.addition == "co")
    #expect(Self.completion.proposal(for: "phone: list, expect: {count: 1, ").choices == ["first", "last"])
    #expect(Self.completion.proposal(for: "").choices.contains("history"))
    #expect(Self.completion.proposal(for: "").choices.contains("either"))
  }

  /// Whatever is typed, and wherever the cursor stands, nothing traps.
  @Test func everyBeginningOfAStepIsCompleted() {
    let line = "phone: {write-attribute: {handle: 3, value: \"41\"}}, expect: {a: [b, {c: d}]}, fails: {refused: 5}"
    for count in 0...line.count { _ = Self.completion.proposal(for: String(line.prefix(count))) }
    for count in 0...line.count { _ = Self.completion.proposal(for: String(line.suffix(count))) }
  }
}
