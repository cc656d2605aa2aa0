import Bench
import Bytes
import ScenarioLanguage
import Testing
import Timeline
import Trace
import Verdicts
import World

@testable import Runner

/// A stage with a recorder that only radio reaches, and no medium.
@Suite struct Lacking {
  @Test(arguments: [
    ("device: {press: 1 s}", "actuators: button"), ("device: {battery: 3.05 V}", "actuators: battery"),
    ("device: power-on", "actuators: rail"), ("device: {drift: 20 ppm}", "actuators: clock"),
    ("device: forget-bonds", "actuators: bonds"), ("device: inspect", "sensors: inspection"),
    ("air: break", "actuators: medium"),
  ])
  func aCapabilityThatTheTargetLacksBlocksAndIsNamed(step: String, capability: String) throws {
    let scenario = try Playing.scenarios("steps:\n  - \(step)\n  - wait: 1 s")[0]
    #expect(scenario.needs.map(\.description).contains(capability))
    let performance = try perform(scenario)
    #expect(performance.verdict == .blocked(capability: capability))
    #expect(performance.steps.map(\.outcome) == [.blocked(capability), .skipped])
  }

  @Test func whatIsBlockedLeavesTheExitCodeAloneUnlessNothingRan() {
    #expect(report([.blocked(capability: "actuators: button")]).exitCode == .nothingRan)
    #expect(report([.blocked(capability: "actuators: button"), .passed]).exitCode == .passed)
  }

  @Test func aDeviceFailureIsNeverHiddenByWhatElseWentWrong() {
    let failed = Verdict.failed(DeviceFailure(judges: .recorder, reason: "silence", instant: .zero))
    let bench = Verdict.benchError(BenchTrouble("the adapter is gone"))
    let harness = Verdict.harnessError(HarnessTrouble("a bug"))
    #expect(report([.passed, bench, harness, failed]).exitCode == .deviceFailed)
    #expect(report([.passed, bench, harness]).exitCode == .internalError)
    #expect(report([.passed, bench]).exitCode == .benchFailed)
    #expect(report([failed], isInterrupted: true).exitCode == .interrupted)
  }

  private func perform(_ scenario: Scenario) throws -> Performance {
    let loop = EventLoop(driver: .virtual, seed: 1)
    let trace = TraceRecorder()
    let waits = Waits()
    let address = BluetoothAddress(littleEndian: [1, 2, 3, 4, 5, 0xC6], .random)
    let device = try ActuatedDevice(bare: "device", address, on: loop, waits)
    nonisolated(unsafe) let set = StageSet(
      phones: [], devices: [device], medium: nil, waits: waits, sounds: Silence(), firmware: NoFirmware(),
      assertions: Assertions(),
      words: EventWords(phones: [], devices: [(device.name, device.address)]), firstViolation: { nil }, observer: nil,
      trace: trace)
    let stage = Stage(loop: loop, set)
    return try loop.run { await stage.perform(scenario) }
  }

  private func report(_ verdicts: [Verdict], isInterrupted: Bool = false) -> RunReport {
    let scenarios = verdicts.enumerated().map { index, verdict in
      ScenarioReport(
        id: "scenario-\(index)", title: "", file: "", line: 1, cell: "", tags: [], requirements: [], verdict: verdict,
        replay: "")
    }
    return RunReport(
      tool: "", seed: 1, profile: "", target: "simulated", host: "", startedAt: 0, wallDuration: .zero,
      isInterrupted: isInterrupted, requiresAll: false, scenarios: scenarios)
  }
}
