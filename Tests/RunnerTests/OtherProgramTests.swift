import Bytes
import Charts
import DictofunProtocol
import HostStack
import Recorder
import Verdicts
import Testing
import Timeline

@testable import Runner

/// Somebody else's recorder: it has the attributes of a Dictofun, knows what its battery holds, and does nothing else.
private struct BatteryOnly: RecorderApplicationMachine {
  let address: BluetoothAddress
  var level: UInt8 = 64
  var isOn = false
  var output = RecorderOutput()
  var chartLogs: [ChartLog] = []

  mutating func take(_ control: RecorderControl, at instant: Instant) {
    guard control == .holdRail, !isOn else { return }
    isOn = true
    let database = RecorderProfile.reference.attributes
    output.requests.append(.start(HostConfiguration(ownAddress: address, database: database)))
    output.events.append(.poweredOn(.rail))
  }

  mutating func take(_ event: HostEvent, at instant: Instant) {
    guard case .started = event else { return }
    let advertisement = Advertisement(intervalUnits: 200, data: DictofunAdvertisement.advertisingData)
    output.requests += [
      .setValue(AttributeHandle(DictofunHandle.batteryLevel), [level]), .setAdvertising(advertisement),
    ]
  }

  mutating func drain(_ output: inout RecorderOutput) {
    output = self.output
    self.output = RecorderOutput()
  }
}

/// A program that is not the model stands behind the recorder's host stack, through the public door.
@Suite struct OtherProgramTests {
  private static func run(_ body: String, level: UInt8, _ chartLogs: [ChartLog] = []) throws -> ScenarioReport {
    var settings = RunSettings()
    settings.program = RecorderProgram(named: "battery only") {
      BatteryOnly(address: $0.address, level: level, chartLogs: chartLogs)
    }
    return ScenarioRun(try Playing.scenarios(body)[0], settings, sounds: Silence(), firmware: NoFirmware())
      .run(sinks: [])
  }

  @Test(arguments: [(UInt8(64), Verdict.Kind.passed), (63, .failed)]) func answersForItsBattery(
    level: UInt8, outcome: Verdict.Kind
  ) throws {
    let report = try Self.run(
      "steps: [{eventually: advertising, within: 5 s}, {phone: connect}, {phone: read-battery, expect: {level: 64 %}}]",
      level: level)
    #expect(report.verdict.kind == outcome, "\(report.verdict)")
  }

  /// The forecast says by what a run is blocked, and of the model that nothing is.
  @Test(
    arguments: [
      ("steps: [{device: inspect}]", "sensors: inspection"), ("steps: [{phone: scan}]", nil),
      ("given: {phone: {bonded: true}}\nsteps: [{device: inspect}]", "actuators: bonds"),
      ("given: {device: {bootloader: {}}}\nsteps: [{phone: scan}]", "actuators: firmware"),
      ("steps: [{phone: connect}, {phone: enter-bootloader}]", "a bootloader"),
      ("given: {phone: {bonded: false}}\nsteps: [{phone: {answer-offer: refuse}, fails: nothing-offered}]", nil),
      ("steps: [{ask: Is it red?}, {device: inspect}]", "phone.ask"),
    ] as [(String, String?)]) func theForecastIsWhatARunIsBlockedBy(body: String, lack: String?) throws
  {
    let scenario = try Playing.scenarios(body)[0]
    let program = RecorderProgram(named: "battery only") { BatteryOnly(address: $0.address) }
    #expect(ProgramOutlook(scenario, running: program).missingCapability == lack)
    let verdict = try Self.run(body, level: 64).verdict
    if let lack { #expect(verdict == .blocked(capability: lack)) } else { #expect(verdict.kind != .blocked) }
    #expect(ProgramOutlook(scenario, running: .modelled).missingCapability == (lack == "phone.ask" ? lack : nil))
  }

  enum Door: UInt8, ChartSymbol { case open, shut }
  enum Push: UInt8, ChartSymbol { case push, kick }

  /// What happens where a machine of ours does what its chart does not have.
  @Test(arguments: [(Push.push, Verdict.Kind.passed), (.kick, .harnessError)])
  func leavingItsChartIsAFaultOfOurs(event: Push, outcome: Verdict.Kind) throws {
    var door = ChartedState(
      StateChart<Door, Push>("recorder-power", "A door.", initial: .open, [(.open, .push, .shut)]))
    door.take(event)
    let report = try Self.run("steps: [{eventually: advertising, within: 5 s}]", level: 64, [door.chartLog])
    #expect(report.verdict.kind == outcome)
    #expect(report.chartLogs.first { $0.chart == "recorder-power" } == door.chartLog)
  }

  @Test func whatItCannotTellBlocksTheStepByName() throws {
    let report = try Self.run("steps: [{device: inspect}]", level: 64)
    #expect("\(report.verdict)".contains("sensors: inspection"))
  }
}
