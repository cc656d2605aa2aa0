/// A bank of the flash, as the settings describe it.
public struct FirmwareBank: Hashable, Sendable {
  /// The content of a bank.
  public enum Content: UInt8, Sendable {
    /// Nothing that could be started or installed.
    case nothing = 0x00
    /// An application.
    case application = 0x01
    /// A SoftDevice.
    case softDevice = 0xA5
    /// A bootloader.
    case bootloader = 0xAA
    /// A SoftDevice and a bootloader.
    case softDeviceAndBootloader = 0xAC
  }

  /// Its content.
  public var content = Content.nothing
  /// Octets of the image.
  public var size: UInt32 = 0
  /// CRC-32 of the image; zero where none was computed.
  public var checksum: UInt32 = 0
  /// The address of the image.
  public var start: UInt32 = 0

  /// An empty bank.
  public init() {}
}

/// The settings page of a bootloader (nRF5 SDK 17.1.0, `nrf_dfu_settings_t`).
public struct BootloaderSettings: Hashable, Sendable {
  /// The progress of the transfer of an image.
  public struct Progress: Hashable, Sendable {
    /// Octets of the command object, as it was created.
    public var commandSize = 0
    /// Octets of it that arrived.
    public var command: [UInt8] = []
    /// Octets of the data object, as it was created; zero once it was executed.
    public var dataObjectSize = 0
    /// Octets of the image that arrived.
    public var offset: UInt32 = 0
    /// Checksum of the image as far as it arrived.
    public var checksum: UInt32 = 0
    /// Octets of the image in objects that were executed.
    public var executedOffset: UInt32 = 0
    /// Checksum of the image as far as it was executed.
    public var executedChecksum: UInt32 = 0

    /// Nothing arrived yet.
    public init() {}
  }

  /// Version of the application.
  public var applicationVersion: UInt32 = 0
  /// Version of the bootloader.
  public var bootloaderVersion: UInt32 = 0
  /// The image that is started.
  public var bank0 = FirmwareBank()
  /// The image that was received.
  public var bank1 = FirmwareBank()
  /// The transfer.
  public var progress = Progress()
  /// Octets of the received image that were copied already.
  public var copied: UInt32 = 0

  /// The settings of a chip that was only just flashed.
  public init() {}

  /// Whether images lie where a build keeps them and numbers agree with each other, as in everything that a bootloader
  /// writes.
  package func isConsistent(with build: BootloaderBuild) -> Bool {
    for bank in [bank0, bank1] where bank.content != .nothing {
      let end = UInt64(bank.start) + UInt64(bank.size)
      guard bank.start >= build.bankStart, end <= UInt64(build.regionEnd) else { return false }
    }
    return progress.executedOffset <= progress.offset && progress.offset <= build.regionSize && copied <= bank1.size
  }
}

/// One of the two pages with settings.
public enum SettingsPage: Hashable, Sendable {
  /// The page that is read first.
  case primary
  /// The copy, written when the first is complete.
  case backup
}
