import Bytes

/// The reason why a bootloader refuses an init packet; each case is the first check that failed.
public enum InitPacketRefusal: Error, Hashable, Sendable {
  /// The packet cannot be decoded.
  case malformed(DecodingFailure)
  /// The signature that the build requires is missing.
  case unsigned
  /// The signature is of another kind than ECDSA on P-256.
  case signatureType(UInt32)
  /// The signature has fewer than 64 octets.
  case signatureLength(Int)
  /// The signature is not one of these bytes under the bootloader's key.
  case signature
  /// The type is missing or not supported.
  case type(FirmwareType?)
  /// The hash is missing or not SHA-256.
  case hashType(UInt32?)
  /// The packet names no hardware.
  case hardwareMissing
  /// The packet is for other hardware.
  case hardware(required: UInt32, present: UInt32)
  /// The SoftDevice that runs is not among those the packet names.
  case softDevice(required: [UInt32], present: UInt32)
  /// The packet has no version.
  case versionMissing
  /// The version is below the lowest that may be installed.
  case version(offered: UInt32, installed: UInt32)
  /// A size that the type needs is missing or zero.
  case sizeMissing
  /// The bootloader is larger than its area.
  case bootloaderSize(UInt32, limit: UInt32)
  /// The image is larger than the memory for it.
  case imageSize(UInt64, limit: UInt32)

  /// The result that the bootloader answers.
  public var result: DFUResult {
    switch self {
    case .malformed, .signature: .code(.invalidObject)
    case .unsigned: .extended(.signatureMissing)
    case .signatureType: .extended(.wrongSignatureType)
    case .signatureLength: .code(.operationFailed)
    case .type, .hardwareMissing, .versionMissing, .sizeMissing: .extended(.initCommandInvalid)
    case .hashType: .extended(.wrongHashType)
    case .hardware: .extended(.hardwareVersion)
    case .softDevice: .extended(.softDeviceVersion)
    case .version: .extended(.firmwareVersion)
    case .bootloaderSize, .imageSize: .code(.insufficientResources)
    }
  }

  /// Whether the command object keeps its content; it does only where the packet could not be decoded.
  public var keepsProgress: Bool {
    if case .malformed = self { true } else { false }
  }
}

extension InitPacketRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed(let failure): "cannot be decoded: \(failure)"
    case .unsigned: "is not signed"
    case .signatureType(let type): "has a signature of type \(type), not ECDSA P-256"
    case .signatureLength(let length): "has a signature of \(length) octets, not 64"
    case .signature: "has a signature that does not verify under this key"
    case .type(let type?): "contains \(type), which this bootloader does not install"
    case .type(nil): "does not name a type of firmware"
    case .hashType(let type?): "has a hash of type \(type), not SHA-256"
    case .hashType(nil): "has no hash"
    case .hardwareMissing: "does not name a hardware version"
    case .hardware(let required, let present): "is for hardware \(required), but the board is \(present)"
    case .softDevice(let required, let present):
      softDeviceWords(required, present)
    case .versionMissing: "has no version"
    case .version(let offered, let installed): "is version \(offered), but version \(installed) is installed"
    case .sizeMissing: "does not declare the size of its image"
    case .bootloaderSize(let size, let limit): "has a bootloader of \(size) octets; at most \(limit) fit"
    case .imageSize(let size, let limit): "has an image of \(size) octets; at most \(limit) fit"
    }
  }

  private func hexadecimal(_ value: UInt32) -> String { "0x" + String(value, radix: 16, uppercase: true) }
}

/// An image that a bootloader is ready to take.
public struct AcceptedImage: Hashable, Sendable {
  /// The command of the packet.
  public let command: InitCommand
  /// Octets of the image.
  public let size: UInt32
  /// The place where it will be stored.
  public let start: UInt32
  /// Whether the installed application is given up before the image has arrived, for want of room beside it.
  public let replacesApplication: Bool
}

extension InitPacketRefusal {
  /// Why the list of SoftDevices is refused. Zero in its first place means that the image brings its own or needs none.
  fileprivate func softDeviceWords(_ required: [UInt32], _ present: UInt32) -> String {
    guard let first = required.first else { return "does not name the SoftDevice that it needs" }
    let others = required.dropFirst().map(hexadecimal).joined(separator: ", ")
    if first == 0, !others.isEmpty {
      return "begins its list of SoftDevices with 0x0, which means that it needs none, but goes on with \(others)"
    }
    if first == 0 { return "brings its own SoftDevice, which this bootloader does not replace" }
    let names = required.map(hexadecimal).joined(separator: " or ")
    return "needs SoftDevice \(names), but the board runs \(hexadecimal(present))"
  }
}
