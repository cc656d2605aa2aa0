import Crypto
import Foundation
import SecureDFU
import Testing

@testable import Evidence

/// A folder that goes with its owner.
private final class Folder {
  let path = FileManager.default.temporaryDirectory.appending(path: "evidence-\(UUID().uuidString)").path
  deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite struct Bundles {
  /// A bundle of three files.
  private static func bundle(in folder: Folder, signedBy key: P256PrivateKey) throws {
    var draft = EvidenceDraft()
    let summary = try draft.add("run/summary.json", Array("{}\n".utf8))
    let scenario = try draft.add(
      "inputs/scenarios/a.yaml", Array("scenario: A\n".utf8), annotations: ["role": "scenarios"])
    let capture = try draft.add("run/captures/a.btsnoop", [0, 1, 2, 255])
    let statement = EvidenceStatement(
      subject: [summary], result: .passed, configuration: [scenario], evidence: [summary, capture],
      passedTests: ["a"], warnedTests: [], failedTests: [], tool: "dictobench 1", seed: 1, traceHash: "00")
    try draft.write(statement, to: folder.path, signedBy: key)
    #expect(try EvidenceBundle(folder.path, signedBy: key.publicKey).statement == statement)
  }

  private static func files(in folder: Folder) throws -> [String] {
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter { path in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.path + "/" + path, isDirectory: &isFolder)
      return !isFolder.boolValue
    }.map { folder.path + "/" + $0 }.sorted()
  }

  @Test func noOctetCanChange() throws {
    let key = try #require(Envelopes.key)
    let folder = Folder()
    try Self.bundle(in: folder, signedBy: key)
    var accepted: [String] = []
    var flips = 0
    for file in try Self.files(in: folder) {
      let url = URL(filePath: file)
      let original = try Data(contentsOf: url)
      for index in original.indices {
        for mask: UInt8 in [0x01, 0x20, 0xFF] {
          var changed = original
          changed[index] ^= mask
          try changed.write(to: url)
          flips += 1
          if (try? EvidenceBundle(folder.path, signedBy: key.publicKey)) != nil {
            accepted.append("\(file) \(index) \(mask)")
          }
        }
      }
      try original.write(to: url)
    }
    #expect(accepted == [])
    #expect(flips > 3_000)
    _ = try EvidenceBundle(folder.path, signedBy: key.publicKey)
  }

  @Test func filesNeitherGoNorCome() throws {
    let key = try #require(Envelopes.key)
    let folder = Folder()
    try Self.bundle(in: folder, signedBy: key)
    for file in try Self.files(in: folder) {
      let moved = folder.path + ".moved"
      try FileManager.default.moveItem(atPath: file, toPath: moved)
      #expect(throws: EvidenceFailure.self) { try EvidenceBundle(folder.path, signedBy: key.publicKey) }
      // A link to the very file is not the file.
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: moved)
      #expect(throws: EvidenceFailure.self) { try EvidenceBundle(folder.path, signedBy: key.publicKey) }
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.moveItem(atPath: moved, toPath: file)
    }
    try Data().write(to: URL(filePath: folder.path + "/run/more"))
    #expect(throws: EvidenceFailure("\(folder.path)/run/more was not signed")) {
      try EvidenceBundle(folder.path, signedBy: key.publicKey)
    }
  }

  @Test(arguments: ["", "/etc/passwd", "../a", "run/../a", "run//a", "evidence.json"])
  func namesStayInTheFolder(name: String) {
    var draft = EvidenceDraft()
    #expect(throws: EvidenceFailure.self) { try draft.add(name, []) }
  }

  @Test func namesAreGivenOnce() throws {
    var draft = EvidenceDraft()
    _ = try draft.add("a", [1])
    #expect(throws: EvidenceFailure("the bundle would hold two files a")) { try draft.add("a", [2]) }
  }

  /// Swift takes names for equal that a file system tells apart.
  @Test func namesThatLookAlikeAreDifferent() throws {
    let key = try #require(Envelopes.key)
    let folder = Folder()
    var draft = EvidenceDraft()
    let one = try draft.add("caf\u{E9}.yaml", [1])
    let summary = try draft.add("run/summary.json", [2])
    func statement(_ configuration: [EvidenceStatement.Resource]) -> EvidenceStatement {
      EvidenceStatement(
        subject: [summary], result: .passed, configuration: configuration, evidence: [summary], passedTests: ["a"],
        warnedTests: [], failedTests: [], tool: "dictobench 1", seed: 1, traceHash: "00")
    }
    try draft.write(statement([one]), to: folder.path, signedBy: key)
    #expect(throws: Never.self) { try EvidenceBundle(folder.path, signedBy: key.publicKey) }
    let stranger = folder.path + "/cafe\u{301}.yaml"
    try #require(FileManager.default.createFile(atPath: stranger, contents: nil))
    let failure = #expect(throws: EvidenceFailure.self) { try EvidenceBundle(folder.path, signedBy: key.publicKey) }
    #expect(failure?.description.hasSuffix("was not signed") == true)
    try FileManager.default.removeItem(atPath: stranger)
    // Both can be signed.
    let two = try draft.add("cafe\u{301}.yaml", [3])
    try draft.write(statement([one, two]), to: folder.path, signedBy: key)
    #expect(try EvidenceBundle(folder.path, signedBy: key.publicKey).contents("cafe\u{301}.yaml") == [3])
    #expect(try EvidenceBundle(folder.path, signedBy: key.publicKey).contents("caf\u{E9}.yaml") == [1])
  }

  /// openssl shares nothing with the envelope's code but libcrypto.
  @Test func opensslVerifiesTheSignature() throws {
    let key = try #require(Envelopes.key)
    let folder = Folder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let envelope = SignedEnvelope(signing: Array("payload".utf8), with: key)
    func write(_ name: String, _ octets: [UInt8]) throws -> String {
      let path = folder.path + "/" + name
      try Data(octets).write(to: URL(filePath: path))
      return path
    }
    let publicKey = try write("key.pem", Array(KeyFile.pem(key.publicKey).utf8))
    let signature = try write("signature", envelope.signature)
    func status(_ message: [UInt8]) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/openssl")
      process.arguments = [
        "dgst", "-sha256", "-verify", publicKey, "-signature", signature, try write("message", message),
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    let signed = SignedEnvelope.preAuthenticationEncoding(of: envelope.payload)
    #expect(try status(signed) == 0)
    #expect(try status(signed + [0]) == 1)
  }
}
