import Bytes
import DictofunProtocol
import HCI
import Requirements
import ScenarioLanguage
import Testing
import Timeline
import Trace
import World

@testable import Runner

/// A recorder whose links end when its button is pressed, and whose actuator says so a while later.
private final class SlowRecorder: DeviceControl {
  let name = "device"
  let address = BluetoothAddress("C6:05:04:03:02:01")!
  let loop: EventLoop
  let waits: Waits
  let assertions: Assertions

  init(_ loop: EventLoop, _ waits: Waits, _ assertions: Assertions) {
    (self.loop, self.waits, self.assertions) = (loop, waits, assertions)
  }

  func pressButton() async throws(ControlFailure) {
    let ending = Happening.linkDown(.remoteUserTerminatedConnection)
    assertions.observe(ProductEvent(at: loop.now, from: .phone(0), link: 1, peer: address, ending))
    _ = await waits.pass(.milliseconds(100), on: loop)
  }

  func releaseButton() async throws(ControlFailure) {}
  func powerOn() async throws(ControlFailure) {}
  func cutPower() async throws(ControlFailure) {}
  func cutPower(afterStorageOperations operations: Int) async throws(ControlFailure) {}
  func setBattery(millivolts: Int) async throws(ControlFailure) {}
  func setClock(_ seconds: LocalSeconds) async throws(ControlFailure) {}
  func setOscillatorError(partsPerBillion: Int) async throws(ControlFailure) {}
  func setSound(_ samples: [Int16]) async throws(ControlFailure) {}
  func forgetBonds() async throws(ControlFailure) {}
  func inspect() async throws(ControlFailure) -> DeviceInspection { throw .lacking("inspection") }
}

@Suite struct ActuatorDelays {
  @Test(
    "what an actuator causes may be seen before it answers, by no more than the bench's tolerance",
    arguments: [
      ("", 200, true), ("", 50, false), ("", 0, false), ("\n  - wait: 1 ms", 200, false),
      ("\n  - device: release", 200, false),
    ])
  func delays(between: String, tolerance: Int, isSeen: Bool) throws {
    let steps = "steps:\n  - device: hold\(between)\n  - eventually: {link: down}\n    within: 1 s"
    let performance = try perform(try Playing.scenarios(steps)[0], .milliseconds(tolerance))
    #expect((performance.verdict == .passed) == isSeen, "\(performance.verdict)")
  }

  private func perform(_ scenario: Scenario, _ tolerance: Duration) throws -> Performance {
    let loop = EventLoop(driver: .virtual, seed: 1)
    let (waits, assertions) = (Waits(), Assertions())
    let device = SlowRecorder(loop, waits, assertions)
    nonisolated(unsafe) let set = StageSet(
      phones: [], devices: [device], medium: nil, waits: waits, sounds: Silence(), firmware: NoFirmware(),
      assertions: assertions, words: EventWords(phones: [], devices: [(device.name, device.address)]),
      firstViolation: { nil }, observer: nil, trace: TraceRecorder(), tolerance: tolerance)
    let stage = Stage(loop: loop, set)
    return try loop.run { await stage.perform(scenario) }
  }
}
