import Bytes
import TestThreads
import Testing

@testable import Session
@testable import dictobench

/// What people type and read.
@Suite(.waits) struct Words {
  @Test func everyLineOfAFailureIsExplained() throws {
    let failed = try Tool.run(["run", "scenarios/records/count.yaml", "--fault", "recorder:list-count-off-by-one"])
    let words = failed.output.split(separator: "\n").compactMap { line in
      try? #/^ +([a-z][a-z ]*): .+/#.firstMatch(in: line).map { String($0.output.1) }
    }
    #expect(words.contains("who"), "\(failed.output)")
    for word in Set(words).subtracting(Self.wordsOfRequirements) {
      #expect(try Tool.run(["explain"] + word.split(separator: " ").map(String.init)).status == 0, "\(word)")
    }
    #expect(try Tool.run(["explain", "failure"]).output.contains("who: "))
  }

  @Test(arguments: [
    ("loss", "a field of `given: air`"), ("bootloader-faults", "a field of `given: device`"),
    ("no-answer", "`phone: sync`"), ("found", "found, a line of a failure"), ("found", "outcome of `phone: scan`"),
    ("records seconds", "Length of each record."), ("opcode", "`fts.request`"),
    ("measuring", "a value of `transcriber`"),
  ])
  func aWordIsExplainedAtEachOfItsPlaces(word: String, text: String) throws {
    let outcome = try Tool.run(["explain", word], environment: ["COLUMNS": "400"])
    #expect(outcome.output.contains(text), "\(outcome.output)\(outcome.trouble)")
  }

  /// Words of the lines about requirements, which stand below the failures.
  private static let wordsOfRequirements: Set = ["violated", "partly shown", "not judged"]

  @Test func faultsOfOneFileAreTriedAlone() throws {
    let outcome = try Tool.run(["mutate", "scenarios/records/order.yaml"])
    #expect(outcome.status == 0, "\(outcome.trouble)\(outcome.output)")
    #expect(outcome.output.contains("noticed  recorder:list-reversed  by records-order  DEV-4"))
    #expect(outcome.output.hasSuffix("1 of 1 faults noticed\n"))
  }

  /// What fails anyway notices nothing, however many faults are planted; generated ones too.
  @Test func whatFailsWithoutAFaultNoticesNone() throws {
    let folder = try TemporaryFolder()
    let scenario = try folder.write(
      "always.yaml",
      """
      scenario: it expects what is never there
      id: always-fails
      verifies: [APP-1.2]
      given: {phone: {bonded: true}}
      steps:
        - phone: sync
          expect: {listed: 99}
      """)
    let all = try Tool.run(["mutate", scenario, "--all"])
    #expect(all.output.contains("\n0 of "), "\(all.output.suffix(300))")
    #expect(all.output.contains("by always-fails  any failure: always-fails fails without a fault\n"))
    #expect(all.trouble.contains("always-fails fails without a fault, so it notices none\n"), "\(all.trouble)")
    let generated = try Tool.run(["mutate", scenario, "--generated", "--only", "recorder"])
    #expect(generated.output.contains("MISSED"), "\(generated.trouble)")
    #expect(!generated.output.contains("  by always-fails"), "\(generated.output)")
    let table = try folder.write("faults.yaml", "- {fault: recorder:list-reversed, scenario: always-fails}\n")
    #expect(try Tool.run(["mutate", scenario, "--table", table]).status == 1)
  }

  @Test(arguments: [("90", 90), ("90s", 90), ("10m", 600), ("10 m", 600), ("10min", 600), ("2h", 7_200)])
  func minutesMayBeShort(_ text: String, _ seconds: Int) throws {
    let arguments = try ParsedArguments(["--budget", text], for: ExploreCommand.declaration)
    #expect(try arguments.duration("--budget", in: .seconds(1) ... .seconds(86_400)) == .seconds(seconds))
  }

  /// Services and outcomes have names in people's words; documents keep those of programs.
  @Test func whatIsCheckedIsToldInWords() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "out").path
    let run = try Tool.run([
      "run", "scenarios/records/order.yaml", "--fault", "phone:skips-battery-read", "--captures", "all", "--out", out,
    ])
    let sentence = "the phone used the file transfer service before it asked for the battery level"
    #expect(run.output.contains(sentence), "\(run.output)")
    let capture = out + "/captures/records-order.btsnoop"
    let check = try Tool.run(["check", capture])
    #expect(check.output.contains(sentence), "\(check.output)")
    for words in ["  not exercised\n", "  not observable: "] { #expect(check.output.contains(words)) }
    for name in ["notExercised", "notObservable"] { #expect(!check.output.contains(name)) }
    #expect(try Tool.run(["check", capture, "--format", "json"]).output.contains("notExercised"))
  }

  @Test func anEmptyListHasNoColon() {
    let notification = FTSDialogue.Notification(
      time: .zero, characteristic: BluetoothUUID(0x2A19), value: [0], meaning: .list([]))
    #expect(FTSText.line(notification).hasSuffix("  0 records"))
    let result = FTSResult(end: .complete, isAnswered: true, elapsed: .zero, count: 1, octets: 20)
    #expect(FTSText.line(result).hasSuffix("1 notification, 20 octets"))
  }

  @Test func aTopicMayBeOneWordOfTheShell() throws {
    let topic = try Tool.run(["explain", "given device"])
    #expect((topic.status, topic.output) == (0, try Tool.run(["explain", "given", "device"]).output))
  }

  /// `turning-point` takes a folder, and says which of its scenarios there are.
  @Test func aTurningPointIsLookedForInOneScenarioOfAFolder() throws {
    let folder = try TemporaryFolder()
    func search(_ options: String...) throws -> String {
      let outcome = try Tool.run(["turning-point", folder.url.path] + options)
      #expect(outcome.status == 2)
      return outcome.trouble
    }
    #expect(try search().contains("there is no scenario in \(folder.url.path)"))
    for (id, step) in [("first", "phone: connect"), ("second", "ask: Does the phone show 84 %?")] {
      _ = try folder.write(
        "\(id).yaml", "scenario: the \(id)\nid: \(id)\nverifies: [APP-1.2]\nsteps:\n  - \(step)\n")
    }
    #expect(try search().contains("choose one with --name: first, second"))
    #expect(try search("--name", "first").contains("first passes with this seed"))
    #expect(try search("--name", "frist").contains("there is no scenario frist in "))
    #expect(try search("--name", "frist").contains("; did you mean first?"))
    let blocked = try search("--name", "second")
    #expect(blocked.contains("second judged nobody"), "\(blocked)")
    #expect(blocked.contains("it is blocked: the target lacks "), "\(blocked)")
  }

  /// Each step of the conversation before a failure is decoded, and nothing is told that came after it.
  @Test func aFailureTellsWhatCameBeforeIt() throws {
    let outcome = try Tool.run([
      "run", "scenarios/update/keeps-everything.yaml", "--fault", "recorder:update-erases-records",
    ])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("recorder 0 had 3 records before the update and has 0"))
    #expect(!outcome.output.contains("hciData"))
    #expect(!outcome.output.contains("the update ends"))
    #expect(outcome.output.contains("here: recorder: owns 0 records and 1 pairing"))
    #expect(outcome.output.contains("there: recorder: owns 3 records and 1 pairing"))
  }
}
