import Bytes
import DictofunProtocol
import HCI
import Text
import Verdicts

extension Happening {
  /// Returns what happened as a person would tell it, without who did it: `asks for the list of files`. The text may hold
  /// what a device said.
  package var words: String {
    switch self {
    case .advertisingStarted(let slots):
      "begins to advertise, every \(DurationText.precise(.microseconds(Int64(slots) * 625)))"
    case .advertisingStopped: "stops advertising"
    case .advertisementHeard(let address, let isRecorder, _):
      isRecorder ? "hears a recorder, \(address)" : "hears \(address)"
    case .linkUp(_, let parameters): "connected, \(parameters.words)"
    case .linkFailed(let error): "no connection was made: \(error.words)"
    case .linkDown(let error): "disconnected: \(error.words)"
    case .parametersChanged(let parameters): "the connection changed to \(parameters.words)"
    case .physicalLayers(let transmit, let receive):
      "the radio uses the PHY " + (transmit == receive ? transmit.words : "\(transmit.words) and \(receive.words)")
    case .dataLength(let transmit, let receive):
      "packets on the air hold up to \(transmit) octets" + (transmit == receive ? "" : " and \(receive)")
    case .maximumTransmissionUnit(let octets): "an ATT packet holds up to \(octets) octets"
    case .attributesKnown(let isRemembered):
      isRemembered ? "remembers the recorder's attributes" : "discovers the recorder's attributes"
    case .undetermined(let reason): "cannot be followed: \(reason.rawValue)"
    default: exchangeWords ?? ""
    }
  }

  /// The words of what is said on a link; `nil` for the link itself.
  private var exchangeWords: String? {
    switch self {
    case .pairingStarted: "pairing begins"
    case .paired(let sizes): "paired\(sizes?.shortness ?? "")"
    case .pairingFailed(let reason): "pairing failed: \(SecurityWords.text(reason))"
    case .encrypted: "the link is encrypted"
    case .encryptionFailed(let error): "the link could not be encrypted: \(error.words)"
    case .parametersAsked(let asked):
      "asks for a connection interval of \(NumberText.grouped(Int(asked.minimumIntervalUnits) * 1250)) to "
        + "\(NumberText.grouped(Int(asked.maximumIntervalUnits) * 1250)) µs"
    case .batteryAsked: "asks for the battery level"
    case .batteryRead(let percent): "answers: the battery has \(percent) %"
    case .batteryNotified(let percent): "notifies: the battery has \(percent) %"
    case .batteryMalformed(let octets): "tells a battery level of \(Wording.count(octets, "octet"))"
    case .batterySubscribed(let isOn): "switches notifications of the battery level \(isOn ? "on" : "off")"
    case .timeAsked: "asks for the time"
    case .timeServed(let time): time.map { "answers: it is \($0)" } ?? "answers with a time that is not a date"
    case .timeRefused(let error): "refuses to tell the time: \(AttributeErrorWords.text(error))"
    case .serviceUsed(let service): "uses the \(service.words) service"
    case .unpairRequested: "asks the recorder to forget the pairing"
    case .unpairAnswered(let isTaken): isTaken ? "forgets the pairing" : "refuses to forget the pairing"
    case .nameWritten(let isAccepted): isAccepted ? "writes the recorder's name" : "may not write the recorder's name"
    case .fileTransfer(let happening): happening.words
    case .firmwareUpdate(let happening): happening.words
    case .malformed(let reason): "an invalid packet: \(reason)"
    case .oracle(let event): event.words
    default: nil
    }
  }

  /// The way it took between phone and recorder.
  package var way: ReportedEvent.Way {
    switch self {
    case .batteryAsked, .batterySubscribed, .timeServed, .timeRefused, .serviceUsed, .unpairRequested, .nameWritten:
      .toRecorder
    case .batteryRead, .batteryNotified, .batteryMalformed, .timeAsked, .parametersAsked, .unpairAnswered: .toPhone
    case .fileTransfer(let happening): happening.way
    case .firmwareUpdate(let happening): happening.way
    case .linkUp, .linkDown, .parametersChanged, .physicalLayers, .dataLength, .maximumTransmissionUnit,
      .pairingStarted, .paired, .pairingFailed,
      .encrypted, .encryptionFailed:
      .between
    case .advertisingStarted, .advertisingStopped, .advertisementHeard, .linkFailed, .attributesKnown, .malformed,
      .undetermined, .oracle:
      .local
    }
  }
}

