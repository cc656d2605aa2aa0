import Crypto

/// The contents of an application's package: image, versions and supported boards.
public struct ApplicationRelease: Hashable, Sendable {
  /// Its version; it must not fall from release to release.
  public var version: UInt32
  /// The hardware it is for.
  public var hardwareVersion: UInt32
  /// Firmware identifiers of the SoftDevices it runs on, one at least and sixteen at most.
  public var softDeviceRequirements: [UInt32]
  /// Whether a debug bootloader shall skip hardware, SoftDevice and version.
  public var isDebug: Bool

  public init(version: UInt32, hardwareVersion: UInt32, softDeviceRequirements: [UInt32], isDebug: Bool = false) {
    self.version = version
    self.hardwareVersion = hardwareVersion
    self.softDeviceRequirements = softDeviceRequirements
    self.isDebug = isDebug
  }

  /// The package with this image, padded to whole words as nrfutil does; `name` is the name of its files.
  ///
  /// Throws where `FirmwarePackage` refuses the package: an empty image, one of more than 10 MiB, a name with folders.
  public func package(_ image: [UInt8], name: String, key: P256PrivateKey?) throws(PackageRefusal) -> FirmwarePackage {
    guard !image.isEmpty else { throw PackageRefusal("\(name).bin", .empty) }
    guard image.count <= PackageArchive.contentLimit - 4096 else {
      throw PackageRefusal("\(name).bin", .tooLong(length: UInt64(image.count), limit: PackageArchive.contentLimit))
    }
    guard PackageName.isSafe(name) else { throw PackageRefusal(PackageName.printable(name), .unsafeName) }
    let padded = image + [UInt8](repeating: 0xFF, count: (4 - image.count % 4) % 4)
    var command = InitCommand()
    command.firmwareVersion = version
    command.hardwareVersion = hardwareVersion
    command.softDeviceRequirements = softDeviceRequirements
    command.type = .application
    command.softDeviceSize = 0
    command.bootloaderSize = 0
    command.applicationSize = UInt32(padded.count)
    command.hash = FirmwareHash(digest: SHA256.digest(padded).reversed())
    command.isDebug = isDebug
    command.bootValidations = [BootValidation(type: BootValidation.generatedCRC)]
    return try FirmwarePackage([
      FirmwareImage(
        part: .application, imageName: "\(name).bin", initPacketName: "\(name).dat", image: padded,
        initPacket: InitPacket(command, signedWith: key).encoded)
    ])
  }
}
