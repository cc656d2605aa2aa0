import Bytes
import Foundation

/// What a bundle states: an in-toto Statement v1 with the predicate "test result" v0.1.
package struct EvidenceStatement: Hashable, Sendable {
  /// Version of the members that are this program's own.
  package static let schemaVersion = 1
  static let type = "https://in-toto.io/Statement/v1"
  static let predicateType = "https://in-toto.io/attestation/test-result/v0.1"

  /// How the run ended as a whole.
  package enum Result: String, Codable, Sendable {
    /// It exits with 0.
    case passed = "PASSED"
    /// Nothing failed, but something is flaky or not shown.
    case warned = "WARNED"
    /// Anything else.
    case failed = "FAILED"
  }

  /// A file, or firmware, by its digest.
  package struct Resource: Hashable, Sendable, Codable {
    /// Digests by their algorithm.
    package struct Digest: Hashable, Sendable, Codable {
      /// 32 octets in hexadecimal.
      package var sha256: String
    }

    /// The path in the bundle, or the name of the firmware.
    package var name: String
    /// Its digest.
    package var digest: Digest
    /// What else is told of it, such as the path under which the run read it.
    package var annotations: [String: String]?

    package init(name: String, sha256: String, annotations: [String: String]? = nil) {
      self.name = name
      digest = Digest(sha256: sha256)
      self.annotations = annotations
    }
  }

  /// What the statement is about: the firmware that was executed, else the summary of the run.
  package var subject: [Resource]
  /// How the run ended.
  package var result: Result
  /// What the run read: scenarios, sounds, requirements, packages. With the program's version they determine it.
  package var configuration: [Resource]
  /// What the run wrote.
  package var evidence: [Resource]
  /// Names of the scenarios that ended as expected.
  package var passedTests: [String]
  /// Names of those that are flaky, or ran into trouble of the bench.
  package var warnedTests: [String]
  /// Names of those that failed.
  package var failedTests: [String]
  /// Name and version of the program.
  package var tool: String
  /// The root seed.
  package var seed: UInt64
  /// The hash of the run.
  package var traceHash: String

  package init(
    subject: [Resource], result: Result, configuration: [Resource], evidence: [Resource], passedTests: [String],
    warnedTests: [String], failedTests: [String], tool: String, seed: UInt64, traceHash: String
  ) {
    self.subject = subject
    self.result = result
    self.configuration = configuration
    self.evidence = evidence
    self.passedTests = passedTests
    self.warnedTests = warnedTests
    self.failedTests = failedTests
    self.tool = tool
    self.seed = seed
    self.traceHash = traceHash
  }

  /// Every file of the bundle but the envelope.
  package var files: [Resource] { configuration + evidence }
}

extension EvidenceStatement {
  /// The octets of the payload.
  package var document: [UInt8] {
    func list(_ resources: [Resource]) -> JSONValue { .array(resources.map(\.value)) }
    return JSONValue.object([
      "_type": .string(Self.type),
      "subject": list(subject),
      "predicateType": .string(Self.predicateType),
      "predicate": .object([
        "result": .string(result.rawValue),
        "configuration": list(configuration),
        "passedTests": .strings(passedTests),
        "warnedTests": .strings(warnedTests),
        "failedTests": .strings(failedTests),
        "dictobench_schemaVersion": .integer(Self.schemaVersion),
        "dictobench_tool": .string(tool),
        "dictobench_seed": .unsigned(seed),
        "dictobench_traceHash": .string(traceHash),
        "dictobench_evidence": list(evidence),
      ]),
    ]).document
  }

  /// Reads ``document``.
  package init(document octets: [UInt8]) throws(EvidenceFailure) {
    let document: Document
    do { document = try JSONDecoder().decode(Document.self, from: Data(octets)) } catch {
      throw EvidenceFailure("the payload is not an in-toto statement about a test result of dictobench")
    }
    guard document._type == Self.type, document.predicateType == Self.predicateType else {
      throw EvidenceFailure(
        "the payload is \(document.predicateType) in \(document._type), expected a test result v0.1")
    }
    let predicate = document.predicate
    guard predicate.dictobench_schemaVersion == Self.schemaVersion else {
      throw EvidenceFailure(
        "the statement has version \(predicate.dictobench_schemaVersion), this program reads \(Self.schemaVersion)")
    }
    self.init(
      subject: document.subject, result: predicate.result, configuration: predicate.configuration,
      evidence: predicate.dictobench_evidence, passedTests: predicate.passedTests, warnedTests: predicate.warnedTests,
      failedTests: predicate.failedTests, tool: predicate.dictobench_tool, seed: predicate.dictobench_seed,
      traceHash: predicate.dictobench_traceHash)
  }

  private struct Document: Decodable {
    struct Predicate: Decodable {
      var result: Result
      var configuration: [Resource]
      var passedTests: [String]
      var warnedTests: [String]
      var failedTests: [String]
      var dictobench_schemaVersion: Int
      var dictobench_tool: String
      var dictobench_seed: UInt64
      var dictobench_traceHash: String
      var dictobench_evidence: [Resource]
    }
    var _type: String
    var predicateType: String
    var subject: [Resource]
    var predicate: Predicate
  }
}

extension EvidenceStatement.Resource {
  fileprivate var value: JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(name)), ("digest", .object(["sha256": .string(digest.sha256)])),
    ]
    if let annotations {
      members.append(
        ("annotations", .object(annotations.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })))
    }
    return .object(members)
  }
}
