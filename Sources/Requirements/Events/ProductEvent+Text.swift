import DictofunProtocol
import HCI
import Timeline
import Verdicts

extension Happening {
  /// The name by which reports call it: the word of scenarios, where they have one for it.
  public var name: String {
    switch self {
    case .advertisingStarted: "advertising.started"
    case .advertisingStopped: "advertising.stopped"
    case .advertisementHeard: "advertising.heard"
    case .linkUp: "link.up"
    case .linkFailed: "link.failed"
    case .linkDown: "link.down"
    case .parametersChanged: "link.parameters"
    case .physicalLayers: "link.phy"
    case .dataLength: "link.data-length"
    case .parametersAsked: "link.parameters-asked"
    case .maximumTransmissionUnit: "link.mtu"
    case .attributesKnown: "link.attributes"
    case .pairingStarted: "pairing"
    case .paired: "paired"
    case .pairingFailed: "pairing.failed"
    case .encrypted: "secured"
    case .encryptionFailed: "encryption.failed"
    case .batteryAsked: "battery.asked"
    case .batteryRead: "battery.read"
    case .batteryNotified: "battery.notified"
    case .batterySubscribed: "battery.subscribed"
    case .batteryMalformed: "battery.malformed"
    case .timeAsked: "time.asked"
    case .timeServed: "time.served"
    case .timeRefused: "time.refused"
    case .serviceUsed: "service.used"
    case .unpairRequested: "unpair.requested"
    case .unpairAnswered: "unpair.answered"
    case .nameWritten: "name.written"
    case .fileTransfer(let happening): "fts." + happening.name
    case .firmwareUpdate(let happening): "dfu." + happening.name
    case .malformed: "packet.malformed"
    case .undetermined: "link.undetermined"
    case .oracle(let event): "oracle." + event.name
    }
  }

  /// What the event holds, as names and values in a fixed order; empty where the name says it all.
  package var details: [EventDetail] {
    switch self {
    case .advertisingStarted(let slots): [.init("intervalMicroseconds", Int64(slots) * 625)]
    case .advertisementHeard(let address, let isRecorder, let strength):
      [.init("address", "\(address)"), .init("recorder", isRecorder), .init("rssi", Int64(strength))]
    case .linkUp(let role, let parameters): [.init("role", "\(role)")] + parameters.details
    case .parametersChanged(let parameters): parameters.details
    case .physicalLayers(let transmit, let receive):
      [.init("transmit", transmit.words), .init("receive", receive.words)]
    case .dataLength(let transmit, let receive):
      [.init("transmit", Int64(transmit)), .init("receive", Int64(receive))]
    case .linkFailed(let error), .linkDown(let error), .encryptionFailed(let error):
      [.init("reason", Int64(error.rawValue))]
    case .parametersAsked(let asked):
      [
        .init("minimumMicroseconds", Int64(asked.minimumIntervalUnits) * 1250),
        .init("maximumMicroseconds", Int64(asked.maximumIntervalUnits) * 1250),
        .init("latency", Int64(asked.latency)),
        .init("supervisionMilliseconds", Int64(asked.supervisionTimeoutUnits) * 10),
      ]
    case .maximumTransmissionUnit(let octets): [.init("octets", Int64(octets))]
    case .attributesKnown(let isRemembered): [.init("remembered", isRemembered)]
    case .paired(let sizes): sizes.map { [.init("keySize", Int64($0.agreed))] } ?? []
    case .pairingFailed(let reason): [.init("reason", Int64(reason))]
    case .batteryRead(let percent), .batteryNotified(let percent): [.init("percent", Int64(percent))]
    case .batterySubscribed(let isOn): [.init("on", isOn)]
    case .batteryMalformed(let octets): [.init("octets", Int64(octets))]
    case .timeServed(let time): [.init("time", time.map { "\($0)" } ?? "none")]
    case .timeRefused(let error): [.init("error", Int64(error))]
    case .serviceUsed(let service): [.init("service", "\(service)")]
    case .nameWritten(let isAccepted): [.init("accepted", isAccepted)]
    case .unpairAnswered(let isTaken): [.init("taken", isTaken)]
    case .fileTransfer(let happening): happening.details
    case .firmwareUpdate(let happening): happening.details
    case .malformed(let reason): [.init("reason", reason)]
    case .undetermined(let reason): [.init("reason", reason.rawValue)]
    case .oracle(let event): event.details
    case .advertisingStopped, .pairingStarted, .encrypted, .batteryAsked, .timeAsked, .unpairRequested: []
    }
  }
}

