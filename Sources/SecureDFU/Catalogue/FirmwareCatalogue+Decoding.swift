import Crypto
import Foundation

/// `firmware-images/catalogue.json`.
private struct CatalogueFile: Decodable {
  struct Release: Decodable {
    var name: String
    var file: String
    var version: UInt32
    var board: String
    var profile: String
    var offered: Bool
    var notes: String
  }

  var releases: [Release]
}

extension FirmwareCatalogue {
  /// Name of the catalogue in the folder of firmware.
  public static let fileName = "catalogue.json"
  /// Octets of the longest catalogue that is read.
  public static let lengthLimit = 256 << 10
  /// Releases of a catalogue.
  public static let releaseLimit = 64
  /// Octets of the longest name, profile or notes.
  static let textLimit = 400

  /// Reads a catalogue. `package` gives the octets of a file beside it, or `nil` where there is none; it is asked for
  /// plain names only.
  ///
  /// Throws all problems of the catalogue and its packages.
  public init(decoding json: [UInt8], package: (_ file: String) -> [UInt8]?) throws(CatalogueRefusal) {
    let entries = try Self.entries(json)
    guard entries.count <= Self.releaseLimit else {
      throw CatalogueRefusal(nil, .tooManyReleases(count: entries.count, limit: Self.releaseLimit))
    }
    var releases: [FirmwareRelease] = []
    var findings: [CatalogueFinding] = []
    for entry in entries {
      do throws(CatalogueRefusal) {
        let release = try FirmwareRelease(entry, package)
        if releases.contains(where: { $0.name == release.name }) {
          findings.append(CatalogueFinding(release.name, .duplicateName))
        } else if let other = releases.first(where: { $0.imageDigest == release.imageDigest }) {
          findings.append(CatalogueFinding(release.name, .duplicateImage(other.name)))
        }
        releases.append(release)
      } catch { findings += error.findings }
    }
    guard findings.isEmpty else { throw CatalogueRefusal(findings: findings) }
    self.init(releases)
  }

  private static func entries(_ json: [UInt8]) throws(CatalogueRefusal) -> [CatalogueFile.Release] {
    guard json.count <= lengthLimit else {
      throw CatalogueRefusal(nil, .notACatalogue("it has \(json.count) octets; at most \(lengthLimit) are allowed"))
    }
    func place(_ path: [any CodingKey]) -> String {
      path.map { PackageName.printable($0.stringValue) }.joined(separator: ".")
    }
    do {
      return try JSONDecoder().decode(CatalogueFile.self, from: Data(json)).releases
    } catch DecodingError.keyNotFound(let key, let context) {
      throw CatalogueRefusal(nil, .notACatalogue("\(place(context.codingPath + [key])) is missing"))
    } catch DecodingError.typeMismatch(_, let context) {
      throw CatalogueRefusal(nil, .notACatalogue("\(place(context.codingPath)) has the wrong type"))
    } catch {
      throw CatalogueRefusal(nil, .notACatalogue("it is not valid JSON, or a value is missing or too large"))
    }
  }
}

extension FirmwareRelease {
  fileprivate init(
    _ entry: CatalogueFile.Release, _ package: (_ file: String) -> [UInt8]?
  ) throws(CatalogueRefusal) {
    let name = PackageName.printable(entry.name)
    for (member, text) in [("name", entry.name), ("profile", entry.profile), ("notes", entry.notes)] {
      guard PackageName.isPrintable(text, limit: FirmwareCatalogue.textLimit) else {
        throw CatalogueRefusal(name, .unprintable(member: member))
      }
    }
    guard PackageName.isSafe(entry.file) else { throw CatalogueRefusal(name, .unsafeFile) }
    guard let octets = package(entry.file) else {
      throw CatalogueRefusal(name, .missingFile(PackageName.printable(entry.file)))
    }
    let content: FirmwarePackage
    do throws(PackageRefusal) { content = try FirmwarePackage(decoding: octets) } catch {
      throw CatalogueRefusal(findings: error.findings.map { CatalogueFinding(name, .package($0)) })
    }
    guard content.findings.isEmpty else {
      throw CatalogueRefusal(findings: content.findings.map { CatalogueFinding(name, .package($0)) })
    }
    guard content.images.count == 1, let image = content.images.first, image.part == .application,
      let command = try? InitPacket(decoding: image.initPacket).command
    else { throw CatalogueRefusal(name, .noApplication) }
    guard command.firmwareVersion == entry.version else {
      throw CatalogueRefusal(name, .version(stated: command.firmwareVersion))
    }
    guard let build = BootloaderBuild.all.first(where: { $0.board == entry.board }) else {
      throw CatalogueRefusal(name, .board)
    }
    guard command.softDeviceRequirements.contains(build.softDeviceIdentifier) else {
      throw CatalogueRefusal(
        name, .softDevice(required: command.softDeviceRequirements, present: build.softDeviceIdentifier))
    }
    self.init(
      name: entry.name, file: entry.file, version: entry.version, board: entry.board, profile: entry.profile,
      isOffered: entry.offered, notes: entry.notes, imageDigest: SHA256.digest(image.image))
  }
}

extension CatalogueRefusal {
  fileprivate init(_ release: String?, _ problem: CatalogueFinding.Problem) {
    self.init(findings: [CatalogueFinding(release, problem)])
  }
}
