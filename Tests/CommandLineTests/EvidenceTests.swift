import Bytes
import Crypto
import Evidence
import Foundation
import SecureDFU
import TestThreads
import Testing

@testable import Reports
@testable import Verdicts
@testable import dictobench

@Suite(.waits) struct EvidenceCommands {
  private static let scalar = [UInt8](1...32)

  /// Runs scenarios, and writes a pair of keys beside the reports. Returns the folder of reports.
  static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> String {
    let out = folder.url.appending(path: "out").path
    _ = try Tool.run(["run"] + arguments + ["--captures", "all", "--out", out])
    _ = try folder.write("key.pem", KeyFile.pem(scalar: scalar))
    _ = try folder.write("public.pem", KeyFile.pem(P256PrivateKey(scalar: scalar).publicKey))
    return out
  }

  static func bundle(_ out: String, in folder: TemporaryFolder, _ more: [String] = []) throws -> Tool.Outcome {
    let (key, evidence) = (folder.url.appending(path: "key.pem").path, folder.url.appending(path: "evidence").path)
    return try Tool.run(["bundle", out, "--key", key, "--out", evidence] + more)
  }

  static func verify(_ folder: TemporaryFolder, _ more: [String] = []) throws -> Tool.Outcome {
    let (key, evidence) = (folder.url.appending(path: "public.pem").path, folder.url.appending(path: "evidence").path)
    // From a folder without scenarios, so that nothing but the bundle can be read.
    return try Tool.run(["verify", evidence, "--key", key] + more, within: ["/usr/bin/env", "-C", folder.url.path])
  }

  @Test func aRunBecomesEvidenceThatVerifies() throws {
    let folder = try TemporaryFolder()
    let files = ["scenarios/records/count.yaml", "scenarios/recording/spoken-note.yaml"]
    let bundle = try Self.bundle(try Self.run(files, in: folder), in: folder)
    #expect(bundle.status == 0, "\(bundle.trouble)")
    let verified = try Self.verify(folder)
    #expect(verified.status == 0, "\(verified.trouble)")
    #expect(verified.output.contains("scenarios ran again: same verdicts, same hashes"))
    #expect(verified.output.contains("accepted: PASSED, "), "\(verified.output)")
  }

  @Test func aFailedRunIsEvidenceToo() throws {
    let folder = try TemporaryFolder()
    let arguments = ["scenarios/records/count.yaml", "--fault", "recorder:list-count-off-by-one"]
    let bundle = try Self.bundle(try Self.run(arguments, in: folder), in: folder)
    #expect(bundle.status == 0, "\(bundle.trouble)")
    let verified = try Self.verify(folder)
    #expect(verified.status == 0, "\(verified.trouble)")
    #expect(verified.output.contains("accepted: FAILED, 0 passed"), "\(verified.output)")
  }

