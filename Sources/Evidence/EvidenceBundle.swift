import Bytes
import Crypto
import Reports
import System

/// A folder of evidence: a signed statement, and the files whose digests it states.
package struct EvidenceBundle: Sendable {
  /// Name of the signed statement.
  package static let envelopeName = "evidence.json"
  /// Octets of a file that are read at most.
  private static let fileLimit = 1 << 30
  /// Octets of an envelope that are read at most.
  private static let envelopeLimit = 1 << 26
  /// Folders within folders that a bundle may have.
  private static let depthLimit = 32

  /// The folder.
  package let folder: String
  /// What is stated.
  package let statement: EvidenceStatement
  /// Digests by the octets of the names: texts that look alike, and that Swift takes for equal, are different files.
  private let digests: [[UInt8]: String]

  /// Opens a bundle. Throws unless the holder of `key` signed it, and it holds every file as it was signed and no other.
  package init(_ folder: String, signedBy key: P256PublicKey) throws(EvidenceFailure) {
    self.folder = folder
    let envelope: SignedEnvelope
    let octets = try Self.octets(folder + "/" + Self.envelopeName, limit: Self.envelopeLimit)
    do {
      envelope = try SignedEnvelope(document: octets)
      try envelope.verify(with: key)
      statement = try EvidenceStatement(document: envelope.payload)
    } catch {
      throw EvidenceFailure("\(folder)/\(Self.envelopeName): \(error)")
    }
    var digests: [[UInt8]: String] = [:]
    for file in statement.files {
      guard digests.updateValue(file.digest.sha256, forKey: Array(file.name.utf8)) == nil else {
        throw EvidenceFailure("the statement names \(file.name) twice")
      }
    }
    self.digests = digests
    try checkFiles()
  }

  /// The octets of a file, which are held against the statement again, whenever they are read.
  package func contents(_ name: String) throws(EvidenceFailure) -> [UInt8] {
    guard let digest = digests[Array(name.utf8)] else { throw EvidenceFailure("the statement names no file \(name)") }
    let octets = try Self.octets(folder + "/" + name, limit: Self.fileLimit)
    guard Hexadecimal.string(SHA256.digest(octets)) == digest else {
      throw EvidenceFailure("\(folder)/\(name) is not the file that was signed")
    }
    return octets
  }

  /// Throws where a file is missing, changed, or not named by the statement.
  private func checkFiles() throws(EvidenceFailure) {
    let found = try Self.files(below: folder, depth: 0).filter { $0 != Self.envelopeName }
    if let stranger = found.first(where: { digests[Array($0.utf8)] == nil }) {
      throw EvidenceFailure("\(folder)/\(stranger) was not signed")
    }
    let present = Set(found.map { Array($0.utf8) })
    for file in statement.files {
      guard present.contains(Array(file.name.utf8)) else { throw EvidenceFailure("\(folder)/\(file.name) is missing") }
      _ = try contents(file.name)
    }
  }

  /// Paths of the files in a folder, relative to it. Throws for links and whatever else is neither file nor folder.
  private static func files(below folder: String, depth: Int) throws(EvidenceFailure) -> [String] {
    guard depth < depthLimit else { throw EvidenceFailure("\(folder) has too many folders within folders") }
    var files: [String] = []
    do {
      for name in try FileSystem.names(in: folder) where name != "." && name != ".." {
        switch try FileSystem.kind(of: folder + "/" + name) {
        case .file?: files.append(name)
        case .folder?: files += try Self.files(below: folder + "/" + name, depth: depth + 1).map { name + "/" + $0 }
        default: throw EvidenceFailure("\(folder)/\(name) is neither a file nor a folder")
        }
      }
    } catch let failure as EvidenceFailure {
      throw failure
    } catch {
      throw EvidenceFailure("cannot read \(folder): \(error)")
    }
    return files
  }

  private static func octets(_ path: String, limit: Int) throws(EvidenceFailure) -> [UInt8] {
    do { return try ReportFile.contents(path, limit: limit) } catch { throw EvidenceFailure("\(error)") }
  }
}
