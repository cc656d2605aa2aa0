/// Something wrong with the catalogue of firmware, and where.
public struct CatalogueFinding: Hashable, Sendable {
  /// The problems that a catalogue can have.
  public enum Problem: Hashable, Sendable {
    /// The catalogue is not the JSON that is expected.
    case notACatalogue(String)
    /// There are more releases than a catalogue may have.
    case tooManyReleases(count: Int, limit: Int)
    /// A name, a profile or notes are empty, too long, or hold unprintable characters; the member says which.
    case unprintable(member: String)
    /// Another release has that name.
    case duplicateName
    /// The release of that name has the same image, so one could not be told from the other.
    case duplicateImage(String)
    /// The package's name leads through folders, or is empty.
    case unsafeFile
    /// The package does not exist.
    case missingFile(String)
    /// The package is refused, or it is inconsistent.
    case package(PackageFinding)
    /// The package holds something else than one application.
    case noApplication
    /// The init packet has another version, or none.
    case version(stated: UInt32?)
    /// No bootloader is known for that board.
    case board
    /// The init packet names other SoftDevices than the board's.
    case softDevice(required: [UInt32], present: UInt32)
  }

  /// Name of the release that it is about, fit to be shown; `nil` for the catalogue as a whole.
  public let release: String?
  /// The problem.
  public let problem: Problem

  init(_ release: String?, _ problem: Problem) {
    self.release = release
    self.problem = problem
  }
}

extension CatalogueFinding: CustomStringConvertible {
  public var description: String { "\(release.map { "release \($0)" } ?? "catalogue"): \(problem)" }
}

extension CatalogueFinding.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notACatalogue(let reason): "is not a catalogue: \(reason)"
    case .tooManyReleases(let count, let limit): "has \(count) releases; at most \(limit) are allowed"
    case .unprintable(let member): "has a value for \(member) that is empty, too long or unprintable"
    case .duplicateName: "has the same name as another release"
    case .duplicateImage(let other): "has the same image as release \(other)"
    case .unsafeFile: "names a package outside its folder; use a plain file name"
    case .missingFile(let file): "names the package \(file), which does not exist"
    case .package(let finding): "has a faulty package: \(finding)"
    case .noApplication: "has a package that does not contain exactly one application"
    case .version(let stated?): "has another version than its package, which has \(stated)"
    case .version(nil): "has a package without a version"
    case .board: "is for an unknown board"
    case .softDevice(let required, let present):
      "needs SoftDevice \(required.map(hexadecimal).joined(separator: " or ")), but its board runs \(hexadecimal(present))"
    }
  }

  private func hexadecimal(_ value: UInt32) -> String { "0x" + String(value, radix: 16, uppercase: true) }
}

/// A catalogue that is refused, with everything that was found wrong.
public struct CatalogueRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The findings, in the order found; never empty.
  public let findings: [CatalogueFinding]

  public var description: String { findings.map(\.description).joined(separator: "; ") }
}
