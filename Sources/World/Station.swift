import Bytes
import Crypto
import HCI
import HostStack
import Phone
import Recorder
import Requirements
import Timeline

/// Where a machine gets its random octets.
public enum EntropySource {
  /// Named draws of the run's seed, for simulated worlds.
  case seed
  /// The operating system, wherever a real radio is involved.
  case operatingSystem
}

/// Performs the effects of one machine: owns its pipe, its timers and its random octets.
///
/// Inputs that arrive while the machine's effects are still being performed wait their turn, so a machine never
/// sees a half-finished world. Everything happens on the thread of one event loop.
///
/// Inputs arrive through protocols, so the compiler cannot see which machine they are for. Every entry point is
/// therefore specialised for both machines, which halves the cost of a packet.
package final class Station<Machine: StationMachine>: PacketReceiver, EventTarget {
  /// Name in traces and draws, such as `phone` or `recorder-2`.
  package let name: String
  /// The machine as it stands after its last input.
  package private(set) var machine: Machine
  /// Sees every event of the machine, in order.
  package var onEvent: ((Machine.Event) -> Void)?
  /// Sees every packet, in order, before it goes its way.
  var tap: PacketTap? { didSet { watcher = tap.map { .passUnretained($0) } } }
  // The tap, not counted while it takes a packet.
  private var watcher: Unmanaged<PacketTap>?

  /// Called when the machine has taken an input, before any of its effects is performed.
  package var onStep: (() -> Void)?

  /// Called when the machine is taken off its pipe.
  package var onRetire: (() -> Void)?

  /// Called when the controller is lost, before the machine hears of it.
  package var onControllerLost: ((PipeClosure) -> Void)?

  private struct RunningTimer {
    var token: TimerToken
    var event: ScheduledEvent
  }

  private let loop: EventLoop
  private var pipe: (any PacketPipe)?
  private var inlet: StationInlet<Machine>?
  private let entropy: EntropySource
  private var effects: [MachineEffect<Machine.Event>] = []
  private var waiting: [MachineInput<Machine.Request>] = []
  private var isPerforming = false
  private var timers: [RunningTimer?] = []

  /// Attaches `machine` to `pipe`.
  package init(
    _ name: String, _ machine: Machine, on pipe: any PacketPipe, loop: EventLoop, entropy: EntropySource = .seed
  ) {
    self.name = name
    self.machine = machine
    self.loop = loop
    self.pipe = pipe
    self.entropy = entropy
    let inlet = StationInlet(to: self)
    self.inlet = inlet
    pipe.receiver = inlet
  }

  deinit { inlet?.close() }

  /// Gives the machine a request.
  @_specialize(where Machine == PhoneCentral)
  @_specialize(where Machine == SimulatedRecorder)
  package func request(_ request: Machine.Request) { feed(.request(request)) }

  /// Takes the machine off its pipe and stops its timers; it hears nothing more.
  package func retire() {
    onRetire?()
    pipe?.close()
    pipe = nil
    for timer in timers { if let timer { loop.cancel(timer.event) } }
    timers.removeAll()
  }

  @_specialize(where Machine == PhoneCentral)
  @_specialize(where Machine == SimulatedRecorder)
  package func receive(_ packet: consuming HCIPacket) {
    watcher?._withUnsafeGuaranteedRef { $0.take(packet, .toHost) }
    hear(packet)
  }

  // Not inlined, as what follows it: an entry that knows no machine would ask the runtime for the type of the input before
  // it finds the machine that it is specialised for.
  @inline(never) private func hear(_ packet: consuming HCIPacket) { feed(.packet(packet)) }
  @inline(never) private func ring(_ token: TimerToken) { feed(.timerFired(token)) }

  package func pipeClosed(_ reason: PipeClosure) {
    onControllerLost?(reason)
    feed(.controllerLost)
  }

  @_specialize(where Machine == PhoneCentral)
  @_specialize(where Machine == SimulatedRecorder)
  package func fire(_ argument: UInt64) {
    guard let timer = timers[Int(argument)] else { return }
    timers[Int(argument)] = nil
    ring(timer.token)
  }

  private func feed(_ input: MachineInput<Machine.Request>) {
    if isPerforming {
      waiting.append(input)
      return
    }
    isPerforming = true
    step(input)
    var next = 0
    while next < waiting.count {
      step(waiting[next])
      next += 1
    }
    if next > 0 { waiting.drain() }
    isPerforming = false
  }

  private func step(_ input: MachineInput<Machine.Request>) {
    machine.handle(input, at: loop.now, &effects)
    onStep?()
    // Performing never adds to `effects`: inputs that it causes wait their turn.
    var next = 0
    while next < effects.count { perform(effects.take(&next)) }
    effects.drain()
  }

  private func perform(_ effect: consuming MachineEffect<Machine.Event>) {
    switch effect {
    case .send(let packet):
      watcher?._withUnsafeGuaranteedRef { $0.take(packet, .toController) }
      pipe?.send(packet)
    case .event(let event): onEvent?(event)
    case .startTimer(let token, let duration): start(token, duration)
    case .cancelTimer(let token): cancel(token)
    case .needEntropy(let request): waiting.append(.entropy(token: request.token, bytes: octets(request)))
    }
  }

  private func start(_ token: TimerToken, _ duration: Duration) {
    cancel(token)
    let slot = timers.indices.first { timers[$0] == nil } ?? timers.count
    let event = loop.schedule(at: loop.now.advanced(by: duration), target: self, argument: UInt64(slot))
    let timer = RunningTimer(token: token, event: event)
    if slot == timers.count { timers.append(timer) } else { timers[slot] = timer }
  }

  private func cancel(_ token: TimerToken) {
    // By index: the list would be counted by a loop over it.
    for slot in timers.indices {
      guard let timer = timers[slot], timer.token == token else { continue }
      loop.cancel(timer.event)
      timers[slot] = nil
    }
  }

  private func octets(_ request: EntropyRequest) -> [UInt8] {
    switch entropy {
    case .seed: return loop.choices.stream("entropy.\(name).\(request.purpose.rawValue)").bytes(request.count)
    case .operatingSystem:
      do { return try OperatingSystemEntropy.bytes(request.count) } catch {
        preconditionFailure("the operating system has no entropy: \(error)")
      }
    }
  }
}
