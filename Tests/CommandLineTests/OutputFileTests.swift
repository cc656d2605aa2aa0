import Foundation
import TestThreads
import Testing

/// Places for results are tried before the work, so that nothing is lost because there is nowhere to keep it.
@Suite(.waits) struct ResultPlaces {
  @Test(arguments: [
    ["explore", "--runs", "8", "--published", "identifiers", "--out", "FILE"],
    ["explore", "--runs", "8", "--published", "identifiers", "--out", "/proc/self/x"],
    ["prove", "--disturbances", "0", "--out", "FILE/certificate"],
    ["prove", "--disturbances", "0", "--scenario", "/nowhere/x.yaml"],
    ["run", "scenarios/records/order.yaml", "--air", "/nowhere/x.pcap"],
    ["check", "CAPTURE", "--recordings", "FILE"],
    ["merge", "OUT", "--out", "FILE"],
    ["pull", "--controller", "tcp-client:127.0.0.1:9", "--out", "FILE"],
    ["probe", "--controller", "tcp-client:127.0.0.1:9", "--out", "/nowhere/x"],
    ["shell", "--script", "FILE", "--record", "/nowhere/x"],
    ["dfu", "keys", "--out", "/nowhere/key.pem"],
  ]) func areTriedBeforeTheWork(_ words: [String]) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", "")
    let out = folder.url.appending(path: "out").path
    if words.contains("CAPTURE") || words.contains("OUT") {
      _ = try Tool.run(["run", "scenarios/records/order.yaml", "--captures", "all", "--out", out])
    }
    let places = [
      "FILE": file, "FILE/certificate": file + "/certificate", "OUT": out,
      "CAPTURE": out + "/captures/records-order.btsnoop",
    ]
    let outcome = try Tool.run(words.map { places[$0] ?? $0 })
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.output.isEmpty, "\(outcome.output)")
    #expect(outcome.trouble.hasPrefix("dictobench: cannot "), "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
  }

  @Test func aKeyThatCannotBeKeptTellsWhy() throws {
    let outcome = try Tool.run(["dfu", "keys", "--out", "/nowhere/key.pem"])
    #expect(outcome.trouble.hasSuffix("/nowhere/key.pem: No such file or directory\n"), "\(outcome.trouble)")
  }

  @Test(arguments: [["run", "--out", ""], ["battery", "--state", ""], ["probe", "--out="]])
  func anEmptyNameIsNone(_ words: [String]) throws {
    let outcome = try Tool.run(words)
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("needs the name of a "), "\(outcome.trouble)")
  }
}
