import ScenarioLanguage
import Testing
import YAML

@testable import Runner

/// Fields that would change nothing are refused, at their place.
@Suite struct UselessFields {
  private static func problems(_ body: String) -> [Diagnostic] {
    let text = "scenario: tried\nid: try\n\(body)\n"
    return ScenarioLibrary(files: [SourceFile(path: "try.yaml", text: text)], vocabulary: Playing.vocabulary)
      .diagnostics.filter { $0.severity == .error }
  }

  /// The column of the last `part` of a line, from 1.
  private static func column(of part: String, in line: String) throws -> Int {
    let place = try #require(line.ranges(of: part).last)
    return line.distance(from: line.startIndex, to: place.lowerBound) + 1
  }

  @Test(arguments: [
    ("- phone: set-clock", "`set-clock` has nothing to do", "set-clock"),
    ("- device: {set-clock}", "`set-clock` has nothing to do", "set-clock"),
    ("- phone: {set-clock: {forward: 900 ms}}", "`900 ms` is finer than 1 s for `forward`", "900 ms"),
    ("- phone: {set-clock: {back: 1500 ms}}", "`1500 ms` is finer than 1 s for `back`", "1500 ms"),
    ("- device: {set-clock: {forward: 1 us}}", "`1 us` is finer than 1 s for `forward`", "1 us"),
    ("- device: {set-clock: {back: 61001 ms}}", "`61001 ms` is finer than 1 s for `back`", "61001 ms"),
    ("- device: {set-clock: 1999-12-31}", "`1999-12-31` is out of range for `time`", "1999"),
    ("- device: {set-clock: 2100-01-01}", "`2100-01-01` is out of range for `time`", "2100"),
    ("- phone: {update: 1.5.1, pause: 999 us}", "`999 us` is finer than 1 ms for `pause`", "999 us"),
    ("- phone: send-to-bootloader", "`send-to-bootloader` has nothing to do", "send-to-bootloader"),
    (
      "- phone: {send-to-bootloader: {package: 1.5.1, octets: \"01\"}}",
      "`send-to-bootloader` cannot have both `package` and `octets`", "octets"
    ),
    (
      "- phone: {send-to-bootloader: {octets: \"01\", part: image}}", "`part` has no effect without `package`", "part"
    ),
    (
      "- phone: {send-to-bootloader: {octets: \"01 02\", flipped: 10 KiB}}",
      "`10 KiB` lies beyond the end of `octets`", "10 KiB"
    ),
    (
      "- phone: {send-to-bootloader: {octets: \"01 02\", from: 2 B}}", "`2 B` lies beyond the end of `octets`", "2 B"
    ),
    (
      "- {phone: {update: 1.5.1, waits: false}, expect: {version: 2}}",
      "`update` has nothing to expect with `waits: false`", "{version"
    ),
    (
      "- {phone: {update: 1.5.1, waits: false}, keep: {it: version}}",
      "`update` has nothing to keep with `waits: false`", "{it"
    ),
    (
      "- {phone: {ask-bootloader: \"0C\", answers: false}, expect: {reply: \"60\"}}",
      "`ask-bootloader` has nothing to expect with `answers: false`", "{reply"
    ),
  ])
  func aFieldOfAStepThatChangesNothingIsRefused(step: String, message: String, place: String) throws {
    let problem = try #require(Self.problems("steps:\n  \(step)").first)
    #expect(problem.message == message)
    #expect(problem.location.line == 4)
    #expect(problem.location.column == (try Self.column(of: place, in: "  \(step)")))
  }

  @Test(arguments: [
    ("receipt-number: 3", "receipt"), ("receipt-delay: 9 s", "receipt"), ("answer-to: 4", "answer"),
    ("answers: 1", "answer"), ("answers-before: 1", "answer"), ("result: 3", "answer"),
    ("extended-error: 5", "answer"), ("break-at: 5", "break"),
  ])
  func moreAboutAFaultThatIsNotPlantedIsRefused(field: String, owner: String) throws {
    let line = "given: {device: {bootloader-faults: {mute: true, \(field)}}}"
    let problem = try #require(Self.problems("\(line)\nsteps:\n  - wait: 1 s").first)
    #expect(problem.message == "`\(field.prefix { $0 != ":" })` has no effect without `\(owner)`")
    #expect(problem.location.column == (try Self.column(of: field, in: line)))
  }

  @Test(arguments: [
    (
      "bootloader-faults: {set-name: 4, set-name-disconnects: true}",
      "`bootloader-faults` cannot have both `set-name` and `set-name-disconnects`"
    ),
    ("records: {count: 2, apart: 1900 ms}", "`1900 ms` is finer than 1 s for `apart`"),
    ("clock: 2100-01-01", "`2100-01-01` is out of range for `clock`"),
    ("battery: 84 %, voltage: 3.0 V", "`device` cannot have both `battery` and `voltage`"),
  ])
  func whatIsGivenIsHeldToTheSame(field: String, message: String) {
    #expect(Self.problems("given: {device: {\(field)}}\nsteps:\n  - wait: 1 s").map(\.message) == [message])
  }

