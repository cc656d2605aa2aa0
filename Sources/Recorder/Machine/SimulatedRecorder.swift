import Bytes
import Charts
import DictofunProtocol
import HCI
import HostStack
import Timeline

/// A whole simulated recorder above its controller, as a value: the Bluetooth host stack and, behind it, the program
/// that runs on the chip.
///
/// It is off until its button is pressed or its rail is held. While it is off it hears nothing from its controller.
package struct SimulatedRecorder {
  private var application: any RecorderApplicationMachine
  private var output = RecorderOutput()
  private var timers: [RecorderTimer] = []
  private var host = HostMachine()
  private var hostEffects: [MachineEffect<HostEvent>] = []
  // Requests and effects being performed; kept so that nothing is allocated for every packet.
  private var performedEffects: [MachineEffect<HostEvent>] = []
  private var performedRequests: [HostRequest] = []
  /// Resets with which the controller was silenced and that it has not answered. What it says before belongs to what
  /// was, and it takes no command (Vol 4, Part E, 7.3.2).
  private var unansweredResets = 0

  private static let silenceToken = TimerToken(owner: .application, kind: 255)
  /// HCI_Reset: the radio falls silent without ending its links, as it does when power is gone (Vol 4, Part E, 7.3.2).
  private static let resetCommand = HCIPacket(.command, [0x03, 0x0C, 0x00])
  /// How long a controller may take over that; one that takes longer is set up without its answer.
  private static let resetLimit = Duration.seconds(1)

  /// A recorder that is off, with the modelled firmware.
  package init(_ configuration: RecorderConfiguration) { self.init(running: ModelledRecorder(configuration)) }

  /// A recorder that is off, with this on its chip.
  package init(running application: any RecorderApplicationMachine) { self.application = application }

  /// Takes one input at an instant and appends its effects.
  package mutating func handle(
    _ input: MachineInput<RecorderControl>, at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]
  ) {
    switch input {
    case .request(let control): application.take(control, at: instant)
    case .packet(let packet) where unansweredResets > 0: noteSilence(packet, &effects)
    case .timerFired(Self.silenceToken): unansweredResets = 0
    case .packet(let packet): if isOn { host.handle(.packet(packet), &hostEffects) }
    case .entropy(let token, let bytes): if isOn { host.handle(.entropy(token: token, bytes: bytes), &hostEffects) }
    case .controllerLost: if isOn { host.handle(.controllerLost, &hostEffects) }
    case .timerFired(let token) where token.owner == .application: application.timerFired(token.kind, at: instant)
    case .timerFired(let token): if isOn { host.handle(.timerFired(token), &hostEffects) }
    }
    settle(at: instant, &effects)
  }

  // MARK: Seen from inside

  /// Whether it has power.
  package var isOn: Bool { application.isOn }
  /// What can be seen of it from inside.
  package func inspect(at instant: Instant) -> RecorderInspection { application.inspect(at: instant) }
  /// What its clock shows; `nil` where the program cannot tell.
  package func clock(at instant: Instant) -> CivilTime? { application.clock(at: instant) }
  /// What it keeps without power; `nil` where that cannot be stored.
  package var memory: RecorderMemory? { application.memory }
  /// Everything in its chip's flash; `nil` for a model.
  package var chipFlash: [UInt8]? { application.chipFlash }
  /// Operations on its flashes, that of records and the chip's own, since it was made; each can be where power fails.
  package var flashOperationCount: Int { application.flashOperationCount }
  /// What its parts did while it had power; `nil` for a model.
  package func use(at instant: Instant) -> RecorderUse? { application.use(at: instant) }
  /// What its machines did on their state charts.
  package var chartLogs: [ChartLog] { application.chartLogs }

  // MARK: Between firmware and stack

  /// Lets firmware and stack answer each other until both are idle.
  private mutating func settle(at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]) {
    while true {
      application.drain(&output)
      if output.silencesController { silence(&effects) }
      if !hostEffects.isEmpty {
        swap(&hostEffects, &performedEffects)
        for effect in performedEffects { perform(effect, at: instant, &effects) }
        performedEffects.drain()
      } else if !output.requests.isEmpty, unansweredResets == 0 {
        swap(&output.requests, &performedRequests)
        for request in performedRequests { host.handle(.request(request), &hostEffects) }
        performedRequests.drain()
      } else if !application.settle(at: instant) {
        break
      }
    }
    for event in output.events { effects.append(.event(event)) }
    output.events.drain()
    application.arm(&timers, at: instant)
    for timer in timers { effects.append(Self.effect(of: timer, at: instant)) }
    timers.drain()
  }

  private mutating func perform(
    _ effect: MachineEffect<HostEvent>, at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]
  ) {
    switch effect {
    case .event(let event): application.take(event, at: instant)
    case .send(let packet): effects.append(.send(packet))
    case .startTimer(let token, let duration): effects.append(.startTimer(token, duration))
    case .cancelTimer(let token): effects.append(.cancelTimer(token))
    case .needEntropy(let request): effects.append(.needEntropy(request))
    }
  }

  private static func effect(of timer: RecorderTimer, at instant: Instant) -> MachineEffect<RecorderEvent> {
    let token = TimerToken(owner: .application, kind: timer.kind)
    guard let due = timer.due else { return .cancelTimer(token) }
    return .startTimer(token, due > instant ? instant.duration(to: due) : .zero)
  }

  /// Power is gone: the stack forgets its links and timers, and the controller is silenced.
  private mutating func silence(_ effects: inout [MachineEffect<RecorderEvent>]) {
    output.silencesController = false
    output.requests.removeAll()
    var forgotten: [MachineEffect<HostEvent>] = []
    host.handle(.controllerLost, &forgotten)
    for effect in hostEffects + forgotten {
      if case .cancelTimer(let token) = effect { effects.append(.cancelTimer(token)) }
    }
    hostEffects = []
    effects.append(.send(Self.resetCommand))
    unansweredResets += 1
    effects.append(.startTimer(Self.silenceToken, Self.resetLimit))
  }

  /// Command_Complete of HCI_Reset: the controller is silent, and can be set up.
  private mutating func noteSilence(_ packet: HCIPacket, _ effects: inout [MachineEffect<RecorderEvent>]) {
    guard packet.kind == .event, case .commandComplete(.reset, _, _)? = try? Event(decoding: packet.bytes) else {
      return
    }
    unansweredResets -= 1
    if unansweredResets == 0 { effects.append(.cancelTimer(Self.silenceToken)) }
  }
}
