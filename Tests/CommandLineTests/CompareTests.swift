import Foundation
import TestThreads
import Testing

/// `compare`, and runs that are compared while they go on.
@Suite(.waits) struct Comparing {
  @Test func runsAndCapturesAreCompared() throws {
    let folder = try TemporaryFolder()
    let (good, bad) = (folder.url.appending(path: "good").path, folder.url.appending(path: "bad").path)
    let scenario = "scenarios/records/order.yaml"
    #expect(try Tool.run(["run", scenario, "--captures", "all", "--out", good]).status == 0)
    let failed = try Tool.run(["run", scenario, "--fault", "recorder:list-count-off-by-one", "--out", bad])
    #expect(failed.status == 1)
    #expect(failed.output.contains("open: the list announced 4 records, 3 were sent"))

    let same = try Tool.run(["compare", good, good])
    #expect((same.status, same.output.hasPrefix("SAME  ")) == (0, true))
    let different = try Tool.run(["compare", bad, good])
    #expect(different.status == 1)
    #expect(different.output.contains("verdict: failed here, passed there"))
    #expect(different.output.contains("here: recorder → phone: sends a part of the list: 4 records announced"))

    let captures = [bad, good].map { $0 + "/captures/records-order.btsnoop" }
    let packets = try Tool.run(["compare"] + captures)
    #expect(packets.status == 1)
    #expect(packets.output.contains("there: recorder → phone: sends the list of files: 3 records"))
    #expect(try Tool.run(["check", captures[0]]).output.contains("open: the list announced 4 records, 3 were sent"))

    let json = try Tool.run(["compare", "--format", "json", bad, good])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["same"] as? Int == 0)

    let baseline = try Tool.run(["run", scenario, "--baseline", good])
    #expect(baseline.output.contains("baseline: every scenario runs as in "))
  }

  /// The run with which it is compared may lie in the very folder into which a run writes.
  @Test func aRunReplacesTheReportsOfTheOneBefore() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "out").path
    let words = ["run", "scenarios/records/order.yaml", "--out", out]
    #expect(try Tool.run(words).status == 0)
    let reports = ["events.ndjson", "junit.xml", "summary.json"]
    let refused = try Tool.run(words + ["--baseline", out, "--ledger", "/nowhere/lab.sqlite"])
    #expect(refused.status == 2)
    for name in reports { #expect(FileManager.default.fileExists(atPath: "\(out)/\(name)"), "\(name) was lost") }
    let again = try Tool.run(words + ["--baseline", out, "--report", "console"])
    #expect(again.output.contains("baseline: every scenario runs as in \(out)"), "\(again.output)\(again.trouble)")
    for name in reports { #expect(!FileManager.default.fileExists(atPath: "\(out)/\(name)"), "\(name) is stale") }
  }

  /// Equal as far as they go is not the same.
  @Test func whatCannotBeReadOfACaptureIsNamed() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "out").path
    _ = try Tool.run(["run", "scenarios/records/order.yaml", "--captures", "all", "--out", out])
    let whole = try Data(contentsOf: URL(filePath: out + "/captures/records-order.btsnoop"))
    let cut = folder.url.appending(path: "cut.btsnoop")
    try whole.dropLast(whole.count / 2 + 3).write(to: cut)
    let same = try Tool.run(["compare", cut.path, cut.path])
    #expect(same.status == 3)
    #expect(same.output.contains("as far as they can be read"))
    #expect(same.output.contains("not compared: \(cut.path): what follows on a damaged record"))
    let empty = folder.url.appending(path: "empty.btsnoop")
    try whole.prefix(16).write(to: empty)
    for other in [empty.path, out + "/captures/records-order.btsnoop"] {
      let none = try Tool.run(["compare", other, empty.path])
      #expect(none.status == 2)
      #expect(none.trouble.contains("no host is in both"))
    }
  }

  @Test func whatCannotBeComparedIsRefused() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.btsnoop", "btsnoop\u{0}")
    for words in [[file], [file, folder.url.path], [file, file], [folder.url.path, folder.url.path], ["no", "no"]] {
      #expect(try Tool.run(["compare"] + words).status == 2, "\(words)")
    }
  }

  /// One mistake that stops everything is one cause.
  @Test func aRecorderThatNeverAdvertisesIsOneCause() throws {
    let outcome = try Tool.run(["run", "--tag", "smoke", "--fault", "recorder:never-advertises"])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\n  1 cause, "))
    #expect(outcome.output.components(separatedBy: "\nfailed: ").count == 2)
    #expect(outcome.output.contains("there: recorder: begins to advertise, every "))
    #expect(outcome.trouble.split(separator: "\n").count < 12, "\(outcome.trouble)")
  }
}
