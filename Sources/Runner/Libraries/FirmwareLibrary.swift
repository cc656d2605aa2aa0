import Phone
import SecureDFU
import World

/// Finds the firmware that scenarios name.
public protocol FirmwareLibrary: Sendable {
  /// The releases that are known. Throws `impossible` where the catalogue cannot be read or does not fit its packages.
  func catalogue() throws(ControlFailure) -> FirmwareCatalogue
  /// Octets of a package, as they are: by the name of a release, such as `1.5.0`, or by its path below the folder of
  /// firmware, such as `hostile/bomb.zip`. Throws `impossible` where there is none.
  func package(_ name: String) throws(ControlFailure) -> [UInt8]
}

/// A library without firmware, for runs that update nothing.
public struct NoFirmware: FirmwareLibrary {
  public init() {}

  public func catalogue() throws(ControlFailure) -> FirmwareCatalogue { FirmwareCatalogue([]) }

  public func package(_ name: String) throws(ControlFailure) -> [UInt8] {
    throw .impossible("no firmware is available, so \(name) is not found")
  }
}

extension FirmwareOffer {
  /// A release of the catalogue as the release feed offers it. Throws `impossible` where there is none of that name.
  init(release name: String, in library: any FirmwareLibrary) throws(ControlFailure) {
    guard let release = try library.catalogue().release(named: name) else {
      throw .impossible("release \(name) is not in the catalogue")
    }
    try self.init(release, in: library)
  }

  /// A release as the release feed offers it.
  init(_ release: FirmwareRelease, in library: any FirmwareLibrary) throws(ControlFailure) {
    let archive = try library.package(release.name)
    do throws(PackageRefusal) {
      let package = try FirmwarePackage(decoding: archive)
      self.init(version: release.version, name: release.name, notes: release.notes, package: package)
    } catch { throw .impossible("\(release.name): \(error)") }
  }
}