extension LELinkParameters {
  fileprivate var details: [EventDetail] {
    [
      .init("intervalMicroseconds", Int64(intervalUnits) * 1250), .init("latency", Int64(latency)),
      .init("supervisionMilliseconds", Int64(supervisionTimeoutUnits) * 10),
    ]
  }
}

extension FileTransferHappening {
  fileprivate var name: String {
    switch self {
    case .requested: "request"
    case .requestTaken: "request-taken"
    case .requestRefused: "request-refused"
    case .answerNotEnabled: "answer-not-enabled"
    case .listing: "files-list-part"
    case .listed: "files-list"
    case .informed: "file-info"
    case .data: "data"
    case .completed: "complete"
    case .fileSystemStatus: "fs-status"
    case .status: "status"
    case .valueRead: "value-read"
    case .notUnderstood: "not-understood"
    }
  }

  fileprivate var details: [EventDetail] {
    switch self {
    case .requested(let request), .requestTaken(let request), .answerNotEnabled(let request): request.details
    case .requestRefused(let request, let error): request.details + [.init("error", Int64(error))]
    case .listing(let announced, let present):
      [.init("announced", Int64(announced)), .init("present", Int64(present))]
    case .listed(let identifiers):
      [.init("count", Int64(identifiers.count))]
        + identifiers.prefix(8).enumerated().map { .init("file\($0.offset)", $0.element.description) }
    case .informed(let identifier, let size):
      [.init("file", identifier?.description ?? "unknown"), .init("size", Int64(size))]
    case .data(let identifier, let octets, let received, _):
      [
        .init("file", identifier?.description ?? "unknown"), .init("octets", Int64(octets)),
        .init("received", Int64(received)),
      ]
    case .completed(let identifier, let octets):
      [.init("file", identifier?.description ?? "unknown"), .init("octets", Int64(octets))]
    case .fileSystemStatus(let status):
      [
        .init("free", Int64(status.freeBytes)), .init("occupied", Int64(status.occupiedBytes)),
        .init("count", Int64(status.fileCount)),
      ]
    case .status(let status): [.init("code", Int64(status.encoded[0]))] + status.details
    case .valueRead(let octets): [.init("octets", Int64(octets))]
    case .notUnderstood(let reason): [.init("reason", reason)]
    }
  }
}

extension ControlPointRequest {
  /// The request's name in scenarios.
  package var name: String {
    switch self {
    case .listFiles: "files-list"
    case .fileInformation: "file-info"
    case .fileData: "file-data"
    case .fileSystemStatus: "fs-status"
    case .receiveComplete: "receive-complete"
    case .unaccepted: "other"
    }
  }

  fileprivate var details: [EventDetail] {
    switch self {
    case .fileInformation(let identifier), .fileData(let identifier):
      [.init("opcode", name), .init("file", identifier.description)]
    case .unaccepted(let octets): [.init("opcode", name), .init("length", Int64(octets.count))]
    default: [.init("opcode", name)]
    }
  }
}

extension GeneralStatus {
  fileprivate var details: [EventDetail] {
    switch self {
    case .fileNotFound(let identifier): [.init("file", identifier.description)]
    case .aborted(let reason): [.init("reason", Int64(reason))]
    default: []
    }
  }
}

extension OracleEvent {
  fileprivate var name: String {
    switch self {
    case .recorderClock: "clock"
    case .clockSetByHand: "clock-set-by-hand"
    case .recordBegun: "record-begun"
    case .recordFinished: "record-finished"
    case .recordDeleted: "record-deleted"
    case .buttonPressed: "button-pressed"
    case .buttonReleased: "button-released"
    case .recorderPowered: "power"
    case .recorderCannotServe: "cannot-serve"
    case .progressShown: "progress"
    case .lowBatteryShown: "low-battery-shown"
    case .bondForgotten: "bond-forgotten"
    case .bondMade: "bond-made"
    case .pairingRefused: "pairing-refused"
    case .unpairTold: "unpair-told"
    case .bondsRemoved: "bonds-removed"
    case .recordStored: "record-stored"
    case .newRecordsShown: "new-records"
    case .statusShown: "status"
    case .update(let update): update.name
    case .execution(let execution): execution.name
    case .recorderState: "state"
    case .keptAwake: "kept-awake"
    case .batteryVoltage: "battery-voltage"
    case .bondsForgottenByHand: "bonds-forgotten-by-hand"
    case .recordsErasedByHand: "records-erased-by-hand"
    case .recordsGone: "records-gone"
    case .air: "air"
    case .overheard(.pairing): "pairing-overheard"
    case .overheard(.record): "record-overheard"
    }
  }

