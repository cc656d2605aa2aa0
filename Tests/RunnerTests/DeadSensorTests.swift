import Foundation
import Requirements
import ScenarioLanguage
import TestThreads
import Testing
import Timeline
import Trace
import Verdicts
import World
import YAML

@testable import Bench
@testable import Runner

/// Steps that are watched by sensors which die or hang: nothing was learned about the recorder.
@Suite(.waits) struct DeadSensors {
  /// A scanner that is lost during a ban, and in the time in which the ban is not certain yet.
  @Test(arguments: [(Int?.none, Verdict.Kind.passed), (5_000, .benchError), (10_200, .benchError)])
  func aBanThatALostScannerWatchedHasNotHeld(_ lostAfter: Int?, _ kind: Verdict.Kind) throws {
    let rig = try SensorRig(hasPico: false)
    if let lostAfter {
      rig.loop.schedule(after: .milliseconds(lostAfter)) { [rig] in rig.scanner?.pipeClosed(.closedByPeer) }
    }
    let performance = try rig.perform("steps:\n  - never: advertising\n    for: 10 s")
    #expect(performance.verdict.kind == kind, "\(performance.verdict)")
  }

  @Test func aBanIsNotCertainWhereTheRunEndsBeforeItIs() throws {
    let rig = try SensorRig(hasPico: false)
    rig.loop.schedule(after: .milliseconds(10_200)) { [waits = rig.waits] in waits.timeOut() }
    let performance = try rig.perform("steps:\n  - never: advertising\n    for: 10 s")
    #expect(performance.verdict.kind == .blocked, "\(performance.verdict)")
  }

  @Test func aScannerThatNeverListensIsTheBenchsFaultBeforeTheFirstStep() throws {
    let rig = try SensorRig(hasPico: false, isDeaf: true)
    let performance = try rig.perform("steps:\n  - never: advertising\n    for: 10 s", isPrepared: false)
    #expect(performance.verdict.reason?.contains("did not answer the command") == true, "\(performance.verdict)")
    #expect(performance.steps.isEmpty)
  }

  @Test func aBanThatAnUnpluggedPicoWatchedHasNotHeld() throws {
    let rig = try SensorRig(hasPico: true)
    rig.afterALook { $0.hangUp() }
    let performance = try rig.perform("steps:\n  - never: {device.power: \"off\"}\n    for: 1 s")
    #expect(performance.verdict.kind == .benchError, "\(performance.verdict)")
  }

  @Test func aLookAfterThePicoWasUnpluggedIsNotTheLastOne() throws {
    let rig = try SensorRig(hasPico: true)
    rig.afterALook { $0.hangUp() }
    let performance = try rig.perform(
      "steps:\n  - wait: 1 s\n  - device: inspect\n    expect: {power: true}\n    within: 5 s")
    #expect(performance.verdict.kind == .benchError, "\(performance.verdict)")
  }

  /// It is asked until its patience is over, which is longer than the step's.
  @Test func thatAPicoHangsIsNotTheRecordersFault() throws {
    let rig = try SensorRig(hasPico: true)
    rig.afterALook { $0.onOctets = nil }
    let performance = try rig.perform("steps:\n  - eventually: {device.power: \"off\"}\n    within: 600 ms")
    #expect(performance.verdict.reason?.contains("did not answer `sense`") == true, "\(performance.verdict)")
  }

  @Test func aPicoThatAnswersLateIsWaitedFor() throws {
    let rig = try SensorRig(hasPico: true)
    let end = Instant.zero.advanced(by: .seconds(2))
    rig.afterALook { [loop = rig.loop] line in
      let hear = line.onOctets
      var held: [UInt8] = []
      line.onOctets = { held += $0 }
      loop.schedule(at: end) {
        line.onOctets = hear
        hear?(held)
      }
    }
    let performance = try rig.perform("steps:\n  - eventually: {device.power: \"off\"}\n    within: 600 ms")
    #expect(performance.verdict.kind == .failed, "\(performance.verdict)")
    #expect(performance.steps.first.map { $0.ended >= end } == true)
  }
}

/// A recorder that somebody watches, on a stage: by a scanner in virtual time, where nobody advertises, or by a Pico in real
/// time.
private final class SensorRig {
  let loop: EventLoop
  let waits = Waits()
  let scanner: AirScanner?
  private let senses: BenchSenses
  private let device: ActuatedDevice
  private let target: HardwareTarget
  private let assertions = Assertions()
  private let bench: RecorderBench?
  private let instruments: SimulatedInstruments?

  /// A deaf scanner never hears what its controller answers.
  init(hasPico: Bool, isDeaf: Bool = false) throws {
    loop = EventLoop(driver: hasPico ? .wall : .virtual, seed: 1)
    let port = FileManager.default.temporaryDirectory.appending(path: "pico-\(UUID().uuidString)").path
    let pico = hasPico ? "\n    pico: {RawSerialPort: \(port)}" : ""
    let text = "place: a\nadapters: [\"usb:0\", \"usb:1\"]\nrecorders:\n  - address: C6:05:04:03:02:01\(pico)\n"
    let file = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    target = try #require(HardwareTarget(file, controller: nil, device: nil))
    let place = target.recorders[0]
    if hasPico {
      var plan = RecorderPlan()
      plan.addresses = [place.address]
      let bench = RecorderBench(plan, on: loop)
      instruments = try SimulatedInstruments(place, around: bench.recorders[0], on: loop)
      (self.bench, scanner) = (bench, nil)
    } else {
      let controller = SimulatedMedium(loop: loop).attach("scanner", .phone)
      (bench, instruments) = (nil, nil)
      scanner = AirScanner(on: controller, loop)
      if isDeaf { controller.receiver = nil }
    }
    device = try ActuatedDevice("device", place, operator: nil, on: loop, waits)
    senses = BenchSenses([device], at: [place], scanner, on: loop)
    senses.tell { [assertions] in assertions.observe($0) }
  }

  deinit {
    senses.close()
    device.close()
    bench?.close()
  }

  /// Does something at the Pico's line as soon as it has answered a look, when no question is open.
  func afterALook(_ act: @escaping (LineServer) -> Void) {
    loop.schedule(after: .milliseconds(10)) { [weak self] in
      guard let self, let line = instruments?.pico?.line else { return }
      if senses.lookedAt(0) == nil { afterALook(act) } else { act(line) }
    }
  }

  /// Performs a scenario; where the bench is not prepared yet, it is before, as in a run.
  func perform(_ body: String, isPrepared: Bool = true) throws -> Performance {
    let scenario = try Playing.scenarios(body)[0]
    nonisolated(unsafe) var set = StageSet(
      phones: [], devices: [device], medium: nil, waits: waits, sounds: Silence(), firmware: NoFirmware(),
      assertions: assertions, words: EventWords(phones: ["phone"], devices: [(device.name, device.address)]),
      firstViolation: { nil }, observer: nil, trace: TraceRecorder())
    set.senses = senses
    set.benchTrouble = { [senses] in senses.trouble }
    let stage = Stage(loop: loop, set)
    let target = target
    // Where silence is not noticed, nothing else would end the wait.
    let limit = loop.schedule(after: .seconds(60)) { [waits] in waits.timeOut() }
    defer { loop.cancel(limit) }
    return try loop.run {
      isPrepared ? await stage.perform(scenario) : await stage.performOnBench(scenario, target)
    }
  }
}
