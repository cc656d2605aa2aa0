import Requirements
import ScenarioLanguage
import SecureDFU
import Testing
import Timeline
import YAML

@testable import Recorder
@testable import Runner

/// What is said of an event that there cannot be would make a ban pass and a wait fail, whatever the products do.
@Suite struct HollowClaims {
  private static let given =
    "given: {devices: [{name: one}, {name: two}], phones: [{name: his}, {name: hers}]}\nsteps:\n"

  private func problems(_ step: String) -> [Diagnostic] {
    let text = "scenario: tried\nid: try\n\(Self.given)  - {\(step)}\n"
    return ScenarioLibrary(files: [SourceFile(path: "try.yaml", text: text)], vocabulary: Playing.vocabulary)
      .diagnostics.filter { $0.severity == .error }
  }

  private static let ofPhones = [
    "phone.status", "phone.progress", "phone.stored", "phone.new-records", "phone.low-battery", "update.state",
    "update.offered", "update.ended",
  ]
  private static let ofRecorders = [
    "device.record", "device.state", "device.power", "advertising", "device.firmware", "device.bootloader",
  ]
  private static let ofBoth = Observations.all.map(\.declaration.name).filter { !(ofPhones + ofRecorders).contains($0) }

  @Test(arguments: ofPhones) func whatAPhoneShowsIsNoEventOfARecorder(_ name: String) throws {
    let problem = try #require(problems("never: \(name), for: 1 s, as: one").first)
    #expect(problem.message == "`\(name)` cannot be an event of `one`")
    #expect(problem.expected == "`his`, `hers` from `given`")
    #expect(problem.suggestion == nil, "the name is spelt right")
    #expect(problem.location.line == 5)
  }

  @Test(arguments: ofRecorders) func whatHappensInsideARecorderIsNoEventOfAPhone(_ name: String) throws {
    let problem = try #require(problems("eventually: \(name), within: 1 s, as: his").first)
    #expect(problem.message == "`\(name)` cannot be an event of `his`")
    #expect(problem.expected == "`one`, `two` from `given`")
  }

  @Test(arguments: ofPhones + ofBoth) func aPhoneCanBeMeant(_ name: String) {
    #expect(problems("never: \(name), for: 1 s, as: hers").isEmpty)
  }

  @Test(arguments: ofRecorders + ofBoth) func aRecorderCanBeMeant(_ name: String) {
    #expect(problems("never: \(name), for: 1 s, as: two").isEmpty)
  }

  @Test(arguments: ["either: [paired, phone.stored], within: 1 s", "never: paired, until: phone.stored, within: 1 s"])
  func everyEventOfAStepMustBePossible(_ step: String) {
    #expect(problems("\(step), as: one").map(\.message) == ["`phone.stored` cannot be an event of `one`"])
  }

  @Test func aMisspeltNameHasANearestOne() {
    #expect(problems("never: phone.stored, for: 1 s, as: hres").first?.suggestion == "hers")
  }

