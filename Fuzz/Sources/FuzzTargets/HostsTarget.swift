import Bytes
import HCI
import HostStack
import Packets

@testable import HostRig

/// Two hosts on one link, whose controllers, peers and users do what they should not.
enum HostsTarget {
  /// Packets that one thing that happened may cause on both sides together.
  private static let packetLimit = 5_000
  /// Rounds in which every timer that runs is let run out; pairing, requests and endings need a few.
  private static let roundLimit = 50

  /// One input says how the hosts are set up, and then what happens, one thing after the other. At the end all timers run out
  /// and both controllers are lost: every question has had exactly one answer, and no timer runs.
  static func schedule(_ octets: [UInt8]) -> Bool {
    var input = InputReader(octets)
    let link = LinkUnderTest(&input)
    while !input.isAtEnd { link.act(&input) }
    link.end()
    return link.hasConnected
  }

  /// A pair of hosts with what goes wrong between them.
  private final class LinkUnderTest {
    private var pair: HostPair
    private var packets = 0
    /// Packets of each side that are dropped or bent next.
    private var dropped = [0, 0]
    private var bent: [(place: Int, mask: UInt8)?] = [nil, nil]
    /// Tokens of client procedures and tickets of notifications, given out so far.
    private var lastNumber: UInt32 = 0
    /// Tokens of procedures, and tickets of indications, that each side was asked for.
    private var asked: [(procedures: Set<UInt32>, indications: Set<UInt32>)] = [([], []), ([], [])]
    private var isConnected = false

    init(_ input: inout InputReader) {
      let switches = input.octet()
      pair = HostPair(seed: UInt64(switches))
      pair.intercept = { [weak self] side, packet in self?.pass(packet, from: side) ?? packet }
      pair.application = { [weak self] side, event in self?.answer(event, to: side, bySwitches: switches) ?? [] }
      for side in 0...1 {
        if switches & 1 != 0 { pair.controllers.sides[side].quirks.upwardFragment = nil }
        if switches & 2 != 0 { pair.controllers.sides[side].quirks.usesExtendedEvents = true }
        if switches & 4 != 0 { pair.controllers.sides[side].quirks.givesCreditsApart = true }
        start(side, switches)
      }
      pair.connect()
    }

    var hasConnected: Bool { isConnected }

    private func start(_ side: Int, _ switches: UInt8) {
      var configuration = HostConfiguration(
        ownAddress: side == 0 ? HostPair.peripheralAddress : HostPair.centralAddress,
        database: side == 0 ? database : centralDatabase)
      configuration.security.secureConnections = switches & 8 != 0
      if switches & 16 != 0 {
        configuration.pairingPolicy = .negotiate
        configuration.keyPolicy = .ask
        configuration.exchangePolicy = .ask
        configuration.subscriptionPolicy = .ask
        configuration.parameterUpdatePolicy = .ask
      }
      ask(side, .start(configuration))
    }

    // MARK: What happens

    func act(_ input: inout InputReader) {
      let head = input.octet()
      let side = Int(head >> 7)
      switch head % 16 {
      case 0, 1: procedure(side, &input)
      case 2: ask(side, .secure(HostPair.handle))
      case 3:
        let channel = ChannelIdentifier(rawValue: [4, 5, 6, UInt16(head)][Int(head >> 5 & 3)])
        settle { $0.inject(side, channel, input.counted()) }
      case 4: give(side, .packet(HCIPacket(.event, input.counted())))
      case 5: give(side, .packet(HCIPacket(.acl, input.counted())))
      case 6: fire(side, Int(input.octet()))
      case 7: dropped[side] = Int(head >> 4 & 7)
      case 8: bent[side] = (Int(input.octet()), input.octet())
      case 9: settle { $0.lose(EventCode(rawValue: input.octet()), by: side) }
      case 10: settle { $0.deliverLost() }
      case 11: tell(side, &input)
      case 12: users(side, head, &input)
      case 13: settle { pair in pair.below { $0.disconnect(side, .connectionTimeout, $1) } }
      case 14: settle { $0.connect() }
      default:
        give(side, .controllerLost)
        start(side, head)
      }
    }

    private func procedure(_ side: Int, _ input: inout InputReader) {
      let (kind, handle) = (input.octet(), AttributeHandle(UInt16(input.octet())))
      let procedure: ClientProcedure
      switch kind % 8 {
      case 0: procedure = .exchangeMaximumTransmissionUnit
      case 1: procedure = .discoverAll
      case 2: procedure = .discoverService(vendorUUID)
      case 3: procedure = .read(handle)
      case 4: procedure = .write(handle, input.counted())
      case 5: procedure = .writeWithoutResponse(handle, input.counted())
      case 6: procedure = .subscribe(handle, Subscription(rawValue: UInt16(kind >> 6)))
      default: procedure = .readByType(BluetoothUUID(input.halfword()), AttributeHandle(1), handle)
      }
      lastNumber += 1
      asked[side].procedures.insert(lastNumber)
      ask(side, .client(HostPair.handle, ClientToken(lastNumber), procedure))
    }

