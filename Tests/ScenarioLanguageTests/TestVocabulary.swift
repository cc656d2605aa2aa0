import Bytes
import ScenarioLanguage

/// A small vocabulary in the shape of the Runner's: one complete verb of each kind.
enum TestVocabulary {
  static let button = Capability(.actuators, "button", "The record button can be pressed.")
  static let battery = Capability(.actuators, "battery", "The battery voltage can be set.")

  static let vocabulary = Vocabulary(
    verbs: [Press.declaration, Sync.declaration, Delete.declaration, Lose.declaration, Break.declaration],
    given: [GivenDevice.declaration, GivenPhone.declaration, GivenAir.declaration],
    observations: [Observed.request, Observed.link, Observed.battery],
    capabilities: [button, battery], requirements: ["APP-2.3", "APP-2.3.1", "APP-1.3.1", "DEV-1"])
}

/// `- device: {press: 2 s}`
enum Press {
  static let hold = Field<Duration>("hold", "How long the button is held.", default: .seconds(2))
    .limited(to: Duration.milliseconds(10)...Duration.seconds(600))
  static let sound = Field<String?>("sound", "A WAV file that is heard meanwhile.")
  static let declaration = VerbDeclaration(
    "press", of: .device, "Presses the record button, which records for as long as it is held.",
    fields: [sound], shorthand: hold, lasts: hold, needs: [TestVocabulary.button],
    example: "- device: {press: 2 s}")
}

/// `- phone: sync`
enum Sync {
  static let only = Field<RecordSelector?>("only", "Downloads this record alone.")
  static let downloaded = Field<Int>("downloaded", "Records that were downloaded.").limited(to: 0...)
  static let took = Field<Duration>("took", "How long it took.")
  static let note = Field<String>("note", "What the phone says about it.")
  static let records = Field<[RecordName]>("records", "The records, newest first.")
  static let declaration = VerbDeclaration(
    "sync", of: .phone, "Connects, encrypts, reads the battery, lists, and downloads what is new.",
    fields: [only], results: [downloaded, took, note, records],
    failures: [
      FailureDeclaration("not-found", "No recorder is in sight."),
      FailureDeclaration("not-permitted", "The recorder refuses."),
    ],
    deadline: .seconds(300), example: "- phone: sync\n  expect: {downloaded: 1}")
}

/// `- phone: {delete: newest}`
enum Delete {
  static let record = Field<RecordSelector>("record", "Which record to delete.")
  static let declaration = VerbDeclaration(
    "delete", of: .phone, "Deletes a record from the library.", shorthand: record,
    example: "- phone: {delete: newest}\n- phone: {delete: \"0000240131120000\"}")
}

/// `- air: {lose: 30 %, for: 5 s}`
enum Lose {
  enum Direction: String, FieldChoice { case up, down, both }
  static let rate = Field<Share>("rate", "Share of packets that are lost.")
  static let span = Field<Duration?>("for", "How long; until further notice unless stated.")
  static let direction = Field<Direction>("direction", "Which way.", default: .both)
  static let declaration = VerbDeclaration(
    "lose", of: .air, "Loses packets at random.", fields: [span, direction], shorthand: rate,
    example: "- air: {lose: 30 %, for: 5 s}\n- air: {lose: {rate: 5 %, direction: up}}")
}

/// `- air: {break}`
enum Break {
  static let declaration = VerbDeclaration(
    "break", of: .air, "Cuts every link until it is mended.", example: "- air: {break}\n- air: break")
}

/// `newest`, `oldest` or the sixteen digits.
enum RecordSelector: FieldValue, Equatable {
  case newest, oldest
  case named(RecordName)

  static var valueType: ValueType {
    .either([.choice([.init("newest", "By the time in its identifier."), .init("oldest")]), .record])
  }

  init?(_ value: Value) {
    switch value {
    case .word("newest"): self = .newest
    case .word("oldest"): self = .oldest
    case .record(let name): self = .named(name)
    default: return nil
    }
  }

