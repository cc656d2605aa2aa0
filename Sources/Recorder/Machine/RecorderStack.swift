import DictofunProtocol
import HCI
import HostStack
import Timeline

/// What stands between a recorder's program and its controller: the Bluetooth host stack, and what either of the two has
/// for the other.
///
/// The program comes with every input, so that its kind is looked up once for each of them, and not at every word.
struct RecorderStack {
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

  /// Takes one input for the program or its stack and appends the effects of both.
  @_specialize(where Application == ModelledRecorder)
  mutating func handle<Application: RecorderApplicationMachine>(
    _ input: MachineInput<RecorderControl>, under application: inout Application, at instant: Instant,
    _ effects: inout [MachineEffect<RecorderEvent>]
  ) {
    switch input {
    case .request(let control): application.take(control, at: instant)
    case .packet(let packet) where unansweredResets > 0: noteSilence(packet, &effects)
    case .packet(let packet): if application.isOn { host.handle(.packet(packet), &hostEffects) }
    case .entropy(let token, let bytes):
      if application.isOn { host.handle(.entropy(token: token, bytes: bytes), &hostEffects) }
    case .controllerLost: if application.isOn { host.handle(.controllerLost, &hostEffects) }
    case .timerFired(let token): ring(token, &application, at: instant)
    }
    settle(&application, at: instant, &effects)
  }

  private mutating func ring<Application: RecorderApplicationMachine>(
    _ token: TimerToken, _ application: inout Application, at instant: Instant
  ) {
    switch token.owner {
    case .application where token.kind == Self.silenceToken.kind: unansweredResets = 0
    case .application: application.timerFired(token.kind, at: instant)
    case .host: if application.isOn { host.handle(.timerFired(token), &hostEffects) }
    }
  }

  /// Lets firmware and stack answer each other until both are idle.
  private mutating func settle<Application: RecorderApplicationMachine>(
    _ application: inout Application, at instant: Instant, _ effects: inout [MachineEffect<RecorderEvent>]
  ) {
    while true {
      application.drain(&output)
      if output.silencesController { silence(&effects) }
      if !hostEffects.isEmpty {
        swap(&hostEffects, &performedEffects)
        var next = 0
        while next < performedEffects.count {
          perform(performedEffects.take(&next), &application, at: instant, &effects)
        }
        performedEffects.drain()
      } else if !output.requests.isEmpty, unansweredResets == 0 {
        swap(&output.requests, &performedRequests)
        var next = 0
        while next < performedRequests.count {
          host.handle(.request(performedRequests.take(&next)), &hostEffects)
        }
        performedRequests.drain()
      } else if !application.settle(at: instant) {
        break
      }
    }
    var next = 0
    while next < output.events.count { effects.append(.event(output.events.take(&next))) }
    output.events.drain()
    application.arm(&timers, at: instant)
    for timer in timers { effects.append(Self.effect(of: timer, at: instant)) }
    timers.drain()
  }

  private mutating func perform<Application: RecorderApplicationMachine>(
    _ effect: consuming MachineEffect<HostEvent>, _ application: inout Application, at instant: Instant,
    _ effects: inout [MachineEffect<RecorderEvent>]
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