    private func tell(_ side: Int, _ input: inout InputReader) {
      lastNumber += 1
      let (ticket, handle) = (NotificationTicket(lastNumber), AttributeHandle(UInt16(input.octet())))
      let value = input.counted()
      guard (value.first ?? 0) & 1 != 0 else { return ask(side, .notify(HostPair.handle, ticket, handle, value[...])) }
      asked[side].indications.insert(lastNumber)
      ask(side, .indicate(HostPair.handle, ticket, handle, value))
    }

    /// Requests whose order nobody guarantees.
    private func users(_ side: Int, _ head: UInt8, _ input: inout InputReader) {
      switch head >> 4 & 7 {
      case 0: ask(side, .disconnect(HostPair.handle, ErrorCode(rawValue: input.octet())))
      case 1: ask(side, .updateParameters(HostPair.handle, ConnectionParameters(intervalUnits: input.halfword())))
      case 2: ask(side, .removeBonds(nil))
      case 3: ask(side, .setValue(AttributeHandle(UInt16(input.octet())), input.counted()[...]))
      case 4: ask(side, .answerRead(HostPair.handle, AccessToken(UInt32(input.octet())), .success(input.counted())))
      case 5: ask(side, .cancelConnect)
      case 6: ask(side, .setDataLength(HostPair.handle, octets: input.halfword()))
      default: ask(side, .setScanning(ScanParameters()))
      }
    }

    private func answer(_ event: HostEvent, to side: Int, bySwitches switches: UInt8) -> [HostRequest] {
      switch event {
      case .connected: isConnected = true
      case .readRequested(let handle, let token, _, _): return [.answerRead(handle, token, .success([1, 2, 3]))]
      case .writeRequested(let handle, let token, _, _): return [.answerWrite(handle, token, nil)]
      case .pairingFeaturesRequested(let handle, let features):
        return [.answerPairingFeatures(handle, .success(PairingAnswer(features: features)))]
      case .longTermKeyRequested(let handle, _, _): return [.answerLongTermKey(handle, nil)]
      case .maximumTransmissionUnitRequested(let handle, let wanted):
        return [.answerMaximumTransmissionUnit(handle, max(23, wanted))]
      case .subscriptionsRequested(let handle): return [.setSubscriptions(handle, [])]
      case .parameterUpdateRequested(let handle, _, let identifier):
        return [.answerParameterUpdate(handle, identifier: identifier, accepted: switches & 32 != 0)]
      default: break
      }
      return []
    }

    // MARK: Below and around

    private func pass(_ packet: HCIPacket, from side: Int) -> HCIPacket? {
      packets += 1
      precondition(packets < packetLimit, "one thing that happened causes packets without an end")
      guard packet.kind == .acl else { return packet }
      if dropped[side] > 0 {
        dropped[side] -= 1
        return nil
      }
      guard let bend = bent[side], !packet.bytes.isEmpty else { return packet }
      bent[side] = nil
      var octets = packet.bytes
      octets[bend.place % octets.count] ^= bend.mask
      return HCIPacket(.acl, octets)
    }

    private func ask(_ side: Int, _ request: HostRequest) { give(side, .request(request)) }

    private func give(_ side: Int, _ input: MachineInput<HostRequest>) { settle { $0.give(side, input) } }

    private func settle(_ change: (inout HostPair) -> Void) {
      packets = 0
      change(&pair)
    }

    private func fire(_ side: Int, _ place: Int) {
      let running = pair.timers[side] + pair.farewells[side]
      guard !running.isEmpty else { return }
      settle { $0.fire(side, running[place % running.count].duration) }
    }

    // MARK: The end

    func end() {
      for side in 0...1 {
        var rounds = 0
        while !(pair.timers[side] + pair.farewells[side]).isEmpty {
          rounds += 1
          precondition(rounds < roundLimit, "timers start timers without an end")
          fire(side, 0)
        }
      }
      for side in 0...1 { give(side, .controllerLost) }
      for side in 0...1 {
        precondition(pair.timers[side].isEmpty, "a timer runs although the controller is lost")
        checkAnswers(side)
      }
    }

    private func checkAnswers(_ side: Int) {
      var answered: Set<UInt32> = []
      var told: Set<UInt32> = []
      for event in pair.events[side] {
        switch event {
        case .clientCompleted(_, let token, _):
          precondition(answered.insert(token.rawValue).inserted, "a procedure ends twice")
        case .notificationTransmitted(_, let ticket), .notificationRefused(_, let ticket, _),
          .indicationConfirmed(_, let ticket):
          precondition(told.insert(ticket.rawValue).inserted, "a notification has two fates")
        default: break
        }
      }
      precondition(answered == asked[side].procedures, "a procedure has no end")
      precondition(told.isSuperset(of: asked[side].indications), "an indication has no fate")
    }
  }
}