  /// The subjects that are declared are those of the events that there are.
  @Test(
    arguments: [
      .statusShown(phone: 0, .secured), .newRecordsShown(phone: 0, count: 1), .lowBatteryShown(phone: 0, percent: 9),
      .recorderState(recorder: 0, name: "INIT"), .recorderPowered(recorder: 0, isOn: true),
      .update(.offered(phone: 0, version: 2)), .update(.ended(phone: 0, .new)),
      .update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)), .update(.bootloaderStarted(recorder: 0)),
    ] as [OracleEvent])
  func anOracleIsAnEventOfItsParty(_ oracle: OracleEvent) throws {
    let heard = HeardEvent(event: .oracle(oracle, at: .zero), viewpoint: .phone, removed: [])
    let observable = try #require(Observations.all.first { $0.findings(heard) != nil })
    let subject: Actor = if case .phone = oracle.party { .phone } else { .device }
    #expect(observable.declaration.subjects == [subject])
  }

  @Test(arguments: SystemState.allCases) func everyStateOfTheFirmwareIsAWord(_ state: SystemState) {
    #expect(problems("never: {device.state: \(state.firmwareName)}, for: 1 s").isEmpty)
  }

  @Test(arguments: ["POWEROFF", "{not: POWEROFF}", "{one-of: [INIT, POWEROFF]}"])
  func aStateThatTheFirmwareDoesNotHaveIsRefused(_ state: String) {
    #expect(
      problems("never: {device.state: \(state)}, for: 1 s").map(\.message) == ["`state` cannot be `POWEROFF`"])
  }

  @Test func aMisspeltStateHasANearestOne() {
    #expect(problems("never: {device.state: BLE_OPERATON}, for: 1 s").first?.suggestion == "BLE_OPERATION")
  }

  @Test(arguments: ["state: POWEROFF", "light: red fast", "light: {not: dark red}"])
  func anInspectionFindsOnlyWhatThereIs(_ expectation: String) {
    #expect(problems("device: inspect, expect: {\(expectation)}").count == 1)
  }

  @Test(arguments: ["dark"] + SystemState.lights.map(\.description))
  func everyLightIsAWord(_ light: String) {
    #expect(problems("device: inspect, expect: {light: \(light)}").isEmpty)
  }

  @Test func aStateIsFoundByItsWord() throws {
    let body = "given: {device: {power: \"off\"}}\nsteps: [{device: {press: 1 s}}, {eventually: {device.state: "
    #expect(try Playing.run(body + "{one-of: [SHUTDOWN, BLE_OPERATION]}}, within: 1 min}]").verdict.kind == .passed)
  }

  @Test(arguments: [
    ("device.record: {stage: begun, size: {at-least: 1 B}}", "`device.record` has no `size` with this `stage`"),
    ("device.record: {stage: {not: finished}, size: 1 B}", "`device.record` has no `size` with this `stage`"),
    ("link: {state: up, reason: 19}", "`link` has no `reason` with this `state`"),
    ("fts.request: {opcode: files-list, file: deleted}", "`fts.request` has no `file` with this `opcode`"),
    ("dfu.request: {opcode: select, size: 4 KiB}", "`dfu.request` has no `size` with this `opcode`"),
    ("dfu.request: {opcode: checksum, object: data}", "`dfu.request` has no `object` with this `opcode`"),
  ])
  func aFieldBesideWhatNeverHasItIsRefused(_ event: String, _ message: String) {
    #expect(problems("never: {\(event)}, for: 1 s").map(\.message) == [message])
  }

  @Test(arguments: [
    ("link: {reason: 300}", "`300` is out of range for `reason`"),
    ("fts.status: 900", "`900` is out of range for `status`"),
    ("fts.status: {at-most: 255}", "`at most 255` holds of every `status`"),
    ("paired: {key-size: 999}", "`999` is out of range for `key-size`"),
    ("dfu.reply: {result: 256}", "`256` is out of range for `result`"),
    ("dfu.reply: {result: {more-than: success}}", "`result` cannot be `success`"),
    ("fts.request: {file: {at-most: deleted}}", "`file` cannot be `deleted`"),
    ("fts.data: {size: {at-least: 10 KiB, at-most: 1 KiB}}", "`at least 10 KiB and at most 1 KiB` holds of no `size`"),
    ("phone.new-records: -1", "`-1` is out of range for `count`"),
  ])
  func aValueThatNoEventHasIsRefused(_ event: String, _ message: String) {
    #expect(problems("never: {\(event)}, for: 1 s").map(\.message) == [message])
  }

  /// What the specification forbids can be on the air all the same: the published firmware tells a level of 254 %.
  @Test(arguments: [
    "battery: {level: {more-than: 100 %}}", "paired: {key-size: {less-than: 7}}", "dfu.reply: {result: {more-than: 1}}",
    "fts.request: {file: {less-than: \"0000240131120000\"}}", "phone.progress: {more-than: 100 %}",
  ])
  func aValueThatAnEventShouldNotHaveIsTaken(_ event: String) {
    #expect(problems("never: {\(event)}, for: 1 s").isEmpty)
  }

  @Test(arguments: [
    ("phone: library, expect: {count: {not: -3}}", "`-3` is out of range for `count`"),
    ("phone: sync, expect: {downloaded: {at-least: 0}}", "`at least 0` holds of every `downloaded`"),
    ("phone: {read-attribute: 3}, expect: {value: {contains: \"\"}}", "`contains` for `value` has nothing to look for"),
  ])
  func anOutcomeThatThereIsInAnyCaseIsRefused(_ step: String, _ message: String) {
    #expect(problems("\(step), as: his").map(\.message) == [message])
  }

  @Test func whatAFieldComesWithIsSaid() {
    #expect(
      problems("never: {fts.request: {opcode: other, file: deleted}}, for: 1 s").first?.expected
        == "no `file`, or one of these as `opcode`: `file-info`, `file-data`")
  }

  @Test(arguments: [
    "device.record: {stage: finished, size: 1 B}", "device.record: {size: 1 B}", "link: {reason: {not: 19}}",
    "link: {state: {not: up}, reason: 8}", "fts.request: {opcode: {one-of: [files-list, file-data]}, file: deleted}",
    "dfu.request: {opcode: select, object: data}",
  ])
  func aFieldBesideWhatCanHaveItIsTaken(_ event: String) {
    #expect(problems("never: {\(event)}, for: 1 s").isEmpty)
  }
}
