import Requirements
import ScenarioLanguage
import SecureDFU

/// The events of firmware updates.
extension Observations {
  // MARK: On the air

  enum UpdateRequest: String, FieldChoice {
    case startBootloader = "start-bootloader"
    case setName = "set-name"
    case create
    case setReceipts = "set-receipts"
    case checksum, execute, select, abort, other

    var meaning: String {
      switch self {
      case .startBootloader: "Start the bootloader."
      case .setName: "Set the name that the bootloader advertises."
      case .create: "Create an object."
      case .setReceipts: "Set the number of packets between receipt notifications."
      case .checksum: "Report the offset and checksum of the object."
      case .execute: "Execute the object."
      case .select: "Select the last object and report its offset and checksum."
      case .abort: "Abort the update."
      case .other: "Any other request."
      }
    }
  }

  enum UpdateObject: String, FieldChoice {
    case command, data

    var meaning: String { self == .command ? "The init packet." : "A part of the image." }
  }

  static let updateRequest = Field<UpdateRequest>("opcode", "The request.")
  static let updateObject = Field<UpdateObject>("object", "Which object is selected or created.")
    .only(where: updateRequest, is: .select, .create)
  static let objectSize = Field<ByteCount>("size", "Size of the created object.")
    .only(where: updateRequest, is: .create)
  static let dfuRequest = ObservableEvent(
    ObservationDeclaration(
      "dfu.request", "The phone sends a request to the update service of the application or the bootloader.",
      fields: [updateRequest, updateObject, objectSize],
      example: "- eventually: {dfu.request: {opcode: create, object: data, size: 4 KiB}}\n  within: 1 min")
  ) { heard in
    switch heard.firmwareUpdate {
    case .buttonlessRequested(let request)?: return .one(updateRequest, .init(request))
    case .requested(let request)?:
      return .one(updateRequest, .init(request)).with(updateObject, request.object.map { .init($0) })
        .with(objectSize, request.size.map { ByteCount(bytes: Int($0)) })
    default: return nil
    }
  }

  static let result = Field<UpdateResult>("result", "The result: a word, or its number.").limited(to: 0...255)
  static let extended = Field<UpdateRefusal>("extended", "The extended error: a word, or its number.")
    .limited(to: 0...255)
  static let dfuReply = ObservableEvent(
    ObservationDeclaration(
      "dfu.reply", "The application or the bootloader answers a request.", fields: [updateRequest, extended],
      shorthand: result,
      example: "- eventually: {dfu.reply: {opcode: execute, result: extended-error, extended: hardware-version}}\n"
        + "  within: 1 min")
  ) { heard in
    switch heard.firmwareUpdate {
    case .buttonlessAnswered(let request, let code)?:
      return .one(updateRequest, .init(request)).with(result, anyOf: UpdateResult.values(code))
    case .answered(let request, let answer)?:
      let findings = Findings.one(updateRequest, .init(request))
        .with(result, anyOf: UpdateResult.values(answer.reply.resultCode))
      return answer.reply.extendedError.map { findings.with(extended, anyOf: UpdateRefusal.values($0)) } ?? findings
    default: return nil
    }
  }

  static let arrived = Field<ByteCount>("size", "Octets of the image or the init packet received so far.")
  static let dfuReceipt = ObservableEvent(
    ObservationDeclaration(
      "dfu.receipt", "The bootloader sends a receipt notification.", shorthand: arrived,
      example: "- eventually: {dfu.receipt: 2928 B}\n  within: 1 min")
  ) { heard in
    guard case .receipt(let answer)? = heard.firmwareUpdate, let object = answer.reply.object else { return nil }
    return .one(arrived, ByteCount(bytes: Int(object.offset)))
  }

  // MARK: The phone

  enum UpdatePhase: String, FieldChoice {
    case checking, entering, finding, announcing, sending, activating, verifying, ended
  }

  enum UpdatePlace: String, FieldChoice {
    case nowhere, application, bootloader
  }

  static let phase = Field<UpdatePhase>("phase", "The current phase.")
  static let place = Field<UpdatePlace>("place", "The recorder's program that the phone is connected to.")
  static let updatePercent = Field<Share>("percent", "Share of the image confirmed by the bootloader.")
  static let updateState = ObservableEvent(
    ObservationDeclaration(
      "update.state", of: [.phone], "The phone shows the state of an update.", fields: [place, updatePercent],
      shorthand: phase,
      example: "- eventually: {update.state: {phase: sending, percent: {at-least: 50 %}}}\n  within: 2 min")
  ) { heard in
    guard case .shown(_, let state)? = heard.update else { return nil }
    return .one(phase, .init(state.phase)).with(place, .init(state.place))
      .with(updatePercent, Share(percent: state.percent))
  }

