import Phone
import ScenarioLanguage
import SecureDFU

/// The words by which a step names how an update failed.
extension FailureDeclaration {
  static let packageUnfit = FailureDeclaration(
    "package-unfit", "The package cannot be for the recorder, which was not touched.")
  static let nothingOffered = FailureDeclaration(
    "nothing-offered", "The release feed offers nothing that the phone may offer.")
  static let bootloaderNotFound = FailureDeclaration(
    "bootloader-not-found", "The phone asked the recorder for its bootloader and does not hear it.",
    isOutOfReach: true)
  static let applicationNotFound = FailureDeclaration(
    "application-not-found", "The phone hears no application after the update.", isOutOfReach: true)
  static let checksumsDiffer = FailureDeclaration(
    "checksums-differ", "What arrives differs from what was sent, in every attempt.")
  static let bootloaderSilent = FailureDeclaration(
    "bootloader-silent", "The bootloader stops answering, in every attempt.")
  static let linkLost = FailureDeclaration("link-lost", "The phone gave up because the link broke too many times.")

  /// Every failure of an operation, those of updates last, in the order of the reference.
  static let ofUpdates: [FailureDeclaration] =
    ofPhones + [
      packageUnfit, nothingOffered, bootloaderNotFound, applicationNotFound, checksumsDiffer, bootloaderSilent,
      linkLost,
    ] + refusals.map(\.failure)

  /// A result code of the bootloader with its failure.
  private struct Refusal {
    let octets: [UInt8]
    let failure: FailureDeclaration

    init(_ result: DFUResult, _ word: String, _ meaning: String) {
      octets = result.encoded
      failure = FailureDeclaration("refused-" + word, "The bootloader refuses: " + meaning)
    }
  }

  private static let unknownRequest = Refusal(.code(.opCodeNotSupported), "request", "unknown request.")

  private static let refusals = [
    unknownRequest,
    Refusal(.code(.invalidParameter), "size", "wrong size."),
    Refusal(.code(.insufficientResources), "room", "not enough space for the image."),
    Refusal(.code(.invalidObject), "object", "the init packet cannot be decoded, or its signature is invalid."),
    Refusal(.code(.operationNotPermitted), "order", "the request is not allowed in this state."),
    Refusal(.code(.operationFailed), "operation", "the signature is too short, or writing failed."),
    Refusal(.extended(.initCommandInvalid), "command", "the init packet has a missing field or an unknown type."),
    Refusal(.extended(.firmwareVersion), "version", "the version is lower than the installed one."),
    Refusal(.extended(.hardwareVersion), "hardware", "the package is for other hardware."),
    Refusal(.extended(.softDeviceVersion), "softdevice", "the package needs another SoftDevice."),
    Refusal(.extended(.signatureMissing), "unsigned", "the package is not signed."),
    Refusal(.extended(.wrongHashType), "hash-type", "the hash is not SHA-256."),
    Refusal(.extended(.wrongSignatureType), "signature-type", "the signature is not ECDSA on P-256."),
    Refusal(.extended(.verificationFailed), "image", "the image does not match the init packet."),
  ]

  /// The failure that a reply of the bootloader or the application means.
  static func refused(by reply: [UInt8]) -> FailureDeclaration {
    refusals.first { $0.octets == Array(reply.dropFirst(2)) }?.failure ?? unknownRequest.failure
  }

  /// The failure that an update ended with.
  static func update(_ trouble: UpdateTrouble) -> FailureDeclaration {
    switch trouble {
    case .bootloaderNotFound: bootloaderNotFound
    case .checksumsDiffer: checksumsDiffer
    case .noAnswer: bootloaderSilent
    case .linkLost: linkLost
    case .applicationNotFound: applicationNotFound
    }
  }
}
