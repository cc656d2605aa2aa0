import Foundation
import TestThreads
import Testing

/// What becomes of results that cannot be written, and of files without an end.
@Suite(.waits) struct Limits {
  @Test(arguments: [
    ["schema"], ["schema", "pull"], ["list"], ["explain", "never"], ["list", "--faults"], ["dissector"],
  ])
  func aFullDeviceIsNotAPass(words: [String]) throws {
    let shell = ["/bin/sh", "-c", "exec \"$0\" \"$@\" > /dev/full"]
    let outcome = try Tool.run(words, within: shell)
    #expect(outcome.status == 3)
    #expect(outcome.trouble.hasSuffix("cannot write the result: No space left on device\n"), "\(outcome.trouble)")
  }

  /// A report that cannot be written at the end hides nothing of what was found, and nothing passes then.
  @Test(arguments: [([], 3), (["--fault", "recorder:list-count-off-by-one"], 1)] as [([String], Int32)])
  func aSummaryThatCannotBeWrittenIsTold(words: [String], status: Int32) throws {
    let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "/nowhere/summary"]
    let outcome = try Tool.run(["run", "scenarios/records/count.yaml"] + words, environment: environment)
    #expect(outcome.status == status, "\(outcome.trouble)")
    #expect(outcome.trouble.contains("dictobench: cannot "), "\(outcome.trouble)")
    #expect(outcome.trouble.contains("/nowhere/summary"), "\(outcome.trouble)")
    #expect(!outcome.trouble.contains("internal error"), "\(outcome.trouble)")
  }

  @Test func aReaderThatWentAwayIsNoTrouble() throws {
    let shell = ["/bin/bash", "-c", "\"$0\" \"$@\" | head -c 1 > /dev/null; exit ${PIPESTATUS[0]}"]
    #expect(try Tool.run(["schema"], within: shell).status == 0)
  }

  @Test(arguments: [
    (["check"], "/dev/zero: not a capture"), (["dfu", "inspect"], "/dev/zero is larger than 256 MiB"),
  ])
  func aFileWithoutAnEndIsRefused(words: [String], reason: String) throws {
    let outcome = try Tool.run(words + ["/dev/zero"])
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains(reason), "\(outcome.trouble)")
  }

  @Test func aHomeThatIsNoFolderIsTheBenchs() throws {
    let words = ["pair", "--controller", "tcp-client:127.0.0.1:1"]
    let outcome = try Tool.run(words, environment: ["HOME": "/dev/null"])
    #expect(outcome.status == 3)
    #expect(!outcome.trouble.contains("Error Domain"), "\(outcome.trouble)")
  }

  /// A capture that was cut off, or in which nothing happens, proves nothing.
  @Test func aCaptureThatShowsNothingDoesNotPass() throws {
    let folder = try TemporaryFolder()
    let empty = folder.url.appending(path: "empty.btsnoop")
    try Data("btsnoop\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{7}\u{D1}".unicodeScalars.map { UInt8($0.value) }).write(
      to: empty)
    let nothing = try Tool.run(["check", empty.path])
    #expect(nothing.status == 4)
    #expect(nothing.output.hasPrefix("NOTHING SHOWN"), "\(nothing.output)")
    let out = folder.url.appending(path: "out").path
    _ = try Tool.run(["run", "scenarios/records/order.yaml", "--captures", "all", "--out", out])
    let whole = try Data(contentsOf: URL(filePath: out + "/captures/records-order.btsnoop"))
    let cut = folder.url.appending(path: "cut.btsnoop")
    try whole.dropLast(3).write(to: cut)
    let broken = try Tool.run(["check", cut.path, "--format", "json"])
    #expect(broken.status == 3)
    #expect(broken.output.contains("\"verdict\": \"broken\"") || broken.output.contains("\"verdict\":\"broken\""))
  }
}