  @Test func whatDoesNotHoldIsNotSigned() throws {
    let folder = try TemporaryFolder()
    let out = try Self.run(["scenarios/pairing/once.yaml"], in: folder)
    let summary = URL(filePath: out + "/summary.json")
    let text = try String(contentsOf: summary, encoding: .utf8)
    try text.replacing("\"seed\": 1,", with: "\"seed\": 2,").write(to: summary, atomically: true, encoding: .utf8)
    let bundle = try Self.bundle(out, in: folder)
    #expect(bundle.status == 70)
    #expect(bundle.trouble.contains("refuted: pairing-once: was passed"))
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "evidence").path))
  }

  /// Neither the attempts of a scenario nor its verdict can be changed alone.
  @Test func aFailureThatIsCalledPassedIsNotSigned() throws {
    let folder = try TemporaryFolder()
    let fault = ["scenarios/records/count.yaml", "--fault", "recorder:list-count-off-by-one"]
    let out = try Self.run(fault, in: folder)
    var run = try RunReport(summaryIn: out)
    run.scenarios[0].verdict = .passed
    try Data(run.summaryDocument).write(to: URL(filePath: out + "/summary.json"))
    let bundle = try Self.bundle(out, in: folder)
    #expect(bundle.status == 70)
    let sentence = "records-count[records=0]: is recorded as passed, but its attempts (failed) come to failed"
    #expect(bundle.trouble.contains("refuted: \(sentence)"), "\(bundle.trouble)")
    let merge = try Tool.run(["merge", out])
    #expect(merge.status == 2)
    #expect(merge.trouble.contains("\(out): \(sentence)"), "\(merge.trouble)")
  }

  /// What a killed bundle left is neither taken into the next one nor in its way; what is not such a folder is left alone.
  @Test func leftOversOfAKilledBundleGo() throws {
    let folder = try TemporaryFolder()
    let out = try Self.run(["scenarios/pairing/once.yaml"], in: folder)
    let partial = folder.url.appending(path: "evidence.partial")
    try Data([1]).write(to: partial)
    let refused = try Self.bundle(out, in: folder)
    #expect(refused.status == 2)
    #expect(refused.trouble.contains("\(partial.path) is in the way"), "\(refused.trouble)")
    #expect(try Data(contentsOf: partial) == Data([1]))
    try FileManager.default.removeItem(at: partial)
    try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
    try Data([1]).write(to: partial.appending(path: "stranger"))
    #expect(try Self.bundle(out, in: folder).status == 0)
    #expect(try Self.verify(folder).status == 0)
    #expect(!FileManager.default.fileExists(atPath: partial.path))
  }

  @Test func aFolderMayEndWithSlashes() throws {
    let folder = try TemporaryFolder()
    let out = try Self.run(["scenarios/pairing/once.yaml"], in: folder)
    let (key, evidence) = (folder.url.path + "/key.pem", folder.url.path + "/evidence//")
    let bundle = try Tool.run(["bundle", out, "--key", key, "--out", evidence])
    #expect(bundle.status == 0, "\(bundle.trouble)")
    #expect(try Self.verify(folder).status == 0)
  }

  /// Neither a key that is not there nor a place that cannot be written leaves a part of a bundle.
  @Test func aBundleThatCannotBeWrittenLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let out = try Self.run(["scenarios/pairing/once.yaml"], in: folder)
    let (key, file) = (folder.url.appending(path: "key.pem").path, try folder.write("file", ""))
    for (key, place, sentence) in [
      (key + "2", folder.url.path + "/evidence", "cannot read the key \(key)2"),
      (key, file + "/evidence", "cannot make the folder \(file): a file has this name, expected a folder"),
    ] {
      let bundle = try Tool.run(["bundle", out, "--key", key, "--out", place])
      #expect(bundle.status == 2, "\(bundle.trouble)")
      #expect(bundle.trouble.contains(sentence), "\(bundle.trouble)")
      #expect(bundle.trouble.split(separator: "\n").count == 1, "\(bundle.trouble)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == ["file", "key.pem", "out", "public.pem"])
  }

  @Test func changedEvidenceIsRejected() throws {
    let folder = try TemporaryFolder()
    _ = try Self.bundle(try Self.run(["scenarios/pairing/once.yaml"], in: folder), in: folder)
    let scenario = folder.url.appending(path: "evidence/inputs/scenarios/pairing/once.yaml")
    try (String(contentsOf: scenario, encoding: .utf8) + "\n").write(to: scenario, atomically: true, encoding: .utf8)
    let verified = try Self.verify(folder)
    #expect(verified.status == 1)
    #expect(verified.trouble.contains("once.yaml is not the file that was signed"))
  }

  @Test func anotherKeyIsRejected() throws {
    let folder = try TemporaryFolder()
    _ = try Self.bundle(try Self.run(["scenarios/pairing/once.yaml"], in: folder), in: folder)
    _ = try folder.write("public.pem", KeyFile.pem(P256PrivateKey(scalar: [UInt8](2...33)).publicKey))
    let verified = try Self.verify(folder)
    #expect(verified.status == 1)
    #expect(verified.trouble.contains("rejected: "), "\(verified.trouble)")
    #expect(verified.trouble.contains("is signed by the key"), "\(verified.trouble)")
  }

  /// Signs a report as it is, which the tool itself would refuse where it does not hold.
  private static func sign(_ run: RunReport, of out: String, in folder: TemporaryFolder) throws {
    var draft = EvidenceDraft()
    let requirements = try draft.add(
      "inputs/scenarios/requirements.yaml",
      Array(Data(contentsOf: Tool.repository.appending(path: Vocabularies.cataloguePath))),
      annotations: EvidenceInput.annotations(.requirements, Vocabularies.cataloguePath))
    let summary = try draft.add(RunReport.evidencePlace, run.summaryDocument)
    let captures = try run.captures.map { name in
      try draft.add("run/" + name, Array(Data(contentsOf: URL(filePath: out + "/" + name))))
    }
    let statement = EvidenceStatement(
      of: run, image: nil, summary: summary, configuration: [requirements], records: captures)
    try Documents.expect(statement.document, toBe: "statement")
    try draft.write(
      statement, to: folder.url.appending(path: "evidence").path, signedBy: P256PrivateKey(scalar: scalar))
  }

  /// A run on a bench whose report calls a violation passed, signed by who holds the key.
  @Test(arguments: [true, false]) func aForgedPassIsRefutedByItsCapture(isForged: Bool) throws {
    let folder = try TemporaryFolder()
    let fault = isForged ? ["--fault", "phone:skips-battery-read"] : []
    let out = try Self.run(["scenarios/records/count.yaml"] + fault, in: folder)
    var run = try RunReport(summaryIn: out)
    run.target = "hardware"
    run.fault = nil
    for index in run.scenarios.indices {
      run.scenarios[index].verdict = .passed
      run.scenarios[index].attempts = [.passed]
      run.scenarios[index].account = nil
      run.scenarios[index].findings.removeAll { !$0.violations.isEmpty }
    }
    let octets = Array(try Data(contentsOf: Tool.repository.appending(path: Vocabularies.cataloguePath)))
    run.requirements = RequirementResult.of(run.scenarios, in: try RequirementCatalogue(octets), target: .hardware)
    try Self.sign(run, of: out, in: folder)
    let verified = try Self.verify(folder)
    #expect(verified.status == (isForged ? 1 : 0), "\(verified.output) \(verified.trouble)")
    #expect(verified.trouble.contains("its capture violates APP-1.3.1.1") == isForged, "\(verified.trouble)")
  }

  /// A bench's report whose captures were cut off or emptied before they were signed.
  @Test(arguments: [(true, "its capture is broken"), (false, "is recorded to show ")])
  func aSignedCaptureThatShowsNothingIsRefuted(isCut: Bool, sentence: String) throws {
    let folder = try TemporaryFolder()
    let out = try Self.run(["scenarios/records/count.yaml", "--name", "records-count[records=1]"], in: folder)
    var run = try RunReport(summaryIn: out)
    run.target = "hardware"
    let octets = Array(try Data(contentsOf: Tool.repository.appending(path: Vocabularies.cataloguePath)))
    run.requirements = RequirementResult.of(run.scenarios, in: try RequirementCatalogue(octets), target: .hardware)
    let capture = URL(filePath: out + "/" + (try #require(run.scenarios.first?.capture)))
    let whole = try Data(contentsOf: capture)
    try (isCut ? whole.dropLast() : whole.prefix(16)).write(to: capture)
    try Self.sign(run, of: out, in: folder)
    let verified = try Self.verify(folder)
    #expect(verified.status == 1, "\(verified.output) \(verified.trouble)")
    #expect(verified.trouble.contains(sentence), "\(verified.trouble)")
  }

  /// A requirement that is called shown, although nothing shows it.
  @Test func aForgedRequirementIsRefuted() throws {
    let folder = try TemporaryFolder()
    let out = try Self.run(["scenarios/pairing/once.yaml"], in: folder)
    var run = try RunReport(summaryIn: out)
    run.target = "hardware"
    let index = try #require(run.requirements.firstIndex { $0.requirement.id == "DEV-11" })
    run.requirements[index].outcome = .shown
    try Self.sign(run, of: out, in: folder)
    let verified = try Self.verify(folder)
    #expect(verified.status == 1)
    #expect(verified.trouble.contains("refuted: DEV-11 is recorded as shown"), "\(verified.trouble)")
  }

  @Test(arguments: [
    (["bundle"], "bundle needs the folder of a run's reports, --key FILE and --out FOLDER"),
    (["bundle", "/nonexistent", "--key", "k", "--out", "o"], "/nonexistent/summary.json"),
    (["verify"], "verify needs a folder of evidence and --key FILE"),
    (["verify", "/nonexistent", "--key", "/nonexistent"], "cannot read the key /nonexistent: No such file"),
  ]) func badInputIsRefusedInOneSentence(arguments: [String], sentence: String) throws {
    let outcome = try Tool.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains(sentence), "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1, "\(outcome.trouble)")
  }
}