  static let version = Field<Int>("version", "The application's version.").limited(to: 0...)
  static let updateOffered = ObservableEvent(
    ObservationDeclaration(
      "update.offered", of: [.phone], "The phone offers newer firmware to its user.", shorthand: version,
      example: "- eventually: {update.offered: 2}\n  within: 1 min")
  ) { heard in
    guard case .offered(_, let number)? = heard.update else { return nil }
    return .one(version, Int(number))
  }

  enum Installed: String, FieldChoice {
    case new, old, none, unknown
  }

  static let installed = Field<Installed>("installed", "The installed firmware, as the phone reports it.")
  static let updateEnded = ObservableEvent(
    ObservationDeclaration(
      "update.ended", of: [.phone], "An update ends, and the phone reports the installed firmware.",
      shorthand: installed,
      example: "- eventually: {update.ended: new}\n  within: 5 min")
  ) { heard in
    guard case .ended(_, let state, _)? = heard.update else { return nil }
    return .one(installed, .init(state))
  }

  // MARK: The recorder, from inside

  static let isWhole = Field<Bool>("whole", "Whether the image is intact.")
  static let deviceFirmware = ObservableEvent(
    ObservationDeclaration(
      "device.firmware", of: [.device], "The recorder starts an application.", fields: [isWhole], shorthand: version,
      isOracle: true,
      example: "- eventually: {device.firmware: {version: 2, whole: true}}\n  within: 1 min")
  ) { heard in
    guard case .firmwareStarted(_, let number, let isIntact)? = heard.update else { return nil }
    return .one(version, Int(number)).with(isWhole, isIntact)
  }

  static let deviceBootloader = ObservableEvent(
    ObservationDeclaration(
      "device.bootloader", of: [.device], "The recorder's bootloader waits for an update.", isOracle: true,
      example: "- eventually: device.bootloader\n  within: 10 s")
  ) { heard in
    if case .bootloaderStarted? = heard.update { .happened } else { nil }
  }

  static let updates = [
    dfuRequest, dfuReply, dfuReceipt, updateState, updateOffered, updateEnded, deviceFirmware, deviceBootloader,
  ]
}

/// The third octet of an answer, as a word or a number.
struct UpdateResult: FieldValue {
  private static let words: [(UInt8, ValueType.Choice)] = [
    (0x01, .init("success")), (0x02, .init("not-supported", "The request is unknown.")),
    (0x03, .init("invalid-parameter", "A size that cannot be, or a packet beyond its object.")),
    (0x04, .init("insufficient-resources", "Not enough space.")),
    (0x05, .init("invalid-object", "It cannot be decoded, or its signature is wrong.")),
    (0x08, .init("not-permitted", "It does not fit what came before.")),
    (0x0A, .init("failed", "A signature is too short, or settings could not be stored.")),
    (0x0B, .init("extended-error", "`extended` tells.")),
  ]

  static var valueType: ValueType { .either([.choice(words.map(\.1)), .integer]) }

  private let value: Value

  init?(_ value: Value) { self.value = value }

  var encoded: Value? { value }

  /// The words and numbers by which scenarios may name an octet.
  static func values(_ octet: UInt8) -> [Value] {
    words.filter { $0.0 == octet }.map { .word($0.1.word) } + [.integer(Int(octet))]
  }
}

/// The fourth octet of an answer, as a word or a number.
struct UpdateRefusal: FieldValue {
  private static let words: [(DFUExtendedError, ValueType.Choice)] = [
    (.initCommandInvalid, .init("init-packet", "Something that its type needs is missing.")),
    (.firmwareVersion, .init("firmware-version", "The version is below the installed one.")),
    (.hardwareVersion, .init("hardware-version", "It is for other hardware.")),
    (.softDeviceVersion, .init("softdevice-version", "It needs another SoftDevice.")),
    (.signatureMissing, .init("signature-missing", "It is not signed.")),
    (.wrongHashType, .init("hash-type", "Its hash is not SHA-256.")),
    (.wrongSignatureType, .init("signature-type", "Its signature is not ECDSA on P-256.")),
    (.verificationFailed, .init("verification-failed", "The image has another digest.")),
  ]

  static var valueType: ValueType { .either([.choice(words.map(\.1)), .integer]) }

  private let value: Value

  init?(_ value: Value) { self.value = value }

  var encoded: Value? { value }

  /// The words and numbers by which scenarios may name an octet.
  static func values(_ octet: UInt8) -> [Value] {
    words.filter { $0.0.rawValue == octet }.map { .word($0.1.word) } + [.integer(Int(octet))]
  }
}
