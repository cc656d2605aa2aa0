import Bytes
import Crypto
import HCI
import Packets

/// The Bluetooth LE host: GAP, L2CAP, ATT, GATT and SMP over one controller, for either role and several links.
///
/// It has no clock, no input or output and no random numbers of its own: packets of the controller, fired timers, random
/// octets and requests come in; effects go out, in order.
///
///                        requests ▲ │ events
///     ┌──────────────────────────┴─▼──────────────────────────┐
///     │ Activity  Initiator   │ per link:                     │
///     │ (GAP)                 │  AttributeClient  AttributeServer ── AttributeTable
///     │                       │  PairingMachine ── BondTable  │
///     │ SetUpSequence         │  SignallingMachine            │
///     │ CommandQueue          │  FrameReassembler             │
///     │        │              │        ACLScheduler           │
///     └────────┼──────────────┴─────────────┼─────────────────┘
///              ▼ commands, events           ▼ ACL data
///
/// The parts do not know each other: each answers its inputs with actions of its own, and this type performs them.
///
/// Life: `stopped` ──start──▶ `settingUp` ──ready──▶ `running`; a controller that refuses what is needed, leaves an
/// essential command without answer, reports a hardware error or goes away leads back to `stopped`, after the end of
/// every link was reported.
package struct HostMachine: Sendable {
  typealias Effects = [MachineEffect<HostEvent>]

  enum Phase: Sendable {
    /// Nothing is sent, nothing is taken.
    case stopped
    /// The controller is being brought into use.
    case settingUp(SetUpSequence)
    /// Everything works.
    case running
  }

  /// Requests kept while the controller is set up.
  static let deferredRequestLimit = 16

  var phase = Phase.stopped
  var configuration = HostConfiguration(
    ownAddress: BluetoothAddress(0, .public), database: GATTDatabase(services: []))
  var deferred: [HostRequest] = []

  var commands = CommandQueue()
  var scheduler = ACLScheduler.withoutBuffers
  var timers = TimerSet()
  var tokens = TokenSource()

  var advertising = ActivityControl<AdvertisingWish>()
  var scanning = ActivityControl<ScanningWish>()
  var initiator = Initiator()

  var links: [Link] = []
  /// Links that have just ended, whose last data may still come.
  var endedHandles: [ConnectionHandle] = []
  /// A handle that sends data without a known connection.
  var strayHandle: ConnectionHandle?
  var table = AttributeTable(GATTDatabase(services: []))
  var bonds = BondTable()
  /// This device's identity resolving key, once there is one.
  var identityResolvingKey: Key128?

  /// A host that waits for ``HostRequest/start(_:)``.
  package init() {}

  /// Takes one input and appends what is to be done.
  package mutating func handle(_ input: MachineInput<HostRequest>, _ effects: inout [MachineEffect<HostEvent>]) {
    switch input {
    case .packet(let packet): receive(packet, &effects)
    case .request(let request): perform(request, &effects)
    case .timerFired(let token): fire(token, &effects)
    case .entropy(let token, let bytes): provide(token, bytes, &effects)
    case .controllerLost: fail(.controllerLost, &effects)
    }
  }

  /// The bonds known now, in the order they were made.
  package var knownBonds: [Bond] { bonds.bonds }

  private mutating func receive(_ packet: HCIPacket, _ effects: inout Effects) {
    if case .stopped = phase { return }
    switch packet.kind {
    case .acl: receiveData(packet, &effects)
    // Comes with every packet of a transfer.
    case .event where packet.bytes.first == EventCode.numberOfCompletedPackets.rawValue:
      receiveCompletedPackets(packet, &effects)
    case .event:
      do throws(DecodingFailure) {
        receive(try Event(decoding: packet.bytes), &effects)
      } catch {
        reportUnreadable(error, &effects)
        answeredUnreadably(packet, &effects)
      }
    case .command, .synchronous, .isochronous: return
    }
  }

  /// Reports that an event could not be read.
  func reportUnreadable(_ failure: DecodingFailure, _ effects: inout Effects) {
    let violation = ProtocolViolation(failure.description, reference: "Vol 4, Part E, 7.7")
    effects.append(.event(.protocolViolation(nil, violation)))
  }

  private mutating func provide(_ token: UInt32, _ bytes: [UInt8], _ effects: inout Effects) {
    guard let index = links.firstIndex(where: { $0.drawToken == token }) else { return }
    links[index].drawToken = nil
    pair(index, &effects) { $0.provide(bytes, &$1) }
  }

  /// Place of the link with this handle.
  func index(of handle: ConnectionHandle) -> Int? { links.firstIndex { $0.handle == handle } }

  /// Reports that a peer broke a rule.
  func report(_ violation: ProtocolViolation, _ index: Int, _ effects: inout Effects) {
    effects.append(.event(.protocolViolation(links[index].handle, violation)))
  }
}

