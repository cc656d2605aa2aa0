import Bytes
import DictofunProtocol
import HostStack
import Phone
import Requirements
import ScenarioLanguage
import SecureDFU
import Timeline
import Trace
import Verdicts
import World

/// Where a scenario is played: the phones, recorders and the air that its steps act on, all on one event loop.
///
/// The event loop is the executor of the actor, so a step continues at the instant of the event that it waited for.
public actor Stage {
  /// The time of the run; `loop.now` is the current instant.
  public nonisolated let loop: EventLoop
  /// The phones of the scenario, in the order of `given:`.
  public let phones: [any PhoneControl]
  /// The recorders of the scenario, in the order of `given:`.
  public let devices: [any DeviceControl]
  let medium: (any AirControl)?
  let waits: Waits
  let sounds: any SoundLibrary
  let firmware: any FirmwareLibrary
  let assertions: Assertions
  let words: EventWords
  let trace: TraceRecorder
  let firstViolation: () -> MonitorViolation?
  /// Tells the monitors that nothing happens until an instant.
  let beIdle: (Instant) -> Void
  /// The party that references to requirements count against; `nil` where they name several, or none is known.
  let party: ([String]) -> JudgedParty?
  let conversation: () -> Conversation?
  /// The problem with a controller of the bench; `nil` if there is none.
  let benchTrouble: () -> String?
  let observer: (any RunObserver)?
  /// What steps have kept for later ones.
  var kept = KeptValues()
  /// The expectations that the last verb did not meet.
  var mismatches: [Expectation.Mismatch] = []
  /// The answer that the running step got to its question.
  var answer: StepReport.Answer?
  /// Keys that phones have deleted, by which it can be seen whether a real recorder forgot them: phone and keys.
  var formerKeys: [(phone: String, bond: Bond)] = []
  /// Who saw what the running step asserts, where a bench's sensors did.
  var seenBy: [String] = []
  /// When the verb of the running step must be done.
  var deadline: ScheduledEvent?
  /// Whether the running step looks at a real recorder, which its limit does not count.
  var isLooking = false
  /// By how much later the running step may have begun than the event from which it counts, because a sensor told late.
  var lateness = Duration.zero
  /// What sees the recorders of a bench; `nil` where nothing has to.
  let senses: BenchSenses?
  /// Extra time for every step on a bench, for the delays of its instruments.
  let tolerance: Duration
  /// Whether what steps expect decides nothing.
  let onlyMonitorsJudge: Bool
  /// The verbs that steps may perform.
  let verbs: [any Verb.Type]
  /// Events that no recorder here tells: nothing of such a kind is seen, and that it is not seen shows nothing.
  let untoldEvents: [ObservationDeclaration]

  /// The event loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Sets up the stage, which owns the set from then on.
  init(loop: EventLoop, _ set: sending StageSet) {
    self.loop = loop
    phones = set.phones
    devices = set.devices
    medium = set.medium
    waits = set.waits
    sounds = set.sounds
    firmware = set.firmware
    assertions = set.assertions
    words = set.words
    firstViolation = set.firstViolation
    party = set.party
    beIdle = set.beIdle
    conversation = set.conversation
    benchTrouble = set.benchTrouble
    observer = set.observer
    trace = set.trace
    tolerance = set.tolerance
    verbs = set.verbs
    onlyMonitorsJudge = set.onlyMonitorsJudge
    senses = set.senses
    untoldEvents = set.untoldEvents
  }

  // MARK: Who is meant

  /// The phone that a step means.
  public func phone(_ call: VerbCall) throws(VerbFailure) -> any PhoneControl {
    guard let phone = call.performer.map({ name in phones.first { $0.name == name } }) ?? phones.first else {
      throw .control(.impossible("unknown phone \(call.performer ?? "")"))
    }
    return phone
  }

  /// The recorder that a step means.
  public func device(_ call: VerbCall) throws(VerbFailure) -> any DeviceControl {
    guard let device = call.performer.map({ name in devices.first { $0.name == name } }) ?? devices.first else {
      throw .control(.lacking("recorder \(call.performer ?? "")"))
    }
    return device
  }

  /// The medium between them. Throws `lacking` on a bench, where nobody can steer it.
  public func air() throws(VerbFailure) -> any AirControl {
    guard let medium else { throw .control(.lacking(Capabilities.medium.description)) }
    return medium
  }

  /// The recorder that a phone's operation means.
  func recorder(_ named: RecorderName?) throws(VerbFailure) -> RecorderChoice {
    guard let name = named?.text else { return .paired }
    guard let device = devices.first(where: { $0.name == name }) else {
      throw .control(.impossible("unknown recorder \(name)"))
    }
    return .address(device.address)
  }

  /// How the scenario calls the recorder with this address.
  func deviceName(_ address: BluetoothAddress) -> String? { devices.first { $0.address == address }?.name }

  // MARK: Doing

  /// Ends the running step, and all that follow but those of `always:`.
  func interrupt() { waits.interrupt() }

  /// Runs an operation of the phone that a step means.
  public func run(_ operation: PhoneOperation, by call: VerbCall) async throws(VerbFailure) -> PhoneResult {
    let phone = try phone(call)
    let outcome: Result<PhoneResult, PhoneFailure>
    do { outcome = try await phone.perform(operation) } catch { throw .control(error) }
    switch outcome {
    case .success(let result): return result
    case .failure(let failure): throw VerbFailure(failure)
    }
  }

  /// Presses the button of a recorder and keeps it pressed.
  func pressButton(of device: any DeviceControl) async throws(ControlFailure) {
    try await device.pressButton()
    observer?.buttonChanged(of: device.name, isDown: true, at: loop.now)
  }

  /// Lets the button of a recorder go.
  func releaseButton(of device: any DeviceControl) async throws(ControlFailure) {
    try await device.releaseButton()
    observer?.buttonChanged(of: device.name, isDown: false, at: loop.now)
  }

  /// Lets time pass.
  public func pass(_ duration: Duration) async throws(VerbFailure) {
    if case .failure(let end) = await waits.pass(duration, on: loop) { throw .control(.ended(end)) }
  }

  /// An update package by the name that a scenario gives; one that cannot be read is refused as `package-unfit`.
  func package(_ name: String) throws -> FirmwarePackage {
    let archive = try firmware.package(name)
    do throws(PackageRefusal) { return try FirmwarePackage(decoding: archive) } catch {
      throw VerbFailure.refused(.packageUnfit, error.description)
    }
  }

  /// Lets the microphone of a recorder hear a sound by the name that a scenario gives.
  func play(_ name: String, to device: any DeviceControl) async throws {
    let samples = try sound(name)
    try await device.setSound(samples)
    guard let observer, observer.wantsSounds else { return }
    observer.heard(HeardSound(name: name, isSpoken: true, instant: loop.now, sound: .samples(samples)))
  }

  /// Tells the observer what simulated phones have received.
  func tellReceivedSounds() {
    guard let observer, observer.wantsSounds else { return }
    for case let phone as SimulatedPhone in phones {
      for entry in (try? phone.records()) ?? [] where observer.wantsSounds {
        let name = "record \(entry.identifier) on \(phone.name)"
        observer.heard(HeardSound(name: name, isSpoken: false, instant: loop.now, sound: .record(entry.bytes)))
      }
    }
  }

  /// Sound samples by the name that a scenario gives.
  public func sound(_ name: String) throws(ControlFailure) -> [Int16] { try sounds.samples(name) }
}