  @Test(arguments: [
    ("{every: 10 ms, for: 20 ms}", "`for` is 20 ms, more than the 10 ms of `every`"),
    ("{for: 21 ms}", "`for` is 21 ms, more than the 20 ms of `every`"),
    ("{every: 9 ms}", "`for` is 10 ms, more than the 9 ms of `every`"),
  ])
  func interferenceEndsBeforeItComesAgain(fields: String, message: String) {
    let given = Self.problems("given: {air: {interference: \(fields)}}\nsteps:\n  - wait: 1 s")
    #expect(given.map(\.message) == [message])
    #expect(Self.problems("steps:\n  - air: {interfere: \(fields)}").map(\.message) == [message])
  }

  @Test(arguments: ["{every: 10 ms, for: 10 ms}", "{every: 10 ms}", "{for: 1 ms}", "{corrupted: 5 %}"])
  func interferenceMayLastForItsWholePeriod(fields: String) {
    #expect(Self.problems("steps:\n  - air: {interfere: \(fields)}").map(\.message) == [])
  }

  @Test(arguments: [
    "phone: {scan: 10 s}", "air: {lose: 5 %, for: 10 s}", "air: {break: 10 s}", "device: {press: 10 s}",
  ])
  func aLimitBelowWhatAStepTakesAnywayIsRefused(step: String) {
    let problems = Self.problems("steps:\n  - {\(step), within: 9 s}")
    #expect(problems.map(\.expected) == ["10 s or more"])
  }

  @Test(arguments: [
    "{phone: {scan: 10 s}, within: 1 s, fails: not-connected}", "{air: {black-out: 10 s}, within: 1 s}",
  ])
  func aStepThatEndsEarlierMayHaveLessTime(step: String) {
    #expect(Self.problems("steps:\n  - \(step)").filter { $0.message.contains("`within`") } == [])
  }

  @Test func boundsAndTheNearestValueAreTold() {
    let problems = Self.problems("steps: [{device: {set-clock: 2100-01-01}}, {phone: {set-clock: {back: 1900 ms}}}]")
    #expect(
      problems.compactMap(\.expected) == [
        "2000-01-01 00:00:00 to 2099-12-31 23:59:59", "a whole multiple of 1 s, such as `1000 ms` or `2000 ms`",
      ])
    #expect(problems.compactMap(\.suggestion) == ["2 s"])
  }

  @Test(arguments: [
    "- device: {set-clock: 2099-12-31 23:59:59}", "- phone: {set-clock: {forward: 0.5 h}}",
    "- phone: {send-to-bootloader: {octets: \"01 02\", from: 1 B, flipped: 1 B}}",
    "- {phone: {update: 1.5.1, waits: true}, expect: {version: 2}}", "- phone: {update: 1.5.1, waits: false}",
  ])
  func whatHasAnEffectIsTaken(step: String) {
    #expect(Self.problems("steps:\n  \(step)").map(\.message) == [])
  }

  @Test func aFaultThatIsSwitchedOffExcludesNoOther() {
    let given = "given: {device: {bootloader-faults: {set-name: 4, set-name-disconnects: false}}}"
    #expect(Self.problems("\(given)\nsteps:\n  - wait: 1 s").map(\.message) == [])
  }

  @Test(arguments: [
    (
      "- device: {set-clock: 2099-12-31 23:59:00}\n  - device: {set-clock: {forward: 1 h}}",
      "clock cannot show 2100-01-01 00:59:00"
    ),
    (
      "- device: {set-clock: 2000-01-01}\n  - device: {set-clock: {back: 1 h}}",
      "clock cannot show 1999-12-31 23:00:00"
    ),
    ("- phone: {send-to-bootloader: {octets: \"01 02\", size: 3 B}}", "octet 2 is to be sent, and the data has only 2"),
    ("- phone: {send-to-bootloader: {octets: \"\"}}", "octet 0 is to be sent, and the data has only 0"),
    (
      "- phone: {send-to-bootloader: {octets: \"01 02\", size: 1 B, flipped: 1 B}}", "octet 1 is not sent, only 0 to 0"
    ),
  ])
  func whatOnlyARunCanSeeFailsTheStep(steps: String, reason: String) throws {
    let verdict = try Playing.run("steps:\n  " + steps).verdict
    #expect(verdict.kind == .harnessError)
    #expect("\(verdict)".contains(reason), "\(verdict)")
  }

  @Test func aKeptValueThatIsTooFineFailsTheStep() throws {
    let verdict = try Playing.run(
      """
      given: {device: {records: {count: 1, seconds: 1504 ms}}, phone: {bonded: true}}
      steps:
        - phone: sync
        - {phone: {entry: newest}, keep: {long: duration}}
        - phone: {set-clock: {forward: $long}}
      """
    ).verdict
    #expect(verdict.reason?.contains("which is finer than `forward` counts") == true, "\(verdict)")
  }
}
