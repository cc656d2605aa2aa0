import Phone
import ScenarioLanguage
import SecureDFU

/// The words by which a step names how an update failed.
enum UpdateFailures {
  static let declarations: [FailureDeclaration] =
    PhoneFailures.declarations + [
      FailureDeclaration("package-unfit", "The package cannot be for the recorder, which was not touched."),
      FailureDeclaration("nothing-offered", "The release feed offers nothing that the phone may offer."),
      FailureDeclaration("bootloader-not-found", "The bootloader is not heard after the recorder was asked for it."),
      FailureDeclaration("application-not-found", "No application is heard after the update."),
      FailureDeclaration("checksums-differ", "What arrives is not what was sent, again and again."),
      FailureDeclaration("bootloader-silent", "The bootloader stops answering, again and again."),
      FailureDeclaration("link-lost", "The link breaks too often."),
    ] + refusals.map { FailureDeclaration($0.word, $0.meaning) }

  /// A reply, cut to its result code and extended error, with its word.
  private struct Refusal {
    let octets: [UInt8]
    let word: String
    let meaning: String

    init(_ result: DFUResult, _ word: String, _ meaning: String) {
      octets = result.encoded
      self.word = "refused-" + word
      self.meaning = "The bootloader refuses: " + meaning
    }
  }

  private static let refusals = [
    Refusal(.code(.opCodeNotSupported), "request", "it does not know the request."),
    Refusal(.code(.invalidParameter), "size", "a size is wrong."),
    Refusal(.code(.insufficientResources), "room", "there is no room for the image."),
    Refusal(.code(.invalidObject), "object", "the init packet cannot be decoded, or a signature is wrong."),
    Refusal(.code(.operationNotPermitted), "order", "the request does not fit what came before."),
    Refusal(.code(.operationFailed), "operation", "the signature is too short, or nothing could be stored."),
    Refusal(.extended(.initCommandInvalid), "command", "the init packet lacks a field, or has an unknown type."),
    Refusal(.extended(.firmwareVersion), "version", "the version is below the installed one."),
    Refusal(.extended(.hardwareVersion), "hardware", "the package is for other hardware."),
    Refusal(.extended(.softDeviceVersion), "softdevice", "the package needs another SoftDevice."),
    Refusal(.extended(.signatureMissing), "unsigned", "the package is not signed."),
    Refusal(.extended(.wrongHashType), "hash-type", "the hash is not SHA-256."),
    Refusal(.extended(.wrongSignatureType), "signature-type", "the signature is not ECDSA on P-256."),
    Refusal(.extended(.verificationFailed), "image", "the image is not the one that the init packet announces."),
  ]

  /// The word for a reply of the bootloader or the application.
  static func word(_ reply: [UInt8]) -> String {
    refusals.first { $0.octets == Array(reply.dropFirst(2)) }?.word ?? "refused-request"
  }

  /// The word for what went wrong.
  static func word(_ trouble: UpdateTrouble) -> String {
    switch trouble {
    case .bootloaderNotFound: "bootloader-not-found"
    case .checksumsDiffer: "checksums-differ"
    case .noAnswer: "bootloader-silent"
    case .linkLost: "link-lost"
    case .applicationNotFound: "application-not-found"
    }
  }
}