  var encoded: Value? {
    switch self {
    case .newest: .word("newest")
    case .oldest: .word("oldest")
    case .named(let name): .record(name)
    }
  }
}

/// `records: 7` or `records: {count: 7, seconds: 4 s}`
struct RecordPlan: FieldGroupValue {
  static let countField = Field<Int>("count", "How many records.").limited(to: 0...253)
  static let lengthField = Field<Duration>("seconds", "How long each is.", default: .seconds(4))
  static var group: FieldGroup { FieldGroup([countField, lengthField], shorthand: countField) }
  let count: Int
  let length: Duration

  init(_ arguments: Arguments) {
    count = arguments[Self.countField]
    length = arguments[Self.lengthField]
  }
}

enum GivenDevice {
  static let records = Field<RecordPlan?>("records", "Records that are stored already.")
  static let battery = Field<Share?>("battery", "State of charge.", needs: TestVocabulary.battery)
  static let voltage = Field<Voltage>("voltage", "Battery voltage.", default: Voltage(millivolts: 3_700))
  static let drift = Field<FrequencyError>("drift", "Clock error.", default: FrequencyError(partsPerBillion: 0))
  static let clock = Field<CivilDateTime?>("clock", "Local time at the start.")
  static let zone = Field<UTCOffset?>("zone", "The local zone.")
  static let address = Field<BluetoothAddress?>("address", "Its address.")
  static let notes = Field<[String]>("notes", "Spoken notes.", default: [])
  static let declaration = GivenDeclaration(
    "device", plural: "devices", actor: .device, "A recorder before the first step.",
    fields: [records, battery, voltage, drift, clock, zone, address, notes],
    example: "device: {battery: 84 %, records: {count: 7, seconds: 4 s}}")
}

enum GivenPhone {
  static let bonded = Field<Bool>("bonded", "Whether phone and recorder know each other.", default: false)
  static let declaration = GivenDeclaration(
    "phone", plural: "phones", actor: .phone, "A phone before the first step.", fields: [bonded],
    example: "phone: {bonded: true}")
}

enum GivenAir {
  static let distance = Field<Distance>(
    "distance", "Between phone and recorder.", default: Distance(millimetres: 1_000))
  static let floor = Field<RadioPower?>("noise-floor", "Received noise.")
  static let declaration = GivenDeclaration(
    "air", "The medium before the first step.", fields: [distance, floor], example: "air: {distance: 5 m}")
}

enum Observed {
  enum Opcode: String, FieldChoice {
    case list = "files-list"
    case data = "file-data"
  }
  enum LinkState: String, FieldChoice { case up, down }
  static let opcode = Field<Opcode>("opcode", "What is asked.")
  static let file = Field<FileWord>("file", "Which record.")
  static let size = Field<ByteCount>("size", "How much.")
  static let state = Field<LinkState>("state", "What became of it.")
  static let level = Field<Share>("level", "State of charge.")
  static let request = ObservationDeclaration(
    "fts.request", "The phone asks the file transfer service for something.", fields: [opcode, file, size],
    example: "- never: {fts.request: {opcode: file-data, file: deleted}}\n  for: 1 h")
  static let link = ObservationDeclaration(
    "link", "The connection comes up or goes down.", shorthand: state,
    example: "- eventually: {link: down}\n  within: 6 s")
  static let battery = ObservationDeclaration(
    "battery", "The phone learns the battery level.", fields: [level], shorthand: level,
    example: "- eventually: {battery: {level: {at-least: 24 %}}}\n  within: 1 min")
}

enum FileWord: FieldValue {
  case deleted
  case named(RecordName)
  static var valueType: ValueType { .either([.choice([.init("deleted")]), .record]) }
  init?(_ value: Value) {
    switch value {
    case .word("deleted"): self = .deleted
    case .record(let name): self = .named(name)
    default: return nil
    }
  }
  var encoded: Value? { nil }
}
