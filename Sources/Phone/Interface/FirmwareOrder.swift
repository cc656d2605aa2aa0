import Crypto
import SecureDFU

/// An order to install a package.
public struct FirmwareOrder: Hashable, Sendable {
  /// The package to install.
  public var package: FirmwarePackage
  /// Its name.
  public var name: String
  /// Whether a package that cannot fit the recorder is refused before the recorder is touched.
  public var isChecked = true
  /// The key that the recorder's bootloader trusts, where it is known; then signatures are checked as well.
  public var publicKey: P256PublicKey?
  /// The options of the transfer.
  public var options = UpdateOptions()

  public init(_ package: FirmwarePackage, name: String) {
    self.package = package
    self.name = name
  }

  /// Version of the application in the package; `nil` where it has none or does not say.
  public var version: UInt32? {
    guard let image = package.images.first(where: { $0.part == .application }) else { return nil }
    return (try? InitPacket(decoding: image.initPacket))?.command.firmwareVersion
  }
}

/// A firmware that the release feed offers for the phone's recorder.
public struct FirmwareOffer: Hashable, Sendable {
  /// Version that bootloaders compare.
  public var version: UInt32
  /// Its name.
  public var name: String
  /// Release notes.
  public var notes: String
  /// The package to install.
  public var package: FirmwarePackage

  public init(version: UInt32, name: String, notes: String, package: FirmwarePackage) {
    self.version = version
    self.name = name
    self.notes = notes
    self.package = package
  }
}

/// The result of an update.
public struct UpdateSummary: Hashable, Sendable {
  /// Version of the application that was installed; `nil` where the package has none.
  public var version: UInt32?
  /// The version that the application reports in its Device Information Service; `nil` where it has none, like the
  /// published firmware. Without it the bootloader's answer counts: it checked the image's digest, accepted it, and
  /// ended the link after it had stored that.
  public var firmwareRevision: String?
  /// Octets of the images, without those that the recorder had already.
  public var octets: Int
  /// From the first request to the recorder until the application was back.
  public var duration: Duration
  /// From the first octet to the last of the images, without the steps before and after.
  public var transferDuration: Duration
  /// Links to the bootloader that were needed.
  public var links: Int
  /// Times that packets were found missing.
  public var drops: Int
}

/// The reason why an update failed.
public enum UpdateTrouble: String, Hashable, Sendable {
  /// The bootloader was not heard after the recorder was asked to start it.
  case bootloaderNotFound = "the bootloader was not found"
  /// The data that arrived repeatedly differed from the data sent.
  case checksumsDiffer = "the data that arrived differed from the data sent"
  /// The bootloader repeatedly stopped answering.
  case noAnswer = "the bootloader did not answer"
  /// The link was lost too many times.
  case linkLost = "the link was lost too many times"
  /// The bootloader took the image, and no application was heard afterwards.
  case applicationNotFound = "the application was not found after the update"
}
