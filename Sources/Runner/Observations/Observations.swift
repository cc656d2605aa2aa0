import ScenarioLanguage

/// The events that scenarios can wait for or forbid.
enum Observations {
  // MARK: The link

  enum LinkState: String, FieldChoice {
    case up, down
  }

  static let linkState = Field<LinkState>("state", "Whether the link came up or went down.")
  static let reason = Field<Int>("reason", "Why the link went down: the controller's error code, such as 19 (0x13).")
  static let link = ObservationDeclaration(
    "link", "The connection between a phone and a recorder comes up or goes down.", fields: [reason],
    shorthand: linkState, example: "- eventually: {link: down}\n  within: 6 s")

  static let secured = ObservationDeclaration(
    "secured", "A link becomes encrypted.", example: "- eventually: secured\n  within: 5 s")

  static let paired = ObservationDeclaration(
    "paired", "Phone and recorder start to pair.", example: "- never: paired\n  for: 10 s")

  // MARK: The services

  static let level = Field<Share>("level", "The level.")
  static let battery = ObservationDeclaration(
    "battery", "The phone learns the recorder's battery level.", shorthand: level,
    example: "- eventually: {battery: {level: {at-most: 12 %}}}\n  within: 1 min")

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
  static let request = ObservationDeclaration(
    "fts.request", "The phone sends a request to the file transfer service.", fields: [opcode, file],
    example: "- never: {fts.request: {opcode: file-data, file: deleted}}\n  for: 1 h")

  static let octets = Field<ByteCount>("size", "Octets of the record received so far.")
  static let data = ObservationDeclaration(
    "fts.data", "The phone receives octets of a record.", fields: [octets],
    example: "- eventually: {fts.data: {size: {at-least: 2 KiB}}}\n  within: 10 s")

  static let status = Field<Int>("status", "The general status: 2 for not found, 3 for a corrupt file system.")
  static let answer = ObservationDeclaration(
    "fts.status", "The recorder answers a request with a general status.", shorthand: status,
    example: "- eventually: {fts.status: 2}\n  within: 3 s")

  enum TimeAnswer: String, FieldChoice {
    case served, refused
  }

  static let timeAnswer = Field<TimeAnswer>("answer", "The phone's answer.")
  static let time = ObservationDeclaration(
    "time", "The recorder reads the phone's time.", shorthand: timeAnswer,
    example: "- eventually: {time: served}\n  within: 5 s")

  // MARK: The phone

  enum Status: String, FieldChoice {
    case searching, connecting, connected, secured, disconnected
  }

  static let shown = Field<Status>("status", "The status shown.")
  static let phoneStatus = ObservationDeclaration(
    "phone.status", "The connection status that the phone shows changes.", shorthand: shown,
    example: "- eventually: {phone.status: secured}\n  within: 10 s")

  static let percent = Field<Share>("progress", "Share of the record received.")
  static let progress = ObservationDeclaration(
    "phone.progress", "The phone shows download progress.", shorthand: percent,
    example: "- eventually: {phone.progress: {progress: {at-least: 50 %}}}\n  within: 1 min")

  static let stored = ObservationDeclaration(
    "phone.stored", "The phone stores a complete record in its library.", fields: [octets],
    example: "- eventually: phone.stored\n  within: 1 min")

  static let lowBattery = ObservationDeclaration(
    "phone.low-battery", "The phone warns its user that the recorder's battery is low.", shorthand: level,
    example: "- eventually: phone.low-battery\n  within: 1 min")

  // MARK: The recorder, from inside

  enum Stage: String, FieldChoice {
    case begun, finished
  }

  static let stage = Field<Stage>("stage", "Whether the record begins or is finished.")
  static let record = ObservationDeclaration(
    "device.record", "The recorder begins or finishes a record.", fields: [octets], shorthand: stage, isOracle: true,
    example: "- eventually: {device.record: finished}\n  within: 2 s")

  static let state = Field<String>("state", "The state, as the firmware names it.")
  static let deviceState = ObservationDeclaration(
    "device.state", "The recorder's state machine changes its state.", shorthand: state, isOracle: true,
    example: "- eventually: {device.state: BLE_OPERATION}\n  within: 2 s")

  enum Power: String, FieldChoice {
    case on, off
  }

  static let power = Field<Power>("power", "Whether it is on.")
  static let devicePower = ObservationDeclaration(
    "device.power", "The recorder switches itself on or off.", shorthand: power, isOracle: true,
    example: "- eventually: {device.power: \"off\"}\n  within: 30 s")

  static let advertised = ObservationDeclaration(
    "advertising", "A recorder starts to advertise.", isOracle: true,
    example: "- eventually: advertising\n  within: 2 s")

  /// All of them, in the order of the reference.
  static let all =
    [
      link, secured, paired, battery, request, data, answer, time, phoneStatus, progress, stored, lowBattery, record,
      deviceState, devicePower, advertised,
    ] + updates
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
