import Evidence
import Foundation
import SecureDFU
import Session
import TestThreads
import Testing

@testable import dictobench

/// Bundles with what a ledger holds of their run, for simulated cells, images and benches.
@Suite(.waits) struct LedgerEvidence {
  /// Runs scenarios into a ledger, and makes a bundle of run and ledger.
  private static func bundle(_ arguments: [String], _ more: [String] = [], in folder: TemporaryFolder) throws {
    let ledger = ["--ledger", folder.url.path + "/lab.sqlite"]
    let out = try EvidenceCommands.run(arguments + ledger, in: folder)
    let bundle = try EvidenceCommands.bundle(out, in: folder, ledger + more)
    #expect(bundle.status == 0, "\(bundle.trouble)")
    #expect(bundle.output.contains("verdicts are in the ledger as reported"), "\(bundle.output)")
  }

  @Test func noOctetOfTheExtractCanChange() throws {
    let folder = try TemporaryFolder()
    try Self.bundle(["scenarios/pairing/once.yaml", "--retries", "1"], in: folder)
    let verified = try EvidenceCommands.verify(folder)
    #expect(verified.status == 0, "\(verified.trouble)")
    #expect(verified.output.contains("verdicts are in the ledger as reported"), "\(verified.output)")
    let evidence = folder.url.appending(path: "evidence").path
    let key = try KeyFile.publicKey(
      String(contentsOf: folder.url.appending(path: "public.pem"), encoding: .utf8))
    let file = URL(filePath: evidence + "/run/ledger.jsonl")
    let original = Array(try Data(contentsOf: file))
    let extract = try LedgerExtract(document: original)
    var (accepted, equal) = ([Int](), [Int]())
    for index in original.indices {
      var changed = original
      changed[index] ^= UInt8(1 << (index % 8))
      try Data(changed).write(to: file)
      if (try? EvidenceBundle(evidence, signedBy: key)) != nil { accepted.append(index) }
      if let read = try? LedgerExtract(document: changed), read == extract { equal.append(index) }
    }
    #expect(accepted == [])
    #expect(equal == [])
    #expect(original.count > 1_000)
    try Data(original).write(to: file)
    #expect(throws: Never.self) { try EvidenceBundle(evidence, signedBy: key) }
  }

  /// The ledger knows of the attempt that failed, so a report without it is not signed.
  @Test func whatTheLedgerKnowsCannotBeLeftOut() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.url.path + "/lab.sqlite"
    let fault = ["scenarios/pairing/once.yaml", "--fault", "recorder:list-reversed"]
    let other = try Tool.run(["run", "scenarios/records/count.yaml", "--ledger", ledger, "--run-id", "other"])
    #expect(other.status == 0)
    let out = try EvidenceCommands.run(fault + ["--ledger", ledger, "--run-id", "mine"], in: folder)
    func complaint(_ more: [String]) throws -> String {
      let outcome = try EvidenceCommands.bundle(out, in: folder, more)
      #expect(outcome.status != 0, "\(outcome.output)")
      #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "evidence").path))
      return outcome.trouble
    }
    #expect(try complaint(["--ledger", ledger]).contains("the ledger holds no run, or several; name those"))
    #expect(try complaint(["--ledger", ledger, "--run-id", "nine"]).contains("the ledger holds no run nine"))
    #expect(try complaint(["--run-id", "mine"]).contains("--run-id needs --ledger"))
    #expect(try complaint(["--ledger", folder.url.path + "/none"]).contains("cannot open the ledger"))
    let refuted = try complaint(["--ledger", ledger, "--run-id", "other"])
    #expect(refuted.contains("refuted: the ledger's run other has the firmware profile:reference, the report"))
    #expect(refuted.contains("the ledger holds a verdict that the report leaves out"), "\(refuted)")
    #expect(try EvidenceCommands.bundle(out, in: folder, ["--ledger", ledger, "--run-id", "mine"]).status == 0)
  }

  @Test func aRunOfAnImageIsEvidence() throws {
    let folder = try TemporaryFolder()
    func image(_ name: String) -> [String] {
      ["--image", Tool.repository.appending(path: "firmware-images/guests/built/\(name)").path]
    }
    let scenarios = ["scenarios/discovery/after-boot.yaml", "scenarios/discovery/nothing-in-sight.yaml"]
    try Self.bundle(
      scenarios + ["--target", "image"] + image("recorder-s140.elf"), image("recorder-s140.elf"), in: folder)
    let verified = try EvidenceCommands.verify(folder, image("recorder-s140.elf"))
    #expect(verified.status == 0, "\(verified.trouble)")
    #expect(verified.output.contains("scenarios ran again: same verdicts, same hashes"), "\(verified.output)")
    #expect(verified.output.contains("accepted: PASSED, "), "\(verified.output)")
    let without = try EvidenceCommands.verify(folder)
    #expect(without.status == 5, "\(without.trouble)")
    #expect(without.output.contains("not run again: name the image with --image"), "\(without.output)")
    #expect(without.output.contains("accepted as far as it was checked: PASSED, "), "\(without.output)")
    let other = try EvidenceCommands.verify(folder, image("recorder-s132.elf"))
    #expect(other.status == 2)
    #expect(other.trouble.contains("is not the image of the run"), "\(other.trouble)")
  }

  @Test func aRunOnABenchIsEvidence() throws {
    let folder = try TemporaryFolder()
    let bench = try Benches.benchFile(folder.url)
    let simulator = try Tool.start(["simulate", "--bench", bench], until: "ready")
    defer { simulator.terminate() }
    try Self.bundle(
      ["scenarios/discovery/nothing-in-sight.yaml", "--target", "hardware", "--bench", bench], in: folder)
    let verified = try EvidenceCommands.verify(folder)
    #expect(verified.status == 0, "\(verified.output) \(verified.trouble)")
    #expect(verified.output.contains("1 captures were judged again and agree"), "\(verified.output)")
    #expect(
      verified.output.hasSuffix("accepted: PASSED, 1 passed, 0 warned, 0 failed, hardware\n"), "\(verified.output)")
  }
}
