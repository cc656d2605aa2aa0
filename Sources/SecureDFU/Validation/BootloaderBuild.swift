/// A bootloader as it was built: memory map, versions it knows, options (`sdk_config.h` of Dictofun's bootloader).
public struct BootloaderBuild: Hashable, Sendable {
  /// Octets of a flash page, and of the largest data object.
  public static let pageSize = 4096

  /// Its name on the command line.
  public var name: String
  /// The hardware it is for (`NRF_DFU_HW_VERSION`).
  public var hardwareVersion: UInt32 = 52
  /// Firmware identifier of the SoftDevice it runs on.
  public var softDeviceIdentifier: UInt32
  /// The address at which the SoftDevice ends and bank 0 begins.
  public var bankStart: UInt32
  /// The address of the bootloader.
  public var bootloaderStart: UInt32
  /// Octets of the bootloader's area.
  public var bootloaderAreaSize: UInt32
  /// Octets below the bootloader that belong to the application (`NRF_DFU_APP_DATA_AREA_SIZE`).
  public var applicationDataSize: UInt32 = 12_288
  /// Whether packets marked as debug skip hardware, SoftDevice and version (`NRF_DFU_DEBUG_VERSION`), and a damaged
  /// application is started nevertheless.
  public var isDebug: Bool
  /// Whether a failed assertion resets the chip (`DEBUG_NRF`).
  public var asserts = true
  /// Whether applications must be signed (`NRF_DFU_REQUIRE_SIGNED_APP_UPDATE`).
  public var requiresSignature = true
  /// Whether versions may not fall (`NRF_DFU_APP_DOWNGRADE_PREVENTION`).
  public var preventsDowngrade = true
  /// Whether the installed version may be installed again (`NRF_DFU_APP_ACCEPT_SAME_VERSION`).
  public var acceptsSameVersion = true
  /// Whether executed objects survive a break (`NRF_DFU_SAVE_PROGRESS_IN_FLASH`).
  public var savesProgress = false
  /// Whether only the requests that an update needs are built in (`NRF_DFU_PROTOCOL_REDUCED`).
  public var isReduced = true
  /// Operations that may wait for the flash, with the one that runs; at least 5, which storing settings takes
  /// (`NRF_FSTORAGE_SD_QUEUE_SIZE`).
  public var flashQueueLimit = 16
  /// Whether a refused packet costs one of the buffers until the reset, as in the SDK.
  public var leaksBuffers = true
  /// Whether an image must have the digest that its init packet states. No build of Nordic's leaves that out.
  public var checksImage = true
  /// Whether an image counts as installed only when all of it is in place. In no build of Nordic's it counts before,
  /// nor is a damaged one started by a release build.
  public var installsBeforeStarting = true
  /// Whether a name holds for one visit only. In every build of Nordic's it does.
  public var forgetsName = true
  /// Whether a new init packet takes the acceptance of the last one away. In every build of Nordic's it does.
  public var forgetsAcceptance = true
  /// Milliseconds that it waits for a client (`NRF_BL_DFU_INACTIVITY_TIMEOUT_MS`).
  public var inactivityTimeout = 60_000
  /// Milliseconds that it waits for the second part of an update (`NRF_BL_DFU_CONTINUATION_TIMEOUT_MS`).
  public var continuationTimeout = 10_000
  /// The name that it advertises unless another one was set (`NRF_DFU_BLE_ADV_NAME`).
  public var advertisedName = "dictofun_btld"

  /// nRF52832 with S132 7.2.0, debug.
  public static let s132Debug = BootloaderBuild(
    name: "s132-debug", softDeviceIdentifier: 0x0101, bankStart: 0x26000, bootloaderStart: 0x71000,
    bootloaderAreaSize: 0xD000, isDebug: true)

  /// nRF52832 with S132 7.2.0, release: no debug packages, no assertions.
  public static let s132Release: BootloaderBuild = {
    var build = s132Debug
    build.name = "s132-release"
    build.isDebug = false
    build.asserts = false
    return build
  }()

  /// nRF52840 with S140 7.2.0, debug: the build of Dictofun's Makefile.
  public static let s140Debug = BootloaderBuild(
    name: "s140-debug", softDeviceIdentifier: 0x0100, bankStart: 0x27000, bootloaderStart: 0xF0000,
    bootloaderAreaSize: 0xE000, isDebug: true)

  /// Every build that is known.
  public static let all = [s132Debug, s132Release, s140Debug]

  /// Name of the board it is for, such as `s140`, equal for all builds of the same board.
  public var board: String { String(name.prefix { $0 != "-" }) }

  /// The address at which the application's own data begin and the space for images ends.
  public var regionEnd: UInt32 { bootloaderStart - applicationDataSize }

  /// Octets of the largest image.
  public var regionSize: UInt32 { regionEnd - bankStart }

  /// A size, rounded up to whole pages.
  static func pages(_ size: UInt64) -> UInt64 {
    (size + UInt64(pageSize) - 1) / UInt64(pageSize) * UInt64(pageSize)
  }
}

/// The versions on a device that its bootloader compares.
public struct InstalledFirmware: Hashable, Sendable {
  /// Version of the application.
  public var applicationVersion: UInt32
  /// Version of the bootloader.
  public var bootloaderVersion: UInt32
  /// Octets of the application; `nil` where none is valid.
  public var applicationSize: UInt32?

  public init(applicationVersion: UInt32, bootloaderVersion: UInt32 = 1, applicationSize: UInt32? = nil) {
    self.applicationVersion = applicationVersion
    self.bootloaderVersion = bootloaderVersion
    self.applicationSize = applicationSize
  }
}