extension PhysicalLayer {
  /// Its name in scenarios: `1M`, `2M` or `coded`.
  package var words: String {
    switch self {
    case .le1M: "1M"
    case .le2M: "2M"
    case .leCoded: "coded"
    }
  }
}

extension FileTransferHappening {
  fileprivate var way: ReportedEvent.Way {
    if case .requested = self { .toRecorder } else { .toPhone }
  }

  fileprivate var words: String {
    switch self {
    case .requested(let request): request.words
    case .requestTaken(let request): "accepts the request: \(request.words)"
    case .requestRefused(let request, let error):
      "refuses the request: \(request.words): \(AttributeErrorWords.text(error))"
    case .answerNotEnabled(let request): "cannot answer, because the phone did not enable it: \(request.words)"
    case .listing(let announced, let present):
      "sends a part of the list: \(Wording.count(announced, "record")) announced, \(present) present so far"
    case .listed(let identifiers):
      "sends the list of files: \(Wording.count(identifiers.count, "record"))"
        + (identifiers.isEmpty ? "" : ", " + Self.first(identifiers))
    case .informed(let identifier, let size):
      "tells the size of \(Self.name(identifier)): \(NumberText.octets(size))"
    case .data(let identifier, let octets, let received, let size):
      "sends \(NumberText.octets(octets)) of \(Self.name(identifier)), \(NumberText.grouped(received)) "
        + (size.map { "of \(NumberText.grouped($0))" } ?? "so far")
    case .completed(let identifier, let octets):
      "has sent \(Self.name(identifier)) to its end: \(NumberText.octets(octets))"
    case .fileSystemStatus(let status):
      "tells the state of its memory: \(Wording.count(status.fileCount, "record")), "
        + "\(NumberText.octets(status.occupiedBytes)) used, \(NumberText.octets(status.freeBytes)) free"
    case .status(let status): "answers with a status: \(status.words)"
    case .valueRead(let octets): "lets a value of the service be read: \(Wording.count(octets, "octet"))"
    case .notUnderstood(let reason): "sends what its protocol does not allow: \(reason)"
    }
  }

  private static func name(_ identifier: RecordIdentifier?) -> String {
    identifier.map { "record \($0)" } ?? "a record that was asked for earlier"
  }

  private static func first(_ identifiers: [RecordIdentifier]) -> String {
    let shown = identifiers.prefix(3).map(\.description).joined(separator: ", ")
    return identifiers.count > 3 ? "first \(shown)" : shown
  }
}

extension ControlPointRequest {
  /// The request as a person would tell it: `asks for the list of files`.
  var words: String {
    switch self {
    case .listFiles: "asks for the list of files"
    case .fileInformation(let identifier): "asks for the size of record \(identifier)"
    case .fileData(let identifier): "asks for record \(identifier)"
    case .fileSystemStatus: "asks for the state of the memory"
    case .receiveComplete: "says that everything was received"
    case .unaccepted(let octets):
      "writes \(NumberText.octets(octets.count)) that are not a request: \(Hexadecimal.string(Array(octets.prefix(8))))"
    }
  }
}

extension GeneralStatus {
  fileprivate var words: String {
    switch self {
    case .ok: "all is well (1)"
    case .fileNotFound(let identifier): "record \(identifier) not found (2)"
    case .fileSystemCorrupt: "the file system is corrupt (3)"
    case .aborted(let reason): "aborted (4), reason \(reason)"
    case .genericFailure: "failed (5)"
    }
  }
}

extension RecorderService {
  /// What a phone did that used it, such as `used the file transfer service`.
  var use: String { "used the \(words) service" }

