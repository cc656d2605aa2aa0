import Bytes
import Requirements
import Testing
import Timeline
import Trace
import World

@testable import Runner

/// A recorder whose instrument answers late: what follows from an action happens before the answer comes.
@Suite struct SlowInstruments {
  @Test(arguments: [
    ("- device: {press: 1 s}\n  - eventually: {phone.status: connecting}\n    within: 1 s", true),
    (
      "- device: {press: 1 s}\n  - eventually: {phone.status: connecting}\n    within: 1 s\n"
        + "  - eventually: {phone.status: connected}\n    within: 1 s", true
    ),
    // Each happened once, and in this order.
    (
      "- device: {press: 1 s}\n  - eventually: {phone.status: connected}\n    within: 1 s\n"
        + "  - eventually: {phone.status: connecting}\n    within: 1 s", false
    ),
    // What was before the button was let go does not follow from that.
    ("- device: {press: 1 s}\n  - eventually: {phone.status: searching}\n    within: 1 s", false),
    ("- device: {press: 1 s}\n  - wait: 1 s\n  - eventually: {phone.status: connecting}\n    within: 1 s", false),
    (
      "- device: {press: 1 s}\n  - device: power-on\n  - eventually: {phone.status: connecting}\n    within: 1 s", false
    ),
  ])
  func whatHappensBeforeAnInstrumentAnswersCountsForWhatIsWaitedForAtOnce(_ steps: String, _ passes: Bool) throws {
    let scenario = try Playing.scenarios("steps:\n  \(steps)")[0]
    let loop = EventLoop(driver: .virtual, seed: 1)
    let waits = Waits()
    let device = SlowDevice(loop, waits)
    nonisolated(unsafe) let set = StageSet(
      phones: [], devices: [device], medium: nil, waits: waits, sounds: Silence(), firmware: NoFirmware(),
      assertions: device.assertions, words: EventWords(phones: ["phone"], devices: [(device.name, device.address)]),
      firstViolation: { nil }, observer: nil, trace: TraceRecorder())
    let stage = Stage(loop: loop, set)
    let performance = try loop.run { await stage.perform(scenario) }
    #expect((performance.verdict == .passed) == passes, "\(performance.verdict)")
  }
}

/// A recorder whose button is let go 100 ms before its instrument says so.
private final class SlowDevice: DeviceControl {
  let name = "device"
  let address = BluetoothAddress(littleEndian: [1, 2, 3, 4, 5, 0xC6], .random)
  let assertions = Assertions()
  private let loop: EventLoop
  private let waits: Waits

  init(_ loop: EventLoop, _ waits: Waits) {
    (self.loop, self.waits) = (loop, waits)
  }

  private func show(_ status: OracleEvent.ShownStatus) {
    assertions.observe(.oracle(.statusShown(phone: 0, status), at: loop.now))
  }

  func pressButton() throws(ControlFailure) {
    assertions.keep()
    show(.searching)
  }

  func releaseButton() async throws(ControlFailure) {
    assertions.keep()
    show(.connecting)
    show(.connected)
    _ = await waits.pass(.milliseconds(100), on: loop)
  }

  func powerOn() throws(ControlFailure) { assertions.keep() }
  func cutPower() throws(ControlFailure) { throw .lacking("") }
  func cutPower(afterStorageOperations operations: Int) throws(ControlFailure) { throw .lacking("") }
  func setBattery(millivolts: Int) throws(ControlFailure) { throw .lacking("") }
  func setClock(_ seconds: Int64) throws(ControlFailure) { throw .lacking("") }
  func setOscillatorError(partsPerBillion: Int) throws(ControlFailure) { throw .lacking("") }
  func setSound(_ samples: [Int16]) throws(ControlFailure) { throw .lacking("") }
  func forgetBonds() throws(ControlFailure) { throw .lacking("") }
  func inspect() throws(ControlFailure) -> DeviceInspection { throw .lacking("") }
}
