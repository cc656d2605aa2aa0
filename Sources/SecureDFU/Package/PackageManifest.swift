import Foundation

/// One image as the manifest of a package names it.
struct ManifestImage: Codable {
  /// The sizes of the parts of a combined image.
  struct Sizes: Codable {
    var bl_size: UInt32
    var sd_size: UInt32
  }

  var bin_file: String
  var dat_file: String
  var info_read_only_metadata: Sizes?
}

/// `manifest.json` of a package, as nrfutil writes it.
struct PackageManifest {
  /// The name of the file.
  static let fileName = "manifest.json"
  /// Octets of the longest manifest that is read.
  static let lengthLimit = 64 << 10

  /// Members of `manifest` that do not name an image: what nrfutil 0.5 wrote.
  private static let otherMembers = ["dfu_version"]

  struct Images: Codable {
    var application: ManifestImage?
    var bootloader: ManifestImage?
    var softdevice: ManifestImage?
    var softdevice_bootloader: ManifestImage?
  }

  /// The whole file.
  private struct File: Codable { var manifest: Images }

  /// The names in `manifest`, whatever stands behind them.
  private struct Members: Decodable {
    struct Anything: Decodable { init(from decoder: any Decoder) {} }
    var manifest: [String: Anything]
  }

  var manifest: Images
  /// Members of `manifest` that nobody knows, in order: images, perhaps, that would not be sent.
  private(set) var unknownMembers: [String] = []

  /// The images in the order in which they are sent: the application comes after the images it needs.
  var images: [(part: FirmwarePart, image: ManifestImage)] {
    [
      (.softDeviceAndBootloader, manifest.softdevice_bootloader), (.softDevice, manifest.softdevice),
      (.bootloader, manifest.bootloader), (.application, manifest.application),
    ].compactMap { part, image in image.map { (part, $0) } }
  }

  init(_ images: [FirmwareImage]) {
    manifest = Images()
    for image in images {
      var entry = ManifestImage(bin_file: image.imageName, dat_file: image.initPacketName)
      switch image.part {
      case .application: manifest.application = entry
      case .bootloader: manifest.bootloader = entry
      case .softDevice: manifest.softdevice = entry
      case .softDeviceAndBootloader:
        if let command = try? InitPacket(decoding: image.initPacket).command {
          entry.info_read_only_metadata = ManifestImage.Sizes(
            bl_size: command.bootloaderSize ?? 0, sd_size: command.softDeviceSize ?? 0)
        }
        manifest.softdevice_bootloader = entry
      }
    }
  }

  init(decoding bytes: [UInt8]) throws(PackageRefusal) {
    guard bytes.count <= Self.lengthLimit else {
      throw PackageRefusal(Self.fileName, .tooLong(length: UInt64(bytes.count), limit: Self.lengthLimit))
    }
    do {
      manifest = try JSONDecoder().decode(File.self, from: Data(bytes)).manifest
      let members = try JSONDecoder().decode(Members.self, from: Data(bytes)).manifest.keys
      let known = FirmwarePart.allCases.map(\.rawValue) + Self.otherMembers
      unknownMembers = members.filter { !known.contains($0) }.sorted()
    } catch let DecodingError.keyNotFound(key, _) {
      throw PackageRefusal(
        Self.fileName, .invalidManifest("the member \(PackageName.printable(key.stringValue)) is missing"))
    } catch let DecodingError.typeMismatch(_, context) {
      let path = context.codingPath.map { PackageName.printable($0.stringValue) }.joined(separator: ".")
      throw PackageRefusal(Self.fileName, .invalidManifest("\(path) has the wrong type"))
    } catch {
      throw PackageRefusal(Self.fileName, .invalidManifest("it is not valid JSON, or a value is missing"))
    }
  }

  /// The file's content.
  var encoded: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(File(manifest: manifest)) else {
      preconditionFailure("names and numbers are JSON")
    }
    return Array(data)
  }
}