  fileprivate var details: [EventDetail] {
    switch self {
    case .recorderClock(let recorder, let phone, let aheadBy):
      [
        .init("recorder", Int64(recorder)), .init("phone", Int64(phone)),
        .init("aheadByMilliseconds", aheadBy.wholeNanoseconds / 1_000_000),
      ]
    case .recordBegun(let recorder, let identifier, let clock, _):
      [
        .init("recorder", Int64(recorder)), .init("file", identifier.description), .init("clock", "\(clock)"),
      ]
    case .recordFinished(let index, let identifier, let octets), .recordDeleted(let index, let identifier, let octets),
      .recordStored(let index, let identifier, let octets):
      [.init("index", Int64(index)), .init("file", identifier.description), .init("octets", Int64(octets))]
    case .buttonPressed(let index), .buttonReleased(let index), .bondForgotten(let index), .clockSetByHand(let index),
      .keptAwake(let index), .bondsForgottenByHand(let index), .recordsErasedByHand(let index):
      [.init("index", Int64(index))]
    case .bondMade(let recorder, let phone, let others):
      [.init("recorder", Int64(recorder)), .init("phone", "\(phone)"), .init("others", Int64(others))]
    case .pairingRefused(let recorder, let owners):
      [.init("recorder", Int64(recorder)), .init("owners", Int64(owners))]
    case .unpairTold(let recorder, let phone): [.init("recorder", Int64(recorder)), .init("phone", "\(phone)")]
    case .bondsRemoved(let recorder, let phones):
      [.init("recorder", Int64(recorder)), .init("count", Int64(phones.count))]
        + phones.prefix(8).enumerated().map { .init("phone\($0.offset)", "\($0.element)") }
    case .recorderPowered(let recorder, let isOn): [.init("recorder", Int64(recorder)), .init("on", isOn)]
    case .recorderCannotServe(let recorder, let reason):
      [.init("recorder", Int64(recorder)), .init("reason", reason)]
    case .progressShown(let phone, let identifier, let received, let total):
      [
        .init("phone", Int64(phone)), .init("file", identifier.description), .init("received", Int64(received)),
        .init("total", Int64(total)),
      ]
    case .statusShown(let phone, let status): [.init("phone", Int64(phone)), .init("status", status.rawValue)]
    case .update(let update): update.details
    case .execution(let execution): execution.details
    case .batteryVoltage(let recorder, let millivolts):
      [.init("recorder", Int64(recorder)), .init("millivolts", Int64(millivolts))]
    case .recordsGone(let recorder, let identifiers):
      [.init("recorder", Int64(recorder)), .init("count", Int64(identifiers.count))]
        + identifiers.prefix(8).enumerated().map { .init("file\($0.offset)", $0.element.description) }
    case .air(let isClear): [.init("clear", isClear)]
    case .overheard(.pairing(let isReadable)): [.init("readable", isReadable)]
    case .overheard(.record(let identifier, let octets)):
      [.init("file", identifier?.description ?? "unknown"), .init("octets", Int64(octets))]
    case .recorderState(let recorder, let name): [.init("recorder", Int64(recorder)), .init("state", name)]
    case .newRecordsShown(let phone, let count): [.init("phone", Int64(phone)), .init("count", Int64(count))]
    case .lowBatteryShown(let phone, let percent): [.init("phone", Int64(phone)), .init("percent", Int64(percent))]
    }
  }
}

extension Happening {
  /// One line: what happened, and what it holds. Of a simulated world's statements it enters the hash of the trace.
  public var sentence: String {
    var text = name
    for detail in details {
      text += "  "
      text += detail.description
    }
    return text
  }
}

extension ProductEvent: CustomStringConvertible {
  /// One line: time, who, what, and what it holds.
  public var description: String { "\(instant)  \(source)  \(happening.sentence)" }

  /// The event as reports tell it; `nil` for what happens too often to be told one by one, which a capture has.
  package var reported: ReportedEvent? {
    happening.kind.isDisjoint(with: .unnarrated) ? told : nil
  }

  /// The event as reports tell it, however often it happens.
  package var told: ReportedEvent {
    var event = ReportedEvent(
      at: instant, from: source, link: link, peer: peer, name: happening.name, details: happening.details)
    (event.who, event.words) = (who, happening.words)
    (event.phone, event.recorder) = (phone ?? "", recorder ?? "")
    return event
  }
}
