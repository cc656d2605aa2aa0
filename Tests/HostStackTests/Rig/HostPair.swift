import Bytes
import HCI
import Packets

@testable import HostStack

/// Two hosts on two controllers that hear each other: side 0 is the peripheral, side 1 the central. Everything happens
/// at once and in order; timers only fire when told.
struct HostPair {
  static let peripheralAddress = BluetoothAddress("C0:00:00:00:00:01")!
  static let centralAddress = BluetoothAddress("C0:00:00:00:00:02")!
  static let parameters = ConnectionParameters(intervalUnits: 24)

  var hosts = [HostMachine(), HostMachine()]
  var controllers = ControllerPair()
  var events: [[HostEvent]] = [[], []]
  /// Timers that run, per side, in the order they were started.
  var timers: [[(token: TimerToken, duration: Duration)]] = [[], []]
  /// Timers by which nothing is awaited, only late data no longer tolerated, per side.
  var farewells: [[(token: TimerToken, duration: Duration)]] = [[], []]
  /// Every timer that was ever started, per side.
  var startedTimers: [[TimerToken]] = [[], []]
  /// Packets sent by the hosts, per side.
  var sent: [[HCIPacket]] = [[], []]
  /// Inputs that are on their way.
  private var waiting: [(Int, MachineInput<HostRequest>)] = []
  private var chance: UInt64
  /// The event that a controller is going to lose, and those that it lost.
  private var loss: (side: Int, code: EventCode)?
  private var lost: [(Int, HCIPacket)] = []

  /// Lets a test look at, change or drop what goes down to a controller.
  var intercept: (Int, HCIPacket) -> HCIPacket? = { $1 }
  /// Answers the application's part; gives requests in return for an event.
  var application: (Int, HostEvent) -> [HostRequest] = { _, _ in [] }

  init(seed: UInt64 = 1) { chance = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// Asks the host of `side` for something and lets everything that follows happen.
  mutating func ask(_ side: Int, _ request: HostRequest) { give(side, .request(request)) }

  /// Gives the host of `side` an input and lets everything that follows happen.
  mutating func give(_ side: Int, _ input: MachineInput<HostRequest>) {
    waiting.append((side, input))
    run()
  }

  /// Puts a frame into the host of `side` as if its peer had sent it.
  mutating func inject(_ side: Int, _ channel: ChannelIdentifier, _ payload: [UInt8]) {
    var packets: [(Int, HCIPacket)] = []
    controllers.deliver(L2CAPFrame(channel, payload).encoded, to: side) { packets.append(($0, $1)) }
    for (side, packet) in packets { waiting.append((side, .packet(packet))) }
    run()
  }

  /// Lets something happen below the hosts.
  mutating func below(_ change: (inout ControllerPair, (Int, HCIPacket) -> Void) -> Void) {
    var packets: [(Int, HCIPacket)] = []
    change(&controllers) { packets.append(($0, $1)) }
    for (side, packet) in packets { waiting.append((side, .packet(packet))) }
    run()
  }

  /// Fires the timers of a side that last this long, as one would after that time without a word.
  mutating func fire(_ side: Int, _ duration: Duration) {
    let due = (timers[side] + farewells[side]).filter { $0.duration == duration }
    timers[side].removeAll { $0.duration == duration }
    farewells[side].removeAll { $0.duration == duration }
    for timer in due { give(side, .timerFired(timer.token)) }
  }

  /// Lets the controller of `side` lose the next event with this code.
  mutating func lose(_ code: EventCode, by side: Int) { loss = (side, code) }

  /// Brings what was lost after all.
  mutating func deliverLost() {
    for (side, packet) in lost { waiting.append((side, .packet(packet))) }
    lost = []
    run()
  }

  private mutating func run() {
    while !waiting.isEmpty {
      let (side, input) = waiting.removeFirst()
      if case .packet(let packet) = input, packet.kind == .event, let loss, loss.side == side,
        packet.bytes.first == loss.code.rawValue
      {
        self.loss = nil
        lost.append((side, packet))
        continue
      }
      var effects: [MachineEffect<HostEvent>] = []
      hosts[side].handle(input, &effects)
      for effect in effects { perform(effect, side) }
    }
  }

  private mutating func perform(_ effect: MachineEffect<HostEvent>, _ side: Int) {
    switch effect {
    case .send(let packet):
      sent[side].append(packet)
      guard let packet = intercept(side, packet) else { return }
      var packets: [(Int, HCIPacket)] = []
      controllers.take(packet, from: side) { packets.append(($0, $1)) }
      for (side, packet) in packets { waiting.append((side, .packet(packet))) }
    case .startTimer(let token, let duration):
      if token.kind == TimerKind.farewell.rawValue {
        farewells[side].append((token, duration))
      } else {
        timers[side].removeAll { $0.token == token }
        timers[side].append((token, duration))
      }
      startedTimers[side].append(token)
    case .cancelTimer(let token):
      timers[side].removeAll { $0.token == token }
      farewells[side].removeAll { $0.token == token }
    case .needEntropy(let request):
      waiting.append((side, .entropy(token: request.token, bytes: octets(request.count))))
    case .event(let event):
      events[side].append(event)
      for request in application(side, event) { waiting.append((side, .request(request))) }
    }
  }

  private mutating func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      chance ^= chance << 13
      chance ^= chance >> 7
      chance ^= chance << 17
      return UInt8(truncatingIfNeeded: chance &* 0x2545_F491_4F6C_DD1D >> 56)
    }
  }
}

extension HostPair {
  static let handle = ControllerPair.handle

  /// Both hosts started, the peripheral serving ``database`` and the central ``centralDatabase``.
  static func started(
    seed: UInt64 = 1, quirks: [ControllerPair.Quirks] = [.init(), .init()],
    _ change: (Int, inout HostConfiguration) -> Void = { _, _ in }
  ) -> HostPair {
    var pair = HostPair(seed: seed)
    for side in 0...1 {
      pair.controllers.sides[side].quirks = quirks[side]
      var configuration = HostConfiguration(
        ownAddress: side == 0 ? peripheralAddress : centralAddress, database: side == 0 ? database : centralDatabase)
      change(side, &configuration)
      pair.ask(side, .start(configuration))
    }
    return pair
  }

  /// Both hosts connected.
  static func connected(
    seed: UInt64 = 1, quirks: [ControllerPair.Quirks] = [.init(), .init()],
    _ change: (Int, inout HostConfiguration) -> Void = { _, _ in }
  ) -> HostPair {
    var pair = started(seed: seed, quirks: quirks, change)
    pair.connect()
    return pair
  }

  /// Advertises and connects.
  mutating func connect() {
    ask(0, .setAdvertising(Advertisement(intervalUnits: 200, data: [2, 1, 6])))
    ask(1, .connect(Self.peripheralAddress, Self.parameters))
  }

  /// Reads what a side's events say of one kind.
  func all<Value>(_ side: Int, _ pick: (HostEvent) -> Value?) -> [Value] { events[side].compactMap(pick) }

  /// Runs a procedure of the client and gives its result.
  mutating func run(_ procedure: ClientProcedure, by side: Int = 1) -> Result<ClientResult, ClientFailure>? {
    let token = ClientToken(UInt32(events[side].count + 1_000))
    ask(side, .client(Self.handle, token, procedure))
    return all(side) { event in
      if case .clientCompleted(Self.handle, token, let result) = event { return result }
      return nil
    }.last
  }
}
