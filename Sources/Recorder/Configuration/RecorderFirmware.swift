import Crypto
import SecureDFU

/// How long a flash takes, in microseconds (product specifications of the nRF52832 and nRF52840).
public struct FlashTiming: Hashable, Sendable {
  /// Erasing a page.
  public var erase: Int
  /// Writing a word.
  public var word: Int

  /// A flash that takes this long.
  public init(erase: Int, word: Int) {
    self.erase = erase
    self.word = word
  }

  /// The flash of the nRF52832.
  public static let nRF52832 = FlashTiming(erase: 89_700, word: 338)
  /// The flash of the nRF52840.
  public static let nRF52840 = FlashTiming(erase: 85_000, word: 41)

  /// The flash of the chip that a bootloader was built for, which its SoftDevice tells.
  public init(of build: BootloaderBuild) {
    self = build.softDeviceIdentifier == BootloaderBuild.s140Debug.softDeviceIdentifier ? .nRF52840 : .nRF52832
  }

  /// Microseconds that an operation takes.
  func duration(of operation: FlashOperation) -> Int { operation.duration(erase: erase, word: word) }
}

/// An image whose behaviour is known.
public struct KnownFirmware: Hashable, Sendable {
  /// SHA-256 of the image, most significant octet first.
  public var digest: [UInt8]
  /// What people call it.
  public var name: String
  /// How a recorder with it behaves.
  public var profile: RecorderProfile

  /// An image with that digest.
  public init(digest: [UInt8], name: String, profile: RecorderProfile) {
    self.digest = digest
    self.name = name
    self.profile = profile
  }
}

/// What is on a recorder's chip when it is made, and which images that come later are known.
public struct RecorderFirmware: Hashable, Sendable {
  /// Its bootloader.
  public var build: BootloaderBuild
  /// The key that its bootloader trusts.
  public var publicKey = TestKey.publicKey
  /// The application in bank 0; `nil` for a chip that has none.
  public var image: [UInt8]? = RecorderFirmware.syntheticImage
  /// Version of that application.
  public var version: UInt32 = 1
  /// Images whose behaviour is known. With any other image the recorder behaves as before.
  public var known: [KnownFirmware] = []
  /// How long its flash takes.
  public var timing: FlashTiming
  /// Pages of its settings that cannot be read.
  public var damagedSettings: [SettingsPage] = []
  /// The faults around its bootloader.
  package var faults = BootloaderFaults()

  /// The flash of a chip that is new.
  var flash: BootloaderFlash {
    var flash = BootloaderFlash(build: build, application: image, version: version)
    for page in damagedSettings {
      switch page {
      case .primary: flash.settings = nil
      case .backup: flash.backup = nil
      }
    }
    return flash
  }

  /// A synthetic image of 4 KiB. A profile defines how the recorder behaves, so any octets will do.
  public static let syntheticImage: [UInt8] = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  /// Version 1 above this bootloader.
  public init(build: BootloaderBuild = .s140Debug) {
    self.build = build
    timing = FlashTiming(of: build)
  }
}

extension BootloaderDefects {
  /// Plants the defects into a chip. What its builder or a scenario made wrong already stays wrong.
  func apply(to firmware: inout RecorderFirmware) {
    if acceptsDowngrade { firmware.build.preventsDowngrade = false }
    if skipsSignature { firmware.build.requiresSignature = false }
    if skipsDigest { firmware.build.checksImage = false }
    if startsBrokenImage { firmware.build.installsBeforeStarting = false }
    if keepsName { firmware.build.forgetsName = false }
    if keepsAcceptance { firmware.build.forgetsAcceptance = false }
    if keepsAddress { firmware.faults.keepsAddress = true }
    if neverAdvertises { firmware.faults.neverAdvertises = true }
    if statesWrongChecksums { firmware.faults.statesWrongChecksums = true }
    if neverTimesOut { firmware.faults.neverTimesOut = true }
  }
}
