import Crypto
import SecureDFU

/// A wish to install a package.
public struct FirmwareOrder: Hashable, Sendable {
  /// What is to be installed.
  public var package: FirmwarePackage
  /// What people call it.
  public var name: String
  /// Whether a package that cannot fit the recorder is refused before the recorder is touched.
  public var isChecked = true
  /// The key that the recorder's bootloader trusts, where it is known; then signatures are checked as well.
  public var publicKey: P256PublicKey?
  /// How the phone talks to the bootloader.
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
  /// What people call it.
  public var name: String
  /// What is new in it, for people.
  public var notes: String
  /// What is to be installed.
  public var package: FirmwarePackage

  public init(version: UInt32, name: String, notes: String, package: FirmwarePackage) {
    self.version = version
    self.name = name
    self.notes = notes
    self.package = package
  }
}

/// What an update did.
public struct UpdateSummary: Hashable, Sendable {
  /// Version of the application that was installed; `nil` where the package has none.
  public var version: UInt32?
  /// What the application says of its version in a Device Information Service; `nil` where it says nothing, as the
  /// published firmware. Without it the bootloader's word stands: it checked the image's digest, took it, and ended the
  /// link after having stored that.
  public var firmwareRevision: String?
  /// Octets of all images.
  public var octets: Int
  /// From the first request to the recorder until the application was back.
  public var duration: Duration
  /// From the first octet to the last of the images, without what came before and after.
  public var transferDuration: Duration
  /// Links to the bootloader that were needed.
  public var links: Int
  /// Times that packets were found missing.
  public var drops: Int
}

/// Why an update did not come to its end.
public enum UpdateTrouble: String, Hashable, Sendable {
  /// The bootloader was not heard after the recorder was asked to start it.
  case bootloaderNotFound = "the bootloader was not found"
  /// What arrived was not what was sent, again and again.
  case checksumsDiffer = "what arrived is not what was sent"
  /// The bootloader stopped answering, again and again.
  case noAnswer = "the bootloader does not answer"
  /// The link broke too often.
  case linkLost = "the link broke too often"
  /// The bootloader took the image, and no application was heard afterwards.
  case applicationNotFound = "no application was heard afterwards"
}
