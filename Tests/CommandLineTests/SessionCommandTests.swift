import Foundation
import TestThreads
import Testing

/// Bench sessions, with the built tool. `ci/ledger` performs the kills on a server, too.
@Suite(.waits) struct SessionCommands {
  private static func session(_ words: String..., ledger: String) throws -> Tool.Outcome {
    try Tool.run(["session"] + words, environment: ["DICTOBENCH_LEDGER": ledger, "USER": "grace"])
  }

  @Test func aSessionIsKeptFromStartToEnd() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.url.path + "/lab.sqlite"
    let started = try Self.session("start", "--bench", "bench/simulated.yaml", "--operator", "Ada", ledger: ledger)
    #expect(started.status == 0, "\(started.trouble)")
    #expect(started.output.hasPrefix("session simulated-1 of Ada on simulated, running\n"), "\(started.output)")
    #expect(try Self.session("start", "--session", "mine", ledger: ledger).status == 0)
    let run = try Tool.run([
      "run", "scenarios/records/count.yaml", "scenarios/recording/spoken-note.yaml", "--ledger", ledger, "--session",
      "mine",
    ])
    #expect(run.status == 0, "\(run.trouble)")
    #expect(run.trouble.contains("this run counts for the bench session mine of grace"), "\(run.trouble)")
    for action in ["pause", "resume", "end"] {
      #expect(try Self.session(action, "--session", "mine", ledger: ledger).status == 0)
    }
    let shown = try Self.session("show", "--session", "mine", "--format", "json", ledger: ledger)
    #expect(shown.output.contains(#""session":"mine","operator":"grace","bench":null"#), "\(shown.output)")
    #expect(shown.output.contains(#""state":"ended","runs":1"#), "\(shown.output)")
    #expect(!shown.output.contains(#""recordingSeconds":0.000000"#), "\(shown.output)")
    let list = try Self.session("list", ledger: ledger).output
    #expect(list.contains("session simulated-1 of Ada on simulated  running"), "\(list)")
    #expect(list.contains("totals:\n  Ada  1 session  session "), "\(list)")
    #expect(list.contains("\n  grace  1 session  session "), "\(list)")
    let one = try Self.session("list", "--operator", "Ada", "--format", "json", ledger: ledger).output
    #expect(one.contains(#""operators":[{"operator":"Ada","sessions":1"#), "\(one)")
    #expect(!one.contains("grace"))
  }

  @Test func mistakesAreOneSentence() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.url.path + "/lab.sqlite"
    _ = try Self.session("start", "--session", "mine", ledger: ledger)
    _ = try Self.session("pause", ledger: ledger)
    let mistakes: [(words: [String], complaint: String)] = [
      (["session"], "session needs an action: start, pause, resume, end, show, list"),
      (["session", "strat"], "unknown action strat; did you mean start?"),
      (["session", "list"], "a ledger is needed: --ledger URL, or the variable DICTOBENCH_LEDGER"),
      (["session", "pause", "--ledger", folder.url.path + "/none"], "cannot open the ledger"),
      (["session", "pause", "--ledger", ledger], "the bench session mine of grace cannot pause: it is paused"),
      (
        ["session", "end", "--session", "mime", "--ledger", ledger],
        "no bench session is named mime; did you mean mine?"
      ),
      (
        ["run", "scenarios/pairing/unpair.yaml", "--session", "mine", "--ledger", ledger],
        "the bench session mine of grace cannot take a run: it is paused"
      ), (["run", "scenarios/pairing/unpair.yaml", "--session", "mine"], "--session needs --ledger"),
    ]
    for (words, complaint) in mistakes {
      let outcome = try Tool.run(words)
      #expect(outcome.status == 2, "\(words)")
      #expect(outcome.trouble.contains(complaint), "\(outcome.trouble)")
      #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
    }
  }
}