// MARK: Timers

extension HostMachine {
  /// Starts or restarts a timer of a link; `times` and `extra` make it longer.
  mutating func start(
    _ kind: TimerKind, _ index: Int, times: Int = 1, extra: Duration = .zero, _ effects: inout Effects
  ) {
    stop(kind, index, &effects)
    let generation = tokens.next()
    links[index].timers[kind] = generation
    effects.append(.startTimer(token(kind, links[index].handle.rawValue, generation), kind.duration * times + extra))
  }

  /// Stops a timer of a link.
  mutating func stop(_ kind: TimerKind, _ index: Int, _ effects: inout Effects) {
    guard let generation = links[index].timers[kind] else { return }
    links[index].timers[kind] = nil
    effects.append(.cancelTimer(token(kind, links[index].handle.rawValue, generation)))
  }

  /// Starts or restarts a timer of the host itself.
  mutating func start(_ kind: TimerKind, _ effects: inout Effects) {
    stop(kind, &effects)
    let generation = tokens.next()
    timers[kind] = generation
    effects.append(.startTimer(token(kind, Self.noConnection, generation), kind.duration))
  }

  /// Stops a timer of the host itself.
  mutating func stop(_ kind: TimerKind, _ effects: inout Effects) {
    guard let generation = timers[kind] else { return }
    timers[kind] = nil
    effects.append(.cancelTimer(token(kind, Self.noConnection, generation)))
  }

  private static let noConnection: UInt16 = 0xFFFF

  func token(_ kind: TimerKind, _ connection: UInt16, _ generation: UInt32) -> TimerToken {
    TimerToken(owner: .host, kind: kind.rawValue, connection: connection, generation: generation)
  }

  /// A timer has run out; one that was stopped or restarted since has another generation and is passed over.
  private mutating func fire(_ token: TimerToken, _ effects: inout Effects) {
    guard token.owner == .host, let kind = TimerKind(rawValue: token.kind) else { return }
    if token.connection == Self.noConnection {
      guard timers[kind] == token.generation else { return }
      timers[kind] = nil
      return fire(kind, &effects)
    }
    guard let index = index(of: ConnectionHandle(token.connection)), links[index].timers[kind] == token.generation
    else { return }
    links[index].timers[kind] = nil
    fire(kind, index, &effects)
  }

  private mutating func fire(_ kind: TimerKind, _ effects: inout Effects) {
    switch kind {
    case .command: commandTimedOut(&effects)
    case .cancellation:
      if initiator.isOver { return fail(.eventLost(.connectionComplete), &effects) }
      if initiator.end() { effects.append(.event(.connectionFailed(.unknownConnectionIdentifier))) }
    case .strayData: fail(.eventLost(.connectionComplete), &effects)
    case .farewell: endedHandles = []
    case .response, .confirmation, .pairing, .signalling, .repeatedAttempts, .lastData, .disconnection, .encryption:
      return
    }
  }

  private mutating func fire(_ kind: TimerKind, _ index: Int, _ effects: inout Effects) {
    switch kind {
    case .response: killBearer(index, &effects)
    case .confirmation:
      refuseIndication(index, .confirmationTimeout, &effects)
      killBearer(index, &effects)
    case .pairing: pair(index, &effects) { $0.timeOut(&$1) }
    case .signalling: signal(index, &effects) { $0.timeOut(&$1) }
    case .repeatedAttempts: links[index].pairing.isBlocked = false
    case .lastData: commandDisconnect(index, &effects)
    case .disconnection: fail(.eventLost(.disconnectionComplete), &effects)
    case .encryption: fail(.eventLost(.encryptionChange), &effects)
    case .command, .cancellation, .strayData, .farewell: return
    }
  }
}