  fileprivate var words: String {
    switch self {
    case .fileTransfer: "file transfer"
    case .battery: "battery"
    case .firmwareUpdate: "update"
    }
  }
}

extension LELinkParameters {
  fileprivate var words: String {
    "an event every \(DurationText.precise(.microseconds(Int64(intervalUnits) * 1_250)))"
      + ", supervision timeout \(DurationText.precise(supervision))"
  }
}

extension ErrorCode {
  /// The code as a person would tell it, with its number.
  package var words: String { "\(meaning) (0x\(Hexadecimal.digits(rawValue)))" }

  private var meaning: String {
    switch self {
    case .authenticationFailure: "authentication failed"
    case .pinOrKeyMissing: "the other end has no key: remove the pairing on both sides and pair again"
    case .connectionTimeout: "nothing was heard for the supervision timeout"
    case .remoteUserTerminatedConnection: "the other end ended the connection"
    case .remoteDeviceTerminatedDueToLowResources: "the other end is short of resources"
    case .remoteDeviceTerminatedDueToPowerOff: "the other end was switched off"
    case .connectionTerminatedByLocalHost: "this end ended the connection"
    case .linkLayerResponseTimeout: "a procedure of the link layer was not answered within 40 s"
    case .instantPassed: "a change came too late"
    case .unacceptableConnectionParameters: "the connection parameters were refused"
    case .connectionTerminatedDueToMICFailure:
      "an encrypted packet did not fit the key: remove the pairing on both sides and pair again"
    case .connectionFailedToBeEstablished: "the first packets of the connection were never heard"
    case .unknownConnectionIdentifier: "no such connection"
    case .commandDisallowed: "not allowed in this state"
    case .connectionLimitExceeded: "no further connection can be made"
    case .unspecifiedError: "no reason was given"
    default: "controller error"
    }
  }
}

/// The reasons with which a pairing fails (Core Specification Vol 3, Part H, 3.5.5); 0, which no packet holds, is the end of
/// a host's patience (3.4).
package enum SecurityWords {
  private static let reasons = [
    "no answer came within 30 s",
    "passkey entry failed", "no out-of-band data", "the authentication requirements cannot be met",
    "the confirm value did not match", "pairing is not supported", "the key is too short",
    "the command is not supported", "no reason was given", "too many attempts", "invalid parameters",
    "the DHKey check failed", "the numbers compared did not match", "a pairing over BR/EDR is going on",
    "keys for another transport may not be derived", "a key was rejected", "the other end is busy",
  ]

  /// The reason in words, with its number.
  package static func text(_ reason: UInt8) -> String {
    let words = Int(reason) < reasons.count ? reasons[Int(reason)] : "unknown reason"
    return "\(words) (0x\(Hexadecimal.digits(reason)))"
  }
}

/// The errors of the Attribute Protocol (Core Specification Vol 3, Part F, 3.4.1.1).
package enum AttributeErrorWords {
  /// The error in words, with its number.
  package static func text(_ error: UInt8) -> String {
    let words =
      switch error {
      case 0x01: "no such attribute"
      case 0x02: "may not be read"
      case 0x03: "may not be written"
      case 0x05: "the link must be paired first"
      case 0x06: "the request is not supported"
      case 0x08: "not authorised"
      case 0x0D: "the value has the wrong length"
      case 0x0E: "an unlikely error"
      case 0x0F: "the link must be encrypted first"
      case 0x11: "insufficient resources"
      case 0x80...0x9F: "an error of the application"
      case 0xFD: "notifications are not enabled"
      case 0xFE: "a procedure is already running"
      default: "error"
      }
    return "\(words) (0x\(Hexadecimal.digits(error)))"
  }
}

extension OfferedKeySizes {
  /// What there is to say of a key that is shorter than it could be; `nil` where it is not.
  fileprivate var shortness: String? {
    agreed < Self.longest ? ", with a key of \(Wording.count(Int(agreed), "octet")) instead of \(Self.longest)" : nil
  }
}
