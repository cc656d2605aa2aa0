import Foundation
import TestThreads
import Testing

@Suite(.waits) struct Replays {
  @Test func aReplayGivesTheSameVerdictsAndHashes() throws {
    let out = try TemporaryFolder()
    let run = try Tool.run(["run", "scenarios/pairing/once.yaml", "--seed", "7", "--out", out.url.path])
    #expect(run.status == 0, "\(run.trouble)")
    let replay = try Tool.run(["replay", out.url.path, "pairing-once"])
    #expect(replay.status == 0, "\(replay.trouble)")
    #expect(replay.output == "1 of 1 reproduced (verdict and hash)\n", "\(replay.trouble)")
    #expect(try Tool.run(["replay", out.url.path, "pairing-twice"]).status == 4)
  }

  @Test func aReplayPlantsEveryFaultAgain() throws {
    let out = try TemporaryFolder()
    let faults = ["--fault", "recorder:list-count-off-by-one", "--fault", "phone:skips-battery-read"]
    let run = try Tool.run(["run", "scenarios/library/removed-for-good.yaml", "--out", out.url.path] + faults)
    #expect(run.status == 1, "\(run.trouble)")
    let summary = try String(contentsOf: out.url.appending(path: "summary.json"), encoding: .utf8)
    #expect(summary.contains(#""fault": "recorder:list-count-off-by-one+phone:skips-battery-read""#))
    let replay = try Tool.run(["replay", out.url.path])
    #expect(replay.status == 0, "\(replay.trouble)")
  }

  @Test func aReplayThatDiffersIsAnInternalError() throws {
    let out = try TemporaryFolder()
    let run = try Tool.run(["run", "scenarios/pairing/once.yaml", "--out", out.url.path])
    #expect(run.status == 0, "\(run.trouble)")
    let file = out.url.appending(path: "summary.json")
    let summary = try String(contentsOf: file, encoding: .utf8)
    try summary.replacing("\"seed\": 1,", with: "\"seed\": 2,").write(to: file, atomically: true, encoding: .utf8)
    let replay = try Tool.run(["replay", out.url.path])
    #expect(replay.status == 70)
    #expect(replay.output == "0 of 1 reproduced (verdict and hash)\n")
    #expect(replay.trouble.contains("pairing-once: was passed"))
  }

  @Test func anAttemptThatIsNotTheFirstReplaysToo() throws {
    let out = try TemporaryFolder()
    let run = try Tool.run(["run", "scenarios/pairing/once.yaml", "--repeat", "2", "--out", out.url.path])
    #expect(run.status == 0, "\(run.trouble)")
    let replay = try Tool.run(["replay", out.url.path])
    #expect(replay.status == 0, "\(replay.trouble)")
    #expect(replay.output == "2 of 2 reproduced (verdict and hash)\n", "\(replay.trouble)")
  }

  @Test func uncoveredRunsReplayToo() throws {
    let out = try TemporaryFolder()
    let arguments = ["--capture", "full", "--out", out.url.path]
    #expect(try Tool.run(["run", "scenarios/pairing/once.yaml"] + arguments).status == 0)
    let replay = try Tool.run(["replay", out.url.path])
    #expect(replay.status == 0, "\(replay.trouble)")
  }
}
