import DictofunProtocol
import Requirements
import ScenarioLanguage

/// The events that scenarios can wait for or forbid.
///
/// A new one is a declaration with the closure that recognises it, and its name in `all`.
enum Observations {
  // MARK: The link

  enum LinkState: String, FieldChoice {
    case up, down
  }

  static let linkState = Field<LinkState>("state", "Whether the link came up or went down.")
  static let reason = Field<Int>("reason", "Why the link went down: the controller's error code, such as 19 (0x13).")
    .limited(to: 0...255).only(where: linkState, is: .down)
  static let link = ObservableEvent(
    ObservationDeclaration(
      "link", "The connection between a phone and a recorder comes up or goes down.", fields: [reason],
      shorthand: linkState, example: "- eventually: {link: down}\n  within: 6 s")
  ) { heard in
    switch heard.happening {
    case .linkUp?: .one(linkState, .up)
    case .linkDown(let code)?: .one(linkState, .down).with(reason, Int(code.rawValue))
    default: nil
    }
  }

  static let secured = ObservableEvent(
    ObservationDeclaration(
      "secured", "A link becomes encrypted.", example: "- eventually: secured\n  within: 5 s")
  ) { heard in
    if case .encrypted? = heard.happening { .happened } else { nil }
  }

  static let pairing = ObservableEvent(
    ObservationDeclaration(
      "pairing", "Phone and recorder start to pair.", example: "- never: pairing\n  for: 10 s")
  ) { heard in
    if case .pairingStarted? = heard.happening { .happened } else { nil }
  }

  // An octet, of which the specification allows 7 to 16: a ban may be on the others.
  static let keySize = Field<Int>("key-size", "How long the new key is, in octets: 7 to 16.").limited(to: 0...255)
  static let paired = ObservableEvent(
    ObservationDeclaration(
      "paired", "A pairing ends with an encrypted link.", fields: [keySize],
      example: "- eventually: {paired: {key-size: 16}}\n  within: 30 s")
  ) { heard in
    if case .paired(let sizes)? = heard.happening {
      .happened.with(keySize, sizes.map { Int($0.agreed) })
    } else {
      nil
    }
  }

  // MARK: The services

  static let level = Field<Share>("level", "The level.")
  static let battery = ObservableEvent(
    ObservationDeclaration(
      "battery", "The phone learns the recorder's battery level.", shorthand: level,
      example: "- eventually: {battery: {level: {at-most: 12 %}}}\n  within: 1 min")
  ) { heard in
    switch heard.happening {
    case .batteryRead(let percent)?, .batteryNotified(let percent)?: .one(level, Share(percent: Int(percent)))
    default: nil
    }
  }

  enum Opcode: String, FieldChoice {
    case filesList = "files-list"
    case fileInfo = "file-info"
    case fileData = "file-data"
    case fileSystemStatus = "fs-status"
    case receiveComplete = "receive-complete"
    case other
  }

  static let opcode = Field<Opcode>("opcode", "The request.")
  static let file = Field<FileWord>("file", "Which record: its sixteen digits, or `deleted` for one that was removed.")
    .only(where: opcode, is: .fileInfo, .fileData)
  static let request = ObservableEvent(
    ObservationDeclaration(
      "fts.request", "The phone sends a request to the file transfer service.", fields: [opcode, file],
      example: "- never: {fts.request: {opcode: file-data, file: deleted}}\n  for: 1 h")
  ) { heard in
    guard case .requested(let request)? = heard.transfer else { return nil }
    let findings = Findings.one(opcode, Opcode(request))
    guard let identifier = request.identifier, let name = RecordName(identifier.description) else { return findings }
    let word: [Value] = heard.removed.contains(identifier) ? [.word("deleted")] : []
    return findings.with(file, anyOf: [.record(name)] + word)
  }

