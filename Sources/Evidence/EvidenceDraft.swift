import Bytes
import Crypto
import Reports
import System

/// A bundle that is being put together, in memory until it is written.
package struct EvidenceDraft {
  private var files: [(resource: EvidenceStatement.Resource, octets: [UInt8])] = []
  /// The octets of their names.
  private var names: Set<[UInt8]> = []

  package init() {}

  /// Adds a file and returns how the statement names it. Throws for a name that is taken or would leave the folder.
  package mutating func add(
    _ name: String, _ octets: [UInt8], annotations: [String: String]? = nil
  ) throws(EvidenceFailure) -> EvidenceStatement.Resource {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, name != EvidenceBundle.envelopeName, parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw EvidenceFailure("a bundle cannot hold a file with the name \(name)")
    }
    guard names.insert(Array(name.utf8)).inserted else {
      throw EvidenceFailure("the bundle would hold two files \(name)")
    }
    let resource = EvidenceStatement.Resource(
      name: name, sha256: Hexadecimal.string(SHA256.digest(octets)), annotations: annotations)
    files.append((resource, octets))
    return resource
  }

  /// Writes the files and the signed statement to a new folder. The statement comes last, so what was interrupted is
  /// not taken for a bundle.
  package func write(
    _ statement: EvidenceStatement, to folder: String, signedBy key: P256PrivateKey
  ) throws(ReportFailure) {
    let envelope = SignedEnvelope(signing: statement.document, with: key)
    for (resource, octets) in files { try Self.write(octets, to: folder + "/" + resource.name) }
    try Self.write(envelope.document, to: folder + "/" + EvidenceBundle.envelopeName)
  }

  private static func write(_ octets: [UInt8], to path: String) throws(ReportFailure) {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    do { try FileSystem.makeFolder(parent, mode: 0o755) } catch {
      throw ReportFailure(operation: "make the folder", path: parent, code: error.code)
    }
    let file = try ReportFile(path)
    try file.write(octets)
    try file.commit()
  }
}
