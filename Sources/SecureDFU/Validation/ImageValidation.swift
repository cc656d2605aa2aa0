import Bytes
import Crypto

/// The reason why a bootloader refuses a complete image.
public enum ImageRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its digest is not the one that the init packet states.
  case digest
  /// The signature for its checks on start does not verify.
  case bootSignature
  /// A SoftDevice lacks the structure by which its version is found.
  case softDeviceStructure

  /// The result that the bootloader answers.
  public var result: DFUResult {
    switch self {
    case .digest: .extended(.verificationFailed)
    case .bootSignature, .softDeviceStructure: .code(.invalidObject)
    }
  }

  public var description: String {
    switch self {
    case .digest: "the image's digest is not the one in the init packet"
    case .bootSignature: "the signature for boot validation does not verify"
    case .softDeviceStructure: "the image does not contain a SoftDevice"
    }
  }
}

extension InitPacketValidator {
  /// Offset of a SoftDevice's magic number in its image, after the master boot record, which is not part of it.
  private static let softDeviceMagicOffset = 0x2004
  private static let softDeviceMagic: [UInt8] = [0xDB, 0xE5, 0xB1, 0x51]

  /// Checks an image against its init packet, as the bootloader does when the last object is executed
  /// (nRF5 SDK 17.1.0, `nrf_dfu_validation_post_data_execute`).
  public func check(_ image: [UInt8], _ command: InitCommand) throws(ImageRefusal) {
    guard command.matches(digest: SHA256.digest(image)) else { throw .digest }
    switch command.type {
    case .softDevice?, .softDeviceAndBootloader?:
      let magic = image.dropFirst(Self.softDeviceMagicOffset).prefix(4)
      guard magic.elementsEqual(Self.softDeviceMagic) else { throw .softDeviceStructure }
    default:
      for validation in command.bootValidations where validation.type == BootValidation.ecdsa {
        guard let publicKey else { continue }
        guard let raw = InitSignature(bytes: validation.bytes).mostSignificantFirst,
          ECDSA.isValid(raw, for: image, publicKey: publicKey)
        else { throw .bootSignature }
      }
    }
  }
}
