import Bytes
import Charts
import HCI
import HostStack
import Phone
import Recorder
import Requirements
import Timeline
import Trace
import Verdicts

/// Owns everything of one run: the loop, the machines on their pipes, the trace, and the monitors.
///
/// It performs the effects of machines, gives every packet to the interpreter of its host, masks what must not be seen,
/// writes the trace, and tells monitors and assertions what happened. `run`, `simulate`, `scan` and `pull` all use it.
public final class BluetoothWorld {
  /// The time and chance of this run.
  public let loop: EventLoop
  /// The trace of the run, which all parts write to.
  public let trace: TraceRecorder
  /// What steps wait for.
  public let waits = Waits()
  /// The requirement monitors, armed from the first packet on.
  public private(set) var monitors: MonitorSet
  /// What phones and recorders said to each other last, and what they owe each other.
  package private(set) var conversation: Conversation
  /// Sees every event after the monitors, file data from the viewpoint's end of a link only.
  public var onEvent: ((ProductEvent) -> Void)?
  /// Whether keys and the content of recordings are written to the trace unmasked.
  public let isUncovered: Bool

  /// The end from which links are seen.
  let viewpoint: TraceSource.Part

  /// Which recorders the phones of this world may meet.
  public var cast: Cast {
    get { casting.cast }
    set { casting = Casting(newValue) }
  }
  private var casting = Casting(.everybody)

  /// The first trouble with a controller in use, or with who is in range; `nil` while there is none.
  public private(set) var controllerTrouble: String?
  /// Called when a controller fails: most of what steps wait for will never happen then.
  public var onControllerTrouble: (() -> Void)?

  private var findings: [MonitorFinding]?

  /// How reports call those who take part; `nil` where there is one phone and one recorder. To be set before anything happens.
  package var parties: PartyNames? { didSet { monitors.parties = parties } }

  /// The clocks of this world's phones, by their numbers.
  var phoneClocks: [UInt16: () -> LocalSeconds] = [:]
  /// Which phone gave the time last, what its clock showed then, and when that was, by the recorder that it gave it to.
  private var timeServers: [BluetoothAddress: (phone: UInt16, time: LocalSeconds, instant: Instant)] = [:]

  /// A world without devices. Monitors see links from `viewpoint`: the recorder's where the phone is another vendor's
  /// application. Those of the house watch unless others are given.
  public init(
    loop: EventLoop, trace: TraceRecorder, isUncovered: Bool = false, seenFrom viewpoint: TraceSource.Part = .phone,
    watchedBy monitors: [any Monitor] = MonitorSet.everyMonitor
  ) {
    self.loop = loop
    self.trace = trace
    self.isUncovered = isUncovered
    self.viewpoint = viewpoint
    self.monitors = MonitorSet(monitors, from: viewpoint)
    conversation = Conversation(from: viewpoint)
  }

  /// Lets other monitors watch, before anything happened; one of them is weakened.
  package func arm(_ monitors: [any Monitor], weakened: MonitorWeakening) {
    self.monitors = MonitorSet(monitors, weakened: weakened)
    self.monitors.parties = parties
  }

  /// Attaches a machine to a pipe; what it sends and receives is interpreted, traced and judged.
  func stand<Machine: StationMachine>(
    _ machine: Machine, named name: String, as source: TraceSource, on pipe: any PacketPipe, entropy: EntropySource
  ) -> Station<Machine> {
    let station = Station(name, machine, on: pipe, loop: loop, entropy: entropy)
    let tap = PacketTap(at: source, in: self)
    station.tap = tap
    station.onControllerLost = { [unowned self] reason in
      controllerFailed("the controller of \(name) was lost: \(reason.reason)")
      tap.controllerLost()
    }
    let number = charts.watch { station.machine.chartLogs }
    station.onRetire = { [unowned self] in charts.retire(number) }
    return station
  }

  /// The simulated medium of this world, which measures what machines cannot see; `nil` on a bench.
  package var medium: SimulatedMedium?
  private var measurements = Measurements()

  /// What was measured in this world besides verdicts, in order of the names.
  package var figures: [Figure] { measurements.figures(radioTime: medium?.longestRadioTime) }

  /// What the recorders of this world tell of their parts' use.
  var recorderUses: [() -> RecorderUse?] = []

  /// The charge that recorders took by data sheets; `nil` where no recorder executes an image.
  package var charge: ChargeEstimate? {
    ChargeMeter.estimate(recorderUses.compactMap { $0() }, medium?.radioUse)
  }