  static let octets = Field<ByteCount>("size", "Octets of the record received so far.")
  static let packet = Field<ByteCount>("packet", "Octets of the record in this packet.")
  static let data = ObservableEvent(
    ObservationDeclaration(
      "fts.data", "The phone receives octets of a record.", fields: [octets, packet],
      example: "- eventually: {fts.data: {size: {at-least: 2 KiB}}}\n  within: 10 s")
  ) { heard in
    guard case .data(_, let length, let received, _)? = heard.transfer else { return nil }
    return .one(octets, ByteCount(bytes: Int(received))).with(packet, ByteCount(bytes: Int(length)))
  }

  static let status = Field<Int>("status", "The general status: 2 for not found, 3 for a corrupt file system.")
    .limited(to: 0...255)
  static let answer = ObservableEvent(
    ObservationDeclaration(
      "fts.status", "The recorder answers a request with a general status.", shorthand: status,
      example: "- eventually: {fts.status: 2}\n  within: 3 s")
  ) { heard in
    guard case .status(let code)? = heard.transfer else { return nil }
    return .one(status, Int(code.encoded.first ?? 0))
  }

  enum TimeAnswer: String, FieldChoice {
    case served, refused
  }

  static let timeAnswer = Field<TimeAnswer>("answer", "The phone's answer.")
  static let time = ObservableEvent(
    ObservationDeclaration(
      "time", "The recorder reads the phone's time.", shorthand: timeAnswer,
      example: "- eventually: {time: served}\n  within: 5 s")
  ) { heard in
    switch heard.happening {
    case .timeServed?: .one(timeAnswer, .served)
    case .timeRefused?: .one(timeAnswer, .refused)
    default: nil
    }
  }

  // MARK: The phone

  enum Status: String, FieldChoice {
    case searching, connecting, connected, secured, disconnected
  }

  static let shown = Field<Status>("status", "The status shown.")
  static let phoneStatus = ObservableEvent(
    ObservationDeclaration(
      "phone.status", of: [.phone], "The connection status that the phone shows changes.", shorthand: shown,
      example: "- eventually: {phone.status: secured}\n  within: 10 s")
  ) { heard in
    guard case .statusShown(_, let status)? = heard.oracle else { return nil }
    return Status(rawValue: status.rawValue).map { .one(shown, $0) }
  }

  static let percent = Field<Share>("progress", "Share of the record received.")
  static let progress = ObservableEvent(
    ObservationDeclaration(
      "phone.progress", of: [.phone], "The phone shows download progress.", shorthand: percent,
      example: "- eventually: {phone.progress: {progress: {at-least: 50 %}}}\n  within: 1 min")
  ) { heard in
    guard case .progressShown(_, _, let received, let total)? = heard.oracle else { return nil }
    return .one(percent, Share(percent: total == 0 ? 100 : Int(UInt64(received) * 100 / UInt64(total))))
  }

  static let stored = ObservableEvent(
    ObservationDeclaration(
      "phone.stored", of: [.phone], "The phone stores a complete record in its library.", fields: [octets],
      example: "- eventually: phone.stored\n  within: 1 min")
  ) { heard in
    guard case .recordStored(_, _, let size)? = heard.oracle else { return nil }
    return .one(octets, ByteCount(bytes: Int(size)))
  }

  static let newCount = Field<Int>("count", "The number shown.").limited(to: 0...)
  static let newRecords = ObservableEvent(
    ObservationDeclaration(
      "phone.new-records", of: [.phone], "The phone shows another number of new records.", shorthand: newCount,
      example: "- eventually: {phone.new-records: 2}\n  within: 1 min")
  ) { heard in
    guard case .newRecordsShown(_, let count)? = heard.oracle else { return nil }
    return .one(newCount, Int(count))
  }

  static let lowBattery = ObservableEvent(
    ObservationDeclaration(
      "phone.low-battery", of: [.phone], "The phone warns its user that the recorder's battery is low.",
      shorthand: level,
      example: "- eventually: phone.low-battery\n  within: 1 min")
  ) { heard in
    guard case .lowBatteryShown(_, let percent)? = heard.oracle else { return nil }
    return .one(level, Share(percent: Int(percent)))
  }

