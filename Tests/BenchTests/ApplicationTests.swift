import Bytes
import Foundation
import Glibc
import ScenarioLanguage
import Testing
import Timeline
import World
import YAML

@testable import Bench

@Suite struct ApplicationBench {
  private let loop = EventLoop(driver: .wall, seed: 1)
  private let waits = Waits()

  private static func read(_ text: String) -> (bench: BenchFile?, diagnostics: [Diagnostic]) {
    let top = "place: shelf\nadapters: [\"tcp-client:127.0.0.1:9001\"]\n"
    return BenchFile.read(SourceFile(path: "bench.yaml", text: top + text))
  }

  private func plan(_ hooks: String) throws -> PhonePlan {
    let (bench, problems) = Self.read("phone:\n  hooks: [\(hooks)]\n")
    return try #require(bench?.phone, "\(problems.map(\.message))")
  }

  private func perform(
    _ plan: PhonePlan, _ action: ApplicationAction, _ parameters: ApplicationParameters = ApplicationParameters(),
    operator place: OperatorPlace? = nil
  ) throws -> ApplicationAnswer {
    nonisolated(unsafe) let desk = HookDesk(plan, operator: place, on: loop, waits)
    return try loop.run { try await desk.perform(action, parameters) }
  }

  @Test func whatAHookPrintedCannotTurnTheTextAround() {
    #expect {
      _ = try HookAnswer.read("{\"\u{202E}lost\": 1}", of: "hook")
    } throws: { error in
      guard case .bench(let fault)? = error as? ControlFailure else { return false }
      return fault.problem.contains("\\u{202E}lost") && !fault.problem.contains("\u{202E}")
    }
  }

  @Test func theExampleIsABenchFile() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "bench/application.yaml")
    let file = SourceFile(path: "application.yaml", bytes: Array(try Data(contentsOf: path)))
    let bench = try #require(BenchFile.read(file).bench)
    #expect(bench.adapters.count == 2)
    #expect(bench.recorders.isEmpty)
    let phone = try #require(bench.phone)
    #expect(phone.can(.sync, isAttended: false))
    #expect(!phone.can(.pair, isAttended: false))
    // Nobody reads a library aloud.
    #expect(phone.can(.pair, isAttended: true))
    #expect(!PhonePlan().can(.library, isAttended: true))
  }

  @Test func mistakesAreTold() {
    #expect(Self.read("phone: {hooks: [{for: sync, run: [app-driver]}]}").bench == nil)
    #expect(Self.read("phone: {hooks: [{for: dance, run: [/bin/true]}]}").bench == nil)
    #expect(Self.read("").diagnostics.map(\.message) == ["the bench has no recorder"])
  }

  @Test func aHookIsToldWhatIsMeantAndItsAnswerIsTaken() throws {
    let folder = try Folder()
    let path = try folder.script(
      "driver",
      "echo \"$DICTOBENCH_ACTION $DICTOBENCH_RECORD $DICTOBENCH_RECORDER.\" > \(folder.path)/told; "
        + "echo starting; echo '{\"listed\": 7,\"downloaded\":1, \"records\": [{\"identifier\": \"0000240101120000\"}]}'"
    )
    let plan = try plan("{for: delete, run: [\(path)]}")
    var view = ApplicationView()
    (view.listed, view.downloaded) = (7, 1)
    view.records = [LibraryEntry(identifier: "0000240101120000", bytes: [])]
    #expect(try perform(plan, .delete, ApplicationParameters(record: "newest; reboot")) == .done(view))
    #expect(folder.text("told") == "delete newest; reboot .\n")
  }

  /// What it left running holds its standard output open.
  @Test func aHookThatLeavesAProgramRunningHasEnded() throws {
    let folder = try Folder()
    let path = try folder.script("driver", "sleep 60 & echo '{\"listed\": 7}'")
    var view = ApplicationView()
    view.listed = 7
    #expect(try perform(try plan("{for: sync, run: [\(path)], within: 20 s}"), .sync) == .done(view))
  }

  @Test func whatAHookSaysBadlyIsTheBenchsTrouble() throws {
    let folder = try Folder()
    func hook(_ body: String) throws -> PhonePlan {
      try plan("{for: sync, run: [\(try folder.script("hook", body))]}")
    }
    #expect(try perform(hook("echo '{\"failed\": \"battery-low\"}'"), .sync) == .failed("battery-low", ""))
    #expect(try perform(hook("exit 0"), .sync) == .done(ApplicationView()))
    for body in ["echo '{\"downloaded\": \"many\"}'", "echo '{\"praise\": 1}'", "echo '{'", "exit 3"] {
      #expect {
        _ = try perform(hook(body), .sync)
      } throws: {
        if case ControlFailure.bench = $0 { true } else { false }
      }
    }
  }

  @Test func blanksBeforeAnAnswerDoNotHideIt() throws {
    let output = "starting\n \t{\"failed\": \"battery-low\"} \n"
    #expect(try HookAnswer.read(output, of: "hook") == .failed("battery-low", ""))
  }

  @Test func aFileOfARecordIsItsContent() throws {
    let folder = try Folder()
    try Data([1, 2]).write(to: URL(filePath: "\(folder.path)/a"))
    var view = ApplicationView()
    view.records = [LibraryEntry(identifier: "0000240101120000", bytes: [1, 2])]
    #expect(try HookAnswer.read(Self.answer(naming: "\(folder.path)/a"), of: "hook") == .done(view))
  }

  /// A file that is not there, one that is a folder, and one that is too long: a hole of 17 MiB.
  @Test(arguments: [("absent", "No such file or directory"), ("", "Is a directory"), ("long", "more than 16 MiB")])
  func aFileThatCannotBeReadIsTheBenchsTrouble(_ name: String, _ reason: String) throws {
    let folder = try Folder()
    try Data().write(to: URL(filePath: "\(folder.path)/long"))
    #expect(truncate("\(folder.path)/long", 17 << 20) == 0)
    let path = "\(folder.path)/\(name)"
    #expect {
      _ = try HookAnswer.read(Self.answer(naming: path), of: "hook")
    } throws: { error in
      guard case .bench(let fault)? = error as? ControlFailure else { return false }
      return fault.problem.contains("hook names the file \(path) ") && fault.problem.contains(reason)
    }
  }

  private static func answer(naming path: String) -> String {
    "{\"records\": [{\"identifier\": \"0000240101120000\", \"file\": \"\(path)\"}]}"
  }

  @Test func withoutHookAndOperatorItIsLackingByName() throws {
    #expect(throws: ControlFailure.lacking("phone.pair")) { try perform(PhonePlan(), .pair) }
    #expect(throws: ControlFailure.lacking("phone.ask")) { try perform(PhonePlan(), .ask) }
  }

  @Test(arguments: [
    ("y", true, "y"), ("YES.", true, "YES."), ("No. ", false, "No. "), ("\nmaybe\nno, 85 %\nn", false, "n"),
  ])
  func anOperatorAnswersQuestionsByYesOrNo(lines: String, isYes: Bool, text: String) throws {
    let answer = try ask(lines, .ask)
    guard case .done(let view) = answer else { throw ControlFailure.bench(BenchFault("\(answer)")) }
    #expect(view.answer == SpokenAnswer(isYes: isYes, text: text))
  }

  @Test(arguments: ["", "maybe", "yes and no"])
  func whatIsNeitherYesNorNoIsAskedAgainUntilTheTimeIsUp(line: String) throws {
    let plan = try #require(Self.read("phone: {operator: {within: 100 ms}}\n").bench?.phone)
    #expect(
      throws: ControlFailure.bench(
        "the operator did not answer within 100 ms", advice: "start again when somebody is there")
    ) { try ask(line, .ask, plan) }
  }

  @Test func anOperatorTellsAFailureByItsWord() throws {
    #expect(try ask("already-paired it says", .pair) == .failed("already-paired", "already-paired it says"))
    #expect(try ask("done", .pair) == .done(ApplicationView()))
  }

  private func ask(
    _ line: String, _ action: ApplicationAction, _ plan: PhonePlan = PhonePlan()
  ) throws -> ApplicationAnswer {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { _ = close(end) } }
    let octets = Array((line + "\n").utf8)
    try #require(write(ends[1], octets, octets.count) == octets.count)
    var parameters = ApplicationParameters()
    parameters.question = "Does the phone show 84 %?"
    return try perform(plan, action, parameters, operator: OperatorPlace(answers: ends[0]) { _ in })
  }
}
