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
    throw .impossible("there is no firmware here, and so no \(name)")
  }
}