  // MARK: The recorder, from inside

  enum RecordStage: String, FieldChoice {
    case begun, finished
  }

  static let stage = Field<RecordStage>("stage", "Whether the record begins or is finished.")
  static let finishedOctets = octets.only(where: stage, is: .finished)
  static let record = ObservableEvent(
    ObservationDeclaration(
      "device.record", of: [.device], "The recorder begins or finishes a record.", fields: [finishedOctets],
      shorthand: stage, isOracle: true,
      example: "- eventually: {device.record: finished}\n  within: 2 s")
  ) { heard in
    switch heard.oracle {
    case .recordBegun?: .one(stage, .begun)
    case .recordFinished(_, _, let size)?: .one(stage, .finished).with(finishedOctets, ByteCount(bytes: Int(size)))
    default: nil
    }
  }

  static let state = Field<StateWord>("state", "The state, as the firmware names it.")
  static let deviceState = ObservableEvent(
    ObservationDeclaration(
      "device.state", of: [.device], "The recorder's state machine changes its state.", shorthand: state,
      isOracle: true,
      example: "- eventually: {device.state: BLE_OPERATION}\n  within: 2 s")
  ) { heard in
    guard case .recorderState(_, let name)? = heard.oracle else { return nil }
    return .one(state, StateWord(name))
  }

  enum Power: String, FieldChoice {
    case on, off
  }

  static let power = Field<Power>("power", "Whether it is on.")
  static let devicePower = ObservableEvent(
    ObservationDeclaration(
      "device.power", of: [.device], "The recorder switches itself on or off.", shorthand: power, isOracle: true,
      example: "- eventually: {device.power: \"off\"}\n  within: 30 s")
  ) { heard in
    guard case .recorderPowered(_, let isOn)? = heard.oracle else { return nil }
    return .one(power, isOn ? .on : .off)
  }

  static let advertised = ObservableEvent(
    ObservationDeclaration(
      "advertising", of: [.device], "A recorder starts to advertise.", isOracle: true,
      example: "- eventually: advertising\n  within: 2 s")
  ) { heard in
    guard heard.event.source.part == .recorder, case .advertisingStarted = heard.event.happening else { return nil }
    return .happened
  }

  /// All of them, in the order of the reference.
  static let all: [ObservableEvent] =
    [
      link, linkParameters, physicalLayers, dataLength, secured, pairing, paired, battery, request, data, answer, time,
      phoneStatus, progress,
      stored, newRecords, lowBattery,
      record, deviceState, devicePower, advertised,
    ] + updates

  /// The event of this name; `nil` where the vocabulary has none.
  static func named(_ name: String) -> ObservableEvent? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.declaration.name, $0) }, uniquingKeysWith: { first, _ in first })
}

/// `deleted`, or a record's sixteen digits.
enum FileWord: FieldValue, Hashable {
  case deleted
  case named(RecordName)

  static var valueType: ValueType {
    .either([.choice([.init("deleted", "One that the user removed.")]), .record])
  }

  init?(_ value: Value) {
    switch value {
    case .word("deleted"): self = .deleted
    case .record(let name): self = .named(name)
    default: return nil
    }
  }

  var encoded: Value? {
    switch self {
    case .deleted: .word("deleted")
    case .named(let name): .record(name)
    }
  }
}

extension Observations.Opcode {
  init(_ request: ControlPointRequest) {
    switch request {
    case .listFiles: self = .filesList
    case .fileInformation: self = .fileInfo
    case .fileData: self = .fileData
    case .fileSystemStatus: self = .fileSystemStatus
    case .receiveComplete: self = .receiveComplete
    case .unaccepted: self = .other
    }
  }
}

extension ControlPointRequest {
  /// The record that is asked for, where one is.
  fileprivate var identifier: RecordIdentifier? {
    switch self {
    case .fileInformation(let identifier), .fileData(let identifier): identifier
    case .listFiles, .fileSystemStatus, .receiveComplete, .unaccepted: nil
    }
  }
}
