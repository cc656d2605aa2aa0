/// Something wrong with the catalogue of firmware, and where.
public struct CatalogueFinding: Hashable, Sendable {
  /// What can be wrong with a catalogue.
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
    /// The package's name leads through folders, or is none.
    case unsafeFile
    /// There is no such package.
    case missingFile(String)
    /// The package is refused, or something in it does not fit together.
    case package(PackageFinding)
    /// The package holds something else than one application.
    case noApplication
    /// The init packet states another version, or none.
    case version(stated: UInt32?)
    /// No bootloader is known for that board.
    case board
    /// The init packet names other SoftDevices than the board's.
    case softDevice(required: [UInt32], present: UInt32)
  }

  /// Name of the release that it is about, fit to be shown; `nil` for the catalogue as a whole.
  public let release: String?
  /// What is wrong.
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
    case .notACatalogue(let reason): "is no catalogue: \(reason)"
    case .tooManyReleases(let count, let limit): "has \(count) releases, more than \(limit)"
    case .unprintable(let member): "has a \(member) that is empty, too long or unprintable"
    case .duplicateName: "has a name that stands for another release"
    case .duplicateImage(let other): "has the same image as release \(other)"
    case .unsafeFile: "has a package whose name leads elsewhere"
    case .missingFile(let file): "has no package \(file)"
    case .package(let finding): "has a package with \(finding)"
    case .noApplication: "has a package with something else than one application"
    case .version(let stated?): "has a package of version \(stated)"
    case .version(nil): "has a package that states no version"
    case .board: "is for a board that is not known"
    case .softDevice(let required, let present):
      "needs SoftDevice \(required.map(hexadecimal).joined(separator: " or ")), its board runs \(hexadecimal(present))"
    }
  }

  private func hexadecimal(_ value: UInt32) -> String { "0x" + String(value, radix: 16, uppercase: true) }
}

/// A catalogue that is refused, with everything that is wrong with it.
public struct CatalogueRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in the order found; never empty.
  public let findings: [CatalogueFinding]

  public var description: String { findings.map(\.description).joined(separator: "; ") }
}
