/// Something wrong with an update package, and where.
public struct PackageFinding: Hashable, Sendable {
  /// The problems that a package can have.
  public enum Problem: Hashable, Sendable {
    /// The bytes are not a zip archive, or one whose directory contradicts its entries.
    case notAnArchive(String)
    /// The archive, an entry or all entries together are longer than a package may be.
    case tooLong(length: UInt64, limit: Int)
    /// There are more entries than a package may have.
    case tooManyEntries(count: Int, limit: Int)
    /// An entry's name is empty, absolute, leads through folders or upwards, or holds unprintable characters.
    case unsafeName
    /// The entry is one of those that macOS adds to archives.
    case addedByMacintosh
    /// Two entries have this name, at least for a file system without upper and lower case.
    case duplicate
    /// An entry is encrypted, damaged, or shorter than its directory says.
    case unreadable(String)
    /// The file is empty.
    case empty
    /// A file that is needed does not exist.
    case missing
    /// The manifest is not the JSON that Nordic's tools write.
    case invalidManifest(String)
    /// The manifest has a member that is none of a package's images.
    case unknownMember
    /// The manifest names images that cannot be in one package, or none.
    case combination
    /// The init packet cannot be decoded.
    case malformedInitPacket(String)
    /// The init packet is longer than a bootloader takes.
    case initPacketTooLong(length: Int, limit: Int)
    /// The init packet is for something else than the manifest says.
    case type(String)
    /// The image has another length than the init packet or the manifest states.
    case size(stated: UInt64, actual: Int)
    /// The image has another SHA-256 than the init packet states.
    case hash
    /// The image's length is not a multiple of four, so that its end would never reach the flash.
    case unaligned(Int)
  }

  /// The entry, or the member of the manifest, that it is about; `nil` for the archive as a whole.
  public let subject: String?
  /// The problem.
  public let problem: Problem

  public init(_ subject: String?, _ problem: Problem) {
    self.subject = subject
    self.problem = problem
  }
}

extension PackageFinding: CustomStringConvertible {
  public var description: String { "\(subject ?? "archive"): \(problem)" }
}

extension PackageFinding.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAnArchive(let reason): "is not an update package: \(reason)"
    case .tooLong(let length, let limit): "has \(length) octets; at most \(limit) are allowed"
    case .tooManyEntries(let count, let limit): "has \(count) entries; at most \(limit) are allowed"
    case .unsafeName: "has a name with folders or unprintable characters; use plain file names"
    case .addedByMacintosh:
      "was added by macOS and does not belong to the package; pack the files alone: zip -X update.zip manifest.json *.bin *.dat"
    case .duplicate: "occurs twice"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .empty: "is empty"
    case .missing: "is missing"
    case .invalidManifest(let reason): "is not a manifest: \(reason)"
    case .unknownMember:
      "is not an image of a package; expected " + FirmwarePart.allCases.map(\.rawValue).joined(separator: ", ")
    case .combination: "must list at least one image, and only images that can share a package"
    case .malformedInitPacket(let reason): "cannot be decoded: \(reason)"
    case .initPacketTooLong(let length, let limit): "has \(length) octets; a bootloader accepts at most \(limit)"
    case .type(let type): "is for \(type), but the manifest lists another type"
    case .size(let stated, let actual): "has \(actual) octets, but \(stated) are declared"
    case .hash: "does not have the SHA-256 in the init packet"
    case .unaligned(let length): "has \(length) octets; the length must be a multiple of four"
    }
  }
}

/// A package that is refused, with everything that was found wrong.
public struct PackageRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The findings, in the order found; never empty.
  public let findings: [PackageFinding]

  public var description: String { findings.map(\.description).joined(separator: "; ") }
}
