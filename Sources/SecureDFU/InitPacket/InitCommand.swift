/// The firmware in a package, as the init packet declares it (`FwType` of Nordic's `dfu-cc.proto`).
public struct FirmwareType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The application.
  public static let application = FirmwareType(rawValue: 0)
  /// The SoftDevice alone.
  public static let softDevice = FirmwareType(rawValue: 1)
  /// The bootloader alone.
  public static let bootloader = FirmwareType(rawValue: 2)
  /// SoftDevice and bootloader, one after the other.
  public static let softDeviceAndBootloader = FirmwareType(rawValue: 3)
  /// Firmware for another chip; a bootloader accepts it only if built for it.
  public static let externalApplication = FirmwareType(rawValue: 4)

  public var description: String {
    switch self {
    case .application: "application"
    case .softDevice: "softdevice"
    case .bootloader: "bootloader"
    case .softDeviceAndBootloader: "softdevice_bootloader"
    case .externalApplication: "external_application"
    default: "unknown(\(rawValue))"
    }
  }
}

/// The image's digest as an init packet states it.
public struct FirmwareHash: Hashable, Sendable {
  /// The kind that bootloaders accept: SHA-256.
  public static let sha256: UInt32 = 3
  /// Octets of the longest digest that the bootloader's decoder takes.
  public static let lengthLimit = 32

  /// The hash algorithm (`HashType`): 0 none, 1 CRC, 2 SHA-128, 3 SHA-256, 4 SHA-512.
  public var type: UInt32
  /// The digest, last octet first.
  public var digest: [UInt8]

  public init(type: UInt32 = FirmwareHash.sha256, digest: [UInt8]) {
    self.type = type
    self.digest = digest
  }
}

/// The check of an image on each start.
public struct BootValidation: Hashable, Sendable {
  /// Nothing is checked.
  public static let none: UInt32 = 0
  /// A CRC that the bootloader computes on installing.
  public static let generatedCRC: UInt32 = 1
  /// A SHA-256 that the bootloader computes on installing.
  public static let sha256: UInt32 = 2
  /// A signature of the image, which the packet brings along.
  public static let ecdsa: UInt32 = 3
  /// Octets that the bootloader's decoder takes at most.
  public static let lengthLimit = 64

  /// The kind of check (`ValidationType`), 0 to 3.
  public var type: UInt32
  /// The signature, r and s with the least significant octet first each; empty for the other checks.
  public var bytes: [UInt8]

  public init(type: UInt32, bytes: [UInt8] = []) {
    self.type = type
    self.bytes = bytes
  }
}

/// The init packet's description of an image (`InitCommand` of Nordic's `dfu-cc.proto`); missing values are `nil`.
public struct InitCommand: Hashable, Sendable {
  /// Entries of `softDeviceRequirements` that the bootloader's decoder takes at most.
  public static let softDeviceRequirementLimit = 16
  /// Boot validations that the bootloader's decoder takes at most.
  public static let bootValidationLimit = 3

  /// Version of the firmware.
  public var firmwareVersion: UInt32?
  /// The hardware it is for.
  public var hardwareVersion: UInt32?
  /// Firmware identifiers of the SoftDevices it runs on.
  public var softDeviceRequirements: [UInt32] = []
  /// The type of the image.
  public var type: FirmwareType?
  /// Octets of the SoftDevice.
  public var softDeviceSize: UInt32?
  /// Octets of the bootloader.
  public var bootloaderSize: UInt32?
  /// Octets of the application.
  public var applicationSize: UInt32?
  /// Digest of the image.
  public var hash: FirmwareHash?
  /// Whether a debug bootloader shall not compare versions.
  public var isDebug = false
  /// The checks of the images on each start.
  public var bootValidations: [BootValidation] = []

  /// A command without any value.
  public init() {}

  /// Octets of the whole image, by type; `nil` where a size that the type needs is missing or the sum is zero.
  public var imageSize: UInt64? {
    let sizes: [UInt32?]
    switch type {
    case .application?, .externalApplication?: sizes = [applicationSize]
    case .softDevice?: sizes = [softDeviceSize]
    case .bootloader?: sizes = [bootloaderSize]
    case .softDeviceAndBootloader?: sizes = [softDeviceSize, bootloaderSize]
    default: return nil
    }
    var sum: UInt64 = 0
    for size in sizes {
      guard let size else { return nil }
      sum += UInt64(size)
    }
    return sum == 0 ? nil : sum
  }

  /// Whether `image` is the one whose digest the packet states.
  func matches(digest: [UInt8]) -> Bool { hash.map { $0.digest.elementsEqual(digest.reversed()) } ?? false }
}
