import Bytes
import Crypto

/// A place in a package.
public enum FirmwarePart: String, CaseIterable, Sendable {
  /// The application, or firmware for another chip.
  case application
  /// The bootloader alone.
  case bootloader
  /// The SoftDevice alone.
  case softDevice = "softdevice"
  /// SoftDevice and bootloader as one image.
  case softDeviceAndBootloader = "softdevice_bootloader"

  /// The types of firmware that may be in this place.
  var types: [FirmwareType] {
    switch self {
    case .application: [.application, .externalApplication]
    case .bootloader: [.bootloader]
    case .softDevice: [.softDevice]
    case .softDeviceAndBootloader: [.softDeviceAndBootloader]
    }
  }
}

/// One image of a package with the init packet that announces it.
public struct FirmwareImage: Hashable, Sendable {
  /// Its place in the package.
  public let part: FirmwarePart
  /// Name of the image's file.
  public let imageName: String
  /// Name of the init packet's file.
  public let initPacketName: String
  /// The image.
  public let image: [UInt8]
  /// The init packet, which may be one that no bootloader takes.
  public let initPacket: [UInt8]

  public init(part: FirmwarePart, imageName: String, initPacketName: String, image: [UInt8], initPacket: [UInt8]) {
    self.part = part
    self.imageName = imageName
    self.initPacketName = initPacketName
    self.image = image
    self.initPacket = initPacket
  }

  /// Inconsistencies that were found.
  public var findings: [PackageFinding] {
    var findings: [PackageFinding] = []
    if image.count % 4 != 0 { findings.append(PackageFinding(imageName, .unaligned(image.count))) }
    if initPacket.count > InitPacket.lengthLimit {
      let problem = PackageFinding.Problem.initPacketTooLong(length: initPacket.count, limit: InitPacket.lengthLimit)
      findings.append(PackageFinding(initPacketName, problem))
    }
    let command: InitCommand
    do { command = try InitPacket(decoding: initPacket).command } catch {
      return findings + [PackageFinding(initPacketName, .malformedInitPacket("\(error)"))]
    }
    if let type = command.type, !part.types.contains(type) {
      findings.append(PackageFinding(initPacketName, .type("\(type)")))
    }
    if let size = command.imageSize, size != UInt64(image.count) {
      findings.append(PackageFinding(imageName, .size(stated: size, actual: image.count)))
    }
    if let hash = command.hash, hash.type == FirmwareHash.sha256, !command.matches(digest: SHA256.digest(image)) {
      findings.append(PackageFinding(imageName, .hash))
    }
    return findings
  }
}

/// An update package: Nordic's zip archive with a manifest, images and init packets.
public struct FirmwarePackage: Hashable, Sendable {
  /// The images in the order in which they are sent to a device.
  public let images: [FirmwareImage]
  /// Inconsistencies, first of the manifest, then image by image. A package with findings can be inspected but should
  /// not be sent.
  public let findings: [PackageFinding]

  /// Puts images together in the order in which they are sent. Throws `combination` where nothing, or only one of two
  /// images that exclude each other, can be in a package.
  public init(_ images: [FirmwareImage]) throws(PackageRefusal) { try self.init(images, besides: []) }

  private init(_ images: [FirmwareImage], besides others: [PackageFinding]) throws(PackageRefusal) {
    let parts = images.map(\.part)
    // The SoftDevice and the bootloader travel together or one at a time, and each part once.
    let lower = parts.filter { $0 != .application }
    guard !parts.isEmpty, lower.count <= 1, parts.count - lower.count <= 1 else {
      throw PackageRefusal(findings: others + [PackageFinding(PackageManifest.fileName, .combination)])
    }
    self.images = images.filter { $0.part != .application } + images.filter { $0.part == .application }
    findings = others + images.flatMap(\.findings)
  }

  /// Reads a package.
  ///
  /// Throws where it is unclear what the package would install, or where it may do harm: not an archive, limits
  /// exceeded, unsafe or double names, empty or missing files, or a manifest that is not one. Mere
  /// inconsistencies go into `findings`.
  public init(decoding archive: [UInt8]) throws(PackageRefusal) {
    let files = try PackageArchive.read(archive)
    guard let file = files.first(where: { $0.name == PackageManifest.fileName }) else {
      throw PackageRefusal(PackageManifest.fileName, .missing)
    }
    let manifest = try PackageManifest(decoding: file.bytes)
    var images: [FirmwareImage] = []
    var findings: [PackageFinding] = []
    for (part, entry) in manifest.images {
      let image = files.first { $0.name == entry.bin_file }
      let packet = files.first { $0.name == entry.dat_file }
      for (name, file) in [(entry.bin_file, image), (entry.dat_file, packet)] where file == nil {
        let problem: PackageFinding.Problem = PackageName.isSafe(name) ? .missing : .unsafeName
        findings.append(PackageFinding("\(part.rawValue) \(PackageName.printable(name))", problem))
      }
      guard let image, let packet else { continue }
      let found = FirmwareImage(
        part: part, imageName: image.name, initPacketName: packet.name, image: image.bytes, initPacket: packet.bytes)
      images.append(found)
      if let sizes = entry.info_read_only_metadata {
        let stated = UInt64(sizes.bl_size) + UInt64(sizes.sd_size)
        if stated != UInt64(image.bytes.count) {
          findings.append(PackageFinding(image.name, .size(stated: stated, actual: image.bytes.count)))
        }
      }
    }
    guard findings.isEmpty else { throw PackageRefusal(findings: findings) }
    // A long list helps nobody.
    let unknown = manifest.unknownMembers.prefix(PackageArchive.entryLimit)
    try self.init(
      images, besides: unknown.map { PackageFinding("manifest.\(PackageName.printable($0))", .unknownMember) })
  }

  /// The package as an archive. Throws where a name could not be read back.
  public func archive() throws(PackageRefusal) -> [UInt8] {
    var files: [PackageArchive.File] = []
    for image in images {
      for (name, bytes) in [(image.imageName, image.image), (image.initPacketName, image.initPacket)] {
        guard PackageName.isSafe(name) else { throw PackageRefusal(PackageName.printable(name), .unsafeName) }
        guard !files.contains(where: { $0.name == name }) else { throw PackageRefusal(name, .duplicate) }
        guard !bytes.isEmpty else { throw PackageRefusal(name, .empty) }
        files.append(PackageArchive.File(name: name, bytes: bytes))
      }
    }
    files.append(PackageArchive.File(name: PackageManifest.fileName, bytes: PackageManifest(images).encoded))
    return try PackageArchive.write(files)
  }
}