  /// What the machines of this world did on their state charts.
  package var chartLogs: [ChartLog] { charts.logs }
  /// The first transition that a machine of this world asked for and that its chart does not have: a fault of ours.
  package var refusedTransition: RefusedTransition? { chartLogs.lazy.compactMap(\.log.refusal).first }
  private var charts = ChartCollector()

  /// Tells monitors and assertions what happened.
  func publish(_ event: consuming ProductEvent) {
    switch casting.role(in: event) {
    case .member: break
    case .stranger(let words):
      if let words { trace.record(.note, from: event.source, at: event.instant, words) }
      return
    case .intruder(let words): controllerFailed(words)
    }
    if let parties { event.parties = parties }
    if case .timeServed = event.happening { timeServed(event) }
    if stoppedSince == nil { monitors.observe(event) }
    conversation.observe(event)
    if !event.happening.kind.isDisjoint(with: Measurements.interests) { measure(event) }
    // Everything else is in the packets of the trace already.
    if case .oracle = event.happening {
      trace.record(.oracleEvent, from: event.source, at: event.instant, event.happening.sentence)
    }
    onEvent?(event)
  }

  private func measure(_ event: ProductEvent) {
    measurements.observe(event) { [medium] unit in
      medium?.octetsPerSecond(toPhone: Int(event.source.index), maximumTransmissionUnit: unit)
    }
  }

  private func timeServed(_ event: ProductEvent) {
    let phone = event.source.index
    guard event.source.part == .phone, let peer = event.peer, let time = phoneClocks[phone]?() else { return }
    timeServers[peer] = (phone, time, event.instant)
  }

  /// The phone that gave a recorder the time last, and what its clock shows, or would show if nobody had set it since; `nil`
  /// where that is not known. Phones whose clocks show the same are told as the first of them.
  func timeServer(of recorder: BluetoothAddress) -> (phone: UInt16, time: LocalSeconds)? {
    guard let given = timeServers[recorder], let shown = phoneClocks[given.phone]?() else { return nil }
    let expected = given.time + given.instant.duration(to: loop.now).components.seconds
    // A second may begin in between.
    let time = (expected...(expected + 1)).contains(shown) ? shown : expected
    return ((0..<given.phone).first { phoneClocks[$0]?() == time } ?? given.phone, time)
  }

  /// Notes that a controller in use failed. The first failure counts, because it causes the others.
  func controllerFailed(_ words: String) {
    controllerTrouble = controllerTrouble ?? words
    onControllerTrouble?()
  }

  /// Whether a phone wrote what somebody else chose, which excuses it before the monitors.
  package private(set) var isImprovised = false

  /// What a recorder's program used that is not modelled: a sentence each, in order.
  public private(set) var notModelled: [String] = []

  /// When a recorder that the scenario keeps awake switched itself off for the first time, as somebody else's program may.
  package private(set) var sleptSince: Instant?

  func recorderFellAsleep() { sleptSince = sleptSince ?? loop.now }

  /// When a recorder's program was not executed any more for the first time, because it had had its time; `nil` where a
  /// controller had failed before. Monitors judge nothing that comes later.
  package private(set) var stoppedSince: Instant?

  func recorderStopped() {
    if controllerTrouble == nil { stoppedSince = stoppedSince ?? loop.now }
  }

  /// States what only this world can know.
  package func state(_ event: OracleEvent) {
    switch event {
    case .execution(.notModelled(_, let text)): if !notModelled.contains(text) { notModelled.append(text) }
    case .update(.improvised): isImprovised = true
    default: break
    }
    publish(.oracle(event, at: loop.now))
  }

  /// Tells the monitors that nothing happens until an instant, because nothing is left that could.
  package func beIdle(until instant: Instant) { monitors.reach(min(instant, stoppedSince ?? instant)) }

  /// Up to when monitors judge.
  private var judgedUntil: Instant { stoppedSince ?? loop.now }

  /// The first violation that ends a scenario's steps, deadlines that have come by now included.
  package func endingViolation() -> MonitorViolation? {
    monitors.reach(judgedUntil)
    return monitors.firstEndingViolation
  }

  /// Returns the violations that were not reported yet.
  public func takeViolations() -> [MonitorViolation] { monitors.takeViolations() }

  /// Ends the run and returns what the monitors found, in the order in which they were armed.
  public func finish() -> [MonitorFinding] {
    if let findings { return findings }
    let findings = monitors.finish(at: judgedUntil)
    self.findings = findings
    trace.finish()
    return findings
  }
}
