import Foundation
import Testing

@Suite struct Replays {
  @Test func aReplayGivesTheSameVerdictsAndHashes() throws {
    let out = try TemporaryFolder()
    let run = try Tool.run(["run", "scenarios/pairing/once.yaml", "--seed", "7", "--out", out.url.path])
    #expect(run.status == 0, "\(run.trouble)")
    let replay = try Tool.run(["replay", out.url.path, "pairing-once"])
    #expect(replay.status == 0, "\(replay.trouble)")
    #expect(replay.output == "1 of 1 reproduced (verdict and hash)\n")
    #expect(try Tool.run(["replay", out.url.path, "pairing-twice"]).status == 4)
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
    #expect(replay.output == "2 of 2 reproduced (verdict and hash)\n")
  }

  @Test func uncoveredRunsReplayToo() throws {
    let out = try TemporaryFolder()
    let arguments = ["--capture", "full", "--out", out.url.path]
    #expect(try Tool.run(["run", "scenarios/pairing/once.yaml"] + arguments).status == 0)
    let replay = try Tool.run(["replay", out.url.path])
    #expect(replay.status == 0, "\(replay.trouble)")
  }

  @Test(
    arguments: [
      ("\"repetition\": 0", "\"repetition\": 9223372036854775807", "scenarios[0].repetition: expected a whole number"),
      ("\"profile\": \"reference\"", "\"profile\": \"\\u001b[2Jx\"", "unknown profile \"\\u{1B}[2Jx\""),
      ("\"fault\": null", "\"fault\": \"recorder:\\u001b\"", "unknown fault \"recorder:\\u{1B}\""),
      ("\"file\": \"scenarios/pairing/once.yaml\"", "\"file\": \"/dev/zero\"", "\"/dev/zero\", which is not a file"),
      ("\"file\": \"scenarios/pairing/once.yaml\"", "\"file\": \"\\u001b\"", "\"\\u{1B}\", which is not a file"),
      ("\"schemaVersion\": 2", "\"schemaVersion\": 1", "is not a summary of this version"),
      ("{", "[", "is not a summary of this version: the file is not valid JSON"),
    ]) func aForgedSummaryIsRefused(original: String, forged: String, words: String) throws
  {
    let out = try TemporaryFolder()
    #expect(try Tool.run(["run", "scenarios/pairing/once.yaml", "--out", out.url.path]).status == 0)
    let file = out.url.appending(path: "summary.json")
    let summary = try String(contentsOf: file, encoding: .utf8)
    try #require(summary.contains(original))
    try summary.replacing(original, with: forged).write(to: file, atomically: true, encoding: .utf8)
    let replay = try Tool.run(["replay", out.url.path])
    #expect(replay.status == 2, "\(replay.trouble)")
    #expect(replay.trouble.contains(words), "\(replay.trouble)")
    #expect(!replay.trouble.contains("\u{1B}"))
  }
}
