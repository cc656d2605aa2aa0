import Bytes
import DictofunProtocol
import Phone
import Recorder
import Synchronization
import Timeline
import Trace
import World

@testable import Bench
@testable import Probe
@testable import Session

/// A recorder on the air of a simulated world, and the phone that probes it there: the same session as with a real one, in
/// virtual time.
enum ProbeRig {
  static let address = BluetoothAddress(0xC605_0403_0201, .random)

  /// What a recorder begins with.
  struct Setting {
    var profile = RecorderProfile.reference
    /// Records in its flash, with their octets.
    var records: [Int] = Array(repeating: 512, count: 64)
    /// Whether there are a button, a rail and a supply.
    var hasInstruments = false
    /// What is done only where it is asked for.
    var extent = ProbeExtent()
    /// Whether what presses its button is gone.
    var hasLostButton = false
    /// The step with whose beginning the user wants to stop; `nil` for none.
    var interruptedAt: String?
    /// Whether it never switches itself off.
    var staysAwake = false
  }

  /// What a probe finds out about a recorder, compared with the reference, from this seed.
  static func probe(
    _ setting: Setting, against twin: RecorderProfile = .reference, seed: UInt64 = 1,
    for wanted: Set<ProbedConstant> = Set(ProbedConstant.allCases)
  ) throws
    -> MeasuredRecorder
  {
    let loop = EventLoop(driver: .virtual, seed: seed)
    let medium = SimulatedMedium(loop: loop)
    let world = BluetoothWorld(loop: loop, trace: TraceRecorder(), seenFrom: .recorder)
    var configuration = RecorderConfiguration(address: address, profile: setting.profile)
    configuration.staysAwake = setting.staysAwake
    configuration.records = setting.records.enumerated().map { number, octets in
      PlacedRecord(
        identifier: RecordIdentifier(configuration.clock.adding(seconds: Int64(number) - 1_000)),
        content: [UInt8](repeating: 0x5A, count: octets))
    }
    nonisolated(unsafe) let device = SimulatedDevice(
      "device", index: 0, configuration, in: world, on: medium.attach("device", .recorder), entropy: .seed
    ) { nil }
    let (log, tale) = (ProbeLog(), ConsoleTale())
    nonisolated(unsafe) let line = TaleLine(tale)
    let phone = PhoneConfiguration(
      ownAddress: BluetoothAddress(0xD0_0000_0000_01, .random), library: try PhoneLibrary(.memory))
    let desk = PhoneDesk(phone, on: medium.attach("phone", .phone), loop: loop, entropy: .seed, sinks: [log])
    defer { loop.discardEvents() }
    return try loop.run {
      let console = setting.hasInstruments ? SimulatedConsole(around: device, image: "f934e997", at: line, loop) : nil
      defer { withExtendedLifetime(console) {} }
      if setting.hasInstruments {
        nonisolated(unsafe) let shared: any DeviceControl = setting.hasLostButton ? ButtonlessDevice(device) : device
        await desk.attach { _, _ in shared }
      }
      try device.powerOn()
      defer { device.retire() }
      let stop = Stop()
      let conversation = RecorderConversation(desk, .paired, isInterrupted: { stop.began.withLock { $0 != nil } })
      do {
        let found = try await conversation.probe(
          log, against: twin, for: wanted, setting.extent, console: setting.hasInstruments ? tale : nil,
          words: { "\($0)" }
        ) { event in
          guard let name = setting.interruptedAt, case .step(name, _) = event else { return }
          stop.began.withLock { $0 = loop.now }
        }
        await desk.close()
        return found
      } catch {
        await desk.close()
        guard let began = stop.began.withLock({ $0 }) else { throw error }
        throw Stopped(after: began.duration(to: loop.now), by: error)
      }
    }
  }
}

/// A probe that the user ended.
struct Stopped: Error {
  /// How long it went on after that.
  let after: Duration
  let cause: any Error

  init(after: Duration, by cause: any Error) { (self.after, self.cause) = (after, cause) }
}

/// When the user wanted to stop.
private final class Stop: Sendable {
  let began = Mutex<Instant?>(nil)
}

/// A recorder on a bench whose Pico is gone, while everything else works.
private final class ButtonlessDevice: DeviceControl {
  private let device: SimulatedDevice

  init(_ device: SimulatedDevice) { self.device = device }

  var name: String { device.name }
  var address: BluetoothAddress { device.address }
  func pressButton() throws(ControlFailure) { throw .bench("the Pico is gone", advice: "check its cable") }
  func releaseButton() throws(ControlFailure) { try pressButton() }
  func powerOn() throws(ControlFailure) { try device.powerOn() }
  func cutPower() throws(ControlFailure) { try device.cutPower() }
  func cutPower(afterStorageOperations operations: Int) throws(ControlFailure) {
    try device.cutPower(afterStorageOperations: operations)
  }
  func setBattery(millivolts: Int) throws(ControlFailure) { try device.setBattery(millivolts: millivolts) }
  func setClock(_ seconds: LocalSeconds) throws(ControlFailure) { try device.setClock(seconds) }
  func setOscillatorError(partsPerBillion: Int) throws(ControlFailure) {
    try device.setOscillatorError(partsPerBillion: partsPerBillion)
  }
  func setSound(_ samples: [Int16]) throws(ControlFailure) { try device.setSound(samples) }
  func forgetBonds() throws(ControlFailure) { try device.forgetBonds() }
  func inspect() throws(ControlFailure) -> DeviceInspection { try device.inspect() }
}

/// The line of a console whose log a probe hears.
private final class TaleLine: ServedLine {
  var onOctets: (([UInt8]) -> Void)?
  private let tale: ConsoleTale
  private var text = ConsoleText()
  private var banner: String?

  init(_ tale: ConsoleTale) { self.tale = tale }

  func send(_ octets: [UInt8]) {
    for case .line(let line) in text.take(octets) {
      guard let log = ConsoleLog(line) else { continue }
      if log.isBootBanner { banner = log.text }
      tale.take(log, banner: banner)
    }
  }
}