/// The contents of a stage.
struct StageSet {
  var phones: [any PhoneControl]
  var devices: [any DeviceControl]
  var medium: (any AirControl)?
  var waits: Waits
  var sounds: any SoundLibrary
  var firmware: any FirmwareLibrary
  var assertions: Assertions
  var words: EventWords
  var firstViolation: () -> MonitorViolation?
  var beIdle: (Instant) -> Void = { _ in }
  var party: ([String]) -> JudgedParty? = { _ in nil }
  /// What phones and recorders said last; `nil` where nobody follows it.
  var conversation: () -> Conversation? = { nil }
  var benchTrouble: () -> String? = { nil }
  var observer: (any RunObserver)?
  var trace: TraceRecorder
  var tolerance = Duration.zero
  var verbs: [any Verb.Type] = VerbCatalogue.all
  var onlyMonitorsJudge = false
  /// What sees the recorders of a bench; `nil` where nothing has to.
  var senses: BenchSenses?
  /// Events that its recorders never tell.
  var untoldEvents: [ObservationDeclaration] = []
}

/// Follows a run as it happens, on its thread: a log, a live view.
public protocol RunObserver: AnyObject {
  /// A step begins.
  func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant)
  /// The verb of the running step succeeded, and found this.
  func found(_ findings: Findings)
  /// A step ended, or was skipped.
  func stepFinished(_ report: StepReport)
  /// Something happened to the product.
  func observed(_ event: ProductEvent)
  /// A step pressed or released the button of a recorder, which records while it is down.
  func buttonChanged(of device: String, isDown: Bool, at instant: Instant)
  /// Whether it wants to be told of a sound; asked anew before each.
  var wantsSounds: Bool { get }
  /// A microphone began to hear a sound, or a simulated phone has one in its library at the end.
  func heard(_ sound: HeardSound)
}

extension RunObserver {
  /// No: few need them.
  public var wantsSounds: Bool { false }
  /// Does nothing.
  public func found(_ findings: Findings) {}
  /// Does nothing.
  public func buttonChanged(of device: String, isDown: Bool, at instant: Instant) {}
  /// Does nothing.
  public func heard(_ sound: HeardSound) {}
}

/// A sound of a run.
public struct HeardSound: Hashable, Sendable {
  /// What it is: the file that was played, or the record.
  public var name: String
  /// Whether the microphone heard it; else a phone received it.
  public var isSpoken: Bool
  /// Since when.
  public var instant: Instant
  /// What there is to hear.
  public var sound: Sound
}
