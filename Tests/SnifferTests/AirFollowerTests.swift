import Bytes
import Crypto
import HCI
import Testing

@testable import Sniffer

@Suite struct FollowingTheAir {
  private static let central = BluetoothAddress(0xC0AA_BBCC_DDEE, .random)
  private static let peripheral = BluetoothAddress(0xC001_0203_0405, .random)
  private static let accessAddress: UInt32 = 0x5065_5A6C

  /// CONNECT_IND with an interval of 24 units, a latency of 0 and a time-out of 200 units.
  private static let request: [UInt8] =
    [0xC5, 34] + central.littleEndian + peripheral.littleEndian
    + [0x6C, 0x5A, 0x65, 0x50, 0x56, 0x34, 0x12, 1, 0, 0, 24, 0, 0, 0, 200, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 5]

  private struct Listener {
    var follower = AirFollower()
    var sequence: [UInt8] = [0, 0]
    var nanoseconds: UInt64 = 0

    mutating func hear(_ octets: [UInt8], at address: UInt32, fromCentral: Bool?) -> [AirFollower.Outcome] {
      var outcomes: [AirFollower.Outcome] = []
      let packet = RadioPacket(accessAddress: address, octets: octets, isFromCentral: fromCentral)
      follower.hear(packet, at: nanoseconds, &outcomes)
      return outcomes
    }

    /// The next PDU of a side.
    mutating func data(_ identifier: UInt8, _ payload: [UInt8], fromCentral: Bool) -> [AirFollower.Outcome] {
      let side = fromCentral ? 1 : 0
      defer { sequence[side] ^= 1 }
      let header = identifier | sequence[side] << 3
      return hear([header, UInt8(payload.count)] + payload, at: accessAddress, fromCentral: fromCentral)
    }
  }

  private static func connected() -> Listener {
    var listener = Listener()
    _ = listener.hear(request, at: RadioPacket.advertisingAddress, fromCentral: nil)
    return listener
  }

  private func packets(_ outcomes: [AirFollower.Outcome]) -> [HCIPacket] {
    outcomes.compactMap { if case .packet(_, let packet, _) = $0 { packet } else { nil } }
  }

  private func omissions(_ outcomes: [AirFollower.Outcome]) -> [CaptureOmission] {
    outcomes.compactMap { if case .omitted(let omission) = $0 { omission } else { nil } }
  }

  @Test func aConnectionIsToldAsItsCentralsHostHearsOfIt() {
    var listener = Listener()
    let made = listener.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil)
    let expected = LEConnectionComplete(
      handle: ConnectionHandle(0), role: .central, peerAddress: Self.peripheral,
      link: LELinkParameters(intervalUnits: 24, latency: 0, supervisionTimeoutUnits: 200))
    #expect(packets(made) == [Event.leConnectionComplete(expected).packet])
    // An ATT request of the central in two parts, and the end of the link.
    let first = listener.data(2, [3, 0, 4, 0, 0x0A], fromCentral: true)
    #expect(packets(first) == [ACLPacket(ConnectionHandle(0), .firstFromHost, [3, 0, 4, 0, 0x0A]).packet])
    let second = listener.data(1, [3, 0], fromCentral: true)
    #expect(packets(second) == [ACLPacket(ConnectionHandle(0), .continuing, [3, 0]).packet])
    let end = listener.data(3, [0x02, 0x13], fromCentral: false)
    let gone = Event.disconnectionComplete(
      .success, ConnectionHandle(0), reason: ErrorCode(rawValue: 0x13))
    #expect(packets(end) == [gone.packet])
    // Its last acknowledgement says nothing; of a connection that was never heard of it would.
    #expect(listener.data(1, [], fromCentral: true).isEmpty)
    #expect(omissions(listener.hear([1, 0], at: 7, fromCentral: true)) == [.unknownConnection])
  }

  @Test func whatWasSentAgainCountsOnceAndWhatWasMissedIsNoticed() {
    var listener = Self.connected()
    let frame: [UInt8] = [4, 0, 4, 0, 0x1B, 3]
    #expect(packets(listener.data(2, frame, fromCentral: false)).count == 1)
    listener.sequence[0] = 0
    #expect(packets(listener.data(2, frame, fromCentral: false)).isEmpty)
    // The number stands still although the content is another: a packet between them is missing.
    listener.sequence[0] = 0
    let later = listener.data(1, [0, 9], fromCentral: false)
    #expect(omissions(later) == [.missed, .afterGap])
    #expect(packets(listener.data(2, frame, fromCentral: false)).count == 1)
  }

  /// Between two empty packets the numbers of one side look as if nothing were missing; the other side tells.
  @Test func whatTheOtherSideAcknowledgesWasSent() {
    func packet(_ sequence: UInt8, _ expected: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
      [(payload.isEmpty ? 1 : 2) | expected << 2 | sequence << 3, UInt8(payload.count)] + payload
    }
    let frame: [UInt8] = [3, 0, 4, 0, 0x0A, 3, 0]
    let exchanges: [(fromCentral: Bool, octets: [UInt8])] = [
      (true, packet(0, 0)), (false, packet(0, 1)), (true, packet(1, 1, frame)), (false, packet(1, 0)),
      (true, packet(0, 0)), (false, packet(0, 1)), (true, packet(1, 1)),
    ]
    for missing in [nil] + exchanges.indices.map(Optional.some) {
      var listener = Self.connected()
      var outcomes: [AirFollower.Outcome] = []
      for (index, exchange) in exchanges.enumerated() where index != missing {
        outcomes += listener.hear(exchange.octets, at: Self.accessAddress, fromCentral: exchange.fromCentral)
      }
      // Of the last one nothing tells any more.
      let isNoticed = missing.map { $0 < exchanges.count - 1 } ?? false
      #expect(omissions(outcomes) == (isNoticed ? [.missed] : []), "without packet \(missing ?? -1)")
      #expect(packets(outcomes).count == (missing == 2 ? 0 : 1))
    }
    // The acknowledgement was heard first: the packet comes again, and is that one.
    var listener = Self.connected()
    _ = listener.hear(packet(0, 1), at: Self.accessAddress, fromCentral: false)
    #expect(packets(listener.hear(packet(0, 0, frame), at: Self.accessAddress, fromCentral: true)).count == 1)
  }

  @Test func aLinkIsDecryptedWithAKeyInEitherOrderOfOctets() throws {
    let text = "000102030405060708090a0b0c0d0e0f"
    let key = Key128(littleEndian: try #require(Hexadecimal.bytes(text)))
    let encryption = LinkEncryption(
      longTermKey: key, centralDiversifier: 1, peripheralDiversifier: 2, centralVector: 3, peripheralVector: 4)
    for (keys, isKnown, missesStart) in [([text], true, false), ([text], true, true), ([], false, false)] {
      var listener = Self.connected()
      listener.follower = AirFollower(keys: try #require(SnifferKeys(keys)))
      _ = listener.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil)
      _ = listener.data(3, Self.encryptionRequest, fromCentral: true)
      _ = listener.data(3, [0x04, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0], fromCentral: false)
      if missesStart { listener.sequence[0] ^= 1 } else { _ = listener.data(3, [0x05], fromCentral: false) }
      func sealed(_ payload: [UInt8], _ identifier: UInt8, _ counter: UInt64, fromCentral: Bool) -> [UInt8] {
        encryption.seal(
          payload, header: identifier, counter: counter,
          direction: fromCentral ? .centralToPeripheral : .peripheralToCentral)
      }
      _ = listener.data(3, sealed([0x06], 3, 0, fromCentral: true), fromCentral: true)
      let started = listener.data(3, sealed([0x06], 3, 0, fromCentral: false), fromCentral: false)
      let change = Event.encryptionChange(.success, ConnectionHandle(0), isEncrypted: true)
      #expect(packets(started) == (isKnown ? [change.packet] : []))
      // Two packets of the central are missed.
      let frame: [UInt8] = [3, 0, 4, 0, 0x0A, 3, 0]
      let read = listener.data(2, sealed(frame, 2, 3, fromCentral: true), fromCentral: true)
      #expect(omissions(read) == (isKnown ? [.missed, .missed] : [.unknownKey]))
      #expect(packets(read).count == (isKnown ? 1 : 0))
    }
    #expect(SnifferKeys(["00"]) == nil)
  }

  private static let encryptionRequest: [UInt8] =
    [0x03] + [UInt8](repeating: 0, count: 10) + [1, 0, 0, 0, 0, 0, 0, 0] + [3, 0, 0, 0]

  /// The sniffer missed LL_PAUSE_ENC_RSP of the peripheral, or both.
  @Test(arguments: [true, false])
  func aPauseOfTheEncryptionIsNoticedByWhatTheCentralSendsInClear(hearsItsAnswer: Bool) throws {
    let text = "000102030405060708090a0b0c0d0e0f"
    let encryption = LinkEncryption(
      longTermKey: Key128(littleEndian: try #require(Hexadecimal.bytes(text))), centralDiversifier: 1,
      peripheralDiversifier: 2, centralVector: 3, peripheralVector: 4)
    var listener = Listener(follower: AirFollower(keys: try #require(SnifferKeys([text]))))
    _ = listener.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil)
    func start() {
      _ = listener.data(3, Self.encryptionRequest, fromCentral: true)
      _ = listener.data(3, [0x04, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0], fromCentral: false)
      _ = listener.data(3, [0x05], fromCentral: false)
    }
    start()
    let pause = encryption.seal([0x0A], header: 3, counter: 0, direction: .centralToPeripheral)
    #expect(omissions(listener.data(3, pause, fromCentral: true)).isEmpty)
    if hearsItsAnswer { #expect(omissions(listener.data(3, [0x0B], fromCentral: true)) == [.missed]) }
    start()
    let frame: [UInt8] = [3, 0, 4, 0, 0x0A, 3, 0]
    let sealed = encryption.seal(frame, header: 2, counter: 0, direction: .centralToPeripheral)
    #expect(packets(listener.data(2, sealed, fromCentral: true)).count == 1)
  }

  /// LL_REJECT_IND does not say what it rejects; where no encryption is asked for, it is something else.
  @Test func aRejectionEndsAnEncryptionThatIsAskedForOnly() throws {
    var listener = Self.connected()
    #expect(packets(listener.data(3, [0x0D, 0x1A], fromCentral: false)).isEmpty)
    _ = listener.data(3, Self.encryptionRequest, fromCentral: true)
    let refused = Event.encryptionChange(ErrorCode(rawValue: 0x06), ConnectionHandle(0), isEncrypted: false)
    #expect(packets(listener.data(3, [0x0D, 0x06], fromCentral: false)) == [refused.packet])
    #expect(packets(listener.data(3, [0x0D, 0x06], fromCentral: false)).isEmpty)
  }

  /// On an encrypted link a rejected change of parameters leaves the encryption as it is.
  @Test func anEncryptedLinkStaysEncryptedAfterARejection() throws {
    let text = "000102030405060708090a0b0c0d0e0f"
    let encryption = LinkEncryption(
      longTermKey: Key128(littleEndian: try #require(Hexadecimal.bytes(text))), centralDiversifier: 1,
      peripheralDiversifier: 2, centralVector: 3, peripheralVector: 4)
    var listener = Self.connected()
    listener.follower = AirFollower(keys: try #require(SnifferKeys([text])))
    _ = listener.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil)
    _ = listener.data(3, Self.encryptionRequest, fromCentral: true)
    _ = listener.data(3, [0x04, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0], fromCentral: false)
    _ = listener.data(3, [0x05], fromCentral: false)
    let rejection = encryption.seal([0x0D, 0x1A], header: 3, counter: 0, direction: .peripheralToCentral)
    #expect(packets(listener.data(3, rejection, fromCentral: false)).isEmpty)
    let frame: [UInt8] = [3, 0, 4, 0, 0x0B, 3, 0]
    let sealed = encryption.seal(frame, header: 2, counter: 1, direction: .peripheralToCentral)
    let read = listener.data(2, sealed, fromCentral: false)
    #expect(packets(read) == [ACLPacket(ConnectionHandle(0), .firstFromController, frame).packet])
  }

  /// A legacy pairing with Just Works gives its key away in parts of any length, the two sides' parts in turns.
  @Test(arguments: [1, 3, 4, 5, 20, 27]) func aPairingInPartsGivesItsKeyAway(size: Int) throws {
    let features: (UInt8) -> [UInt8] = { [$0, 3, 0, 1, 16, 1, 1] }
    let (request, response) = (features(1), features(2))
    let random = UInt128(0x0123_4567_89AB_CDEF)
    let confirmation = PairingToolbox.c1(
      key: Key128(0), random: random, request: request, response: response, initiator: Self.central,
      responder: Self.peripheral)
    func number(_ code: UInt8, _ value: UInt128) -> [UInt8] {
      [code] + (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128($0 * 8)) }
    }
    func parts(_ command: [UInt8]) -> [[UInt8]] {
      let frame = [UInt8(command.count), 0, 6, 0] + command
      return stride(from: 0, to: frame.count, by: size).map { Array(frame[$0..<min(frame.count, $0 + size)]) }
    }
    let exchanges = [(request, response), (number(3, confirmation), number(3, 7)), (number(4, random), number(4, 9))]
    var listener = Self.connected()
    var outcomes: [AirFollower.Outcome] = []
    for (central, peripheral) in exchanges {
      let (asked, answered) = (parts(central), parts(peripheral))
      for index in asked.indices {
        outcomes += listener.data(index == 0 ? 2 : 1, asked[index], fromCentral: true)
        outcomes += listener.data(index == 0 ? 2 : 1, answered[index], fromCentral: false)
      }
    }
    let learnt = outcomes.compactMap { if case .learnt(let key) = $0 { key } else { nil } }
    #expect(learnt == [.shortTerm])
    #expect(packets(outcomes).count == exchanges.map { 2 * parts($0.0).count }.reduce(0, +))
  }

  /// A public key tells with its first octets that the pairing keeps its keys, and tells it once.
  @Test func aPublicKeyInPartsIsHeardOnce() throws {
    let frame: [UInt8] = [65, 0, 6, 0, 0x0C] + (0..<64)
    var listener = Self.connected()
    let tellings = stride(from: 0, to: frame.count, by: 3).map { start in
      listener.data(start == 0 ? 2 : 1, Array(frame[start..<min(frame.count, start + 3)]), fromCentral: true)
        .filter { if case .pairingIsSecure = $0 { true } else { false } }.count
    }
    #expect(tellings.prefix(3) == [0, 1, 0])
    #expect(tellings.reduce(0, +) == 1)
  }

  // MARK: Ends that are not heard

  private static let second: UInt64 = 1_000_000_000

  /// What comes of a connection with a time-out of 2 s: both are heard, then the central alone at these instants in
  /// milliseconds, then nothing. It is listened to twice, as a capture is read.
  private func abandoned(_ central: [UInt64], until end: UInt64) -> [AirFollower.Outcome] {
    var ends = AirFollower.UnheardEnds()
    var outcomes: [AirFollower.Outcome] = []
    for _ in 0..<2 {
      var listener = Listener(follower: AirFollower(unheardEnds: ends))
      outcomes = listener.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil)
      // Both have their first packet acknowledged.
      for octets in [[1, 0], [5, 0], [0x0D, 0]] as [[UInt8]] {
        outcomes += listener.hear(octets, at: Self.accessAddress, fromCentral: octets[0] != 5)
      }
      for milliseconds in central {
        listener.nanoseconds = milliseconds * 1_000_000
        outcomes += listener.hear([0x0D, 0], at: Self.accessAddress, fromCentral: true)
      }
      ends = listener.follower.unheardEnds(at: end * Self.second)
    }
    return outcomes
  }

  /// Connections that are lost to the listener.
  private func lost(_ outcomes: [AirFollower.Outcome]) -> [ConnectionHandle] {
    outcomes.compactMap { if case .lost(_, let handle) = $0 { handle } else { nil } }
  }

  private func gone(_ reason: ErrorCode) -> HCIPacket {
    Event.disconnectionComplete(.success, ConnectionHandle(0), reason: reason).packet
  }

  @Test func aConnectionThatIsNotHeardForItsTimeOutEndsWhereItWasLastHeard() {
    #expect(lost(abandoned([], until: 2)).isEmpty)
    #expect(lost(abandoned([], until: 3)) == [ConnectionHandle(0)])
  }

  @Test func aCentralThatWaitsInVainForTheTimeOutHasLostTheConnection() {
    let timedOut = abandoned(Array(stride(from: 30, through: 1_980, by: 30)), until: 60)
    #expect(lost(timedOut).isEmpty)
    #expect(packets(timedOut).last == gone(.connectionTimeout))
    // It did not wait for long enough, or what happened meanwhile is not known.
    #expect(lost(abandoned(Array(stride(from: 30, through: 1_500, by: 30)), until: 60)).count == 1)
    #expect(lost(abandoned([30, 1_980], until: 60)).count == 1)
  }

  /// LL_CONNECTION_UPDATE_IND gives a time-out of 20 s.
  @Test func theTimeOutIsTheOneThatWasAgreedLast() {
    for (instant, isOver) in [(UInt64(3), false), (21, true)] {
      var listener = Self.connected()
      _ = listener.data(3, [0x00, 1, 0, 0, 24, 0, 0, 0, 0xD0, 7, 9, 0], fromCentral: true)
      var again = Listener(
        follower: AirFollower(unheardEnds: listener.follower.unheardEnds(at: instant * Self.second)))
      _ = again.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil)
      let outcomes = again.data(3, [0x00, 1, 0, 0, 24, 0, 0, 0, 0xD0, 7, 9, 0], fromCentral: true)
      #expect(lost(outcomes).count == (isOver ? 1 : 0), "after \(instant) s")
    }
  }

  @Test func whoConnectsAgainEndsWhatWasHeardBefore() {
    var anotherAddress = Self.request
    anotherAddress[14] ^= 1
    var ends = AirFollower.UnheardEnds()
    for isKnown in [false, true] {
      var listener = Listener(follower: AirFollower(unheardEnds: ends))
      _ = listener.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil)
      let last = listener.data(2, [3, 0, 4, 0, 0x0A, 3, 0], fromCentral: true)
      #expect(lost(last).count == (isKnown ? 1 : 0))
      let again = listener.hear(anotherAddress, at: RadioPacket.advertisingAddress, fromCentral: nil)
      #expect(lost(again).count == (isKnown ? 0 : 1))
      ends = listener.follower.unheardEnds(at: 0)
    }
  }

  @Test func aConnectionOfWhichNothingElseIsHeardIsLostAtOnce() {
    let ends = Self.connected().follower.unheardEnds(at: 3 * Self.second)
    var listener = Listener(follower: AirFollower(unheardEnds: ends))
    let outcomes = listener.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil)
    #expect(packets(outcomes).count == 1)
    #expect(lost(outcomes) == [ConnectionHandle(0)])
    // Its central was heard for the six intervals that it waits for the first answer.
    listener = Self.connected()
    for interval in UInt64(1)...5 {
      listener.nanoseconds = interval * 30_000_000
      _ = listener.hear([1, 0], at: Self.accessAddress, fromCentral: true)
    }
    var anotherAddress = Self.request
    anotherAddress[14] ^= 1
    let again = listener.hear(anotherAddress, at: RadioPacket.advertisingAddress, fromCentral: nil)
    #expect(packets(again).first == gone(.connectionFailedToBeEstablished))
  }

  @Test func aRequestThatIsHeardTwiceMakesOneConnection() {
    var listener = Self.connected()
    #expect(listener.hear(Self.request, at: RadioPacket.advertisingAddress, fromCentral: nil).isEmpty)
    #expect(packets(listener.data(2, [3, 0, 4, 0, 0x0A, 3, 0], fromCentral: true)).count == 1)
  }

  @Test func whatIsHeardMayBeAnything() {
    for seed in UInt64(1)..<400 {
      var state = seed &* 0x9E37_79B9_7F4A_7C15
      func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      var listener = Self.connected()
      for _ in 0..<60 {
        let payload = (0..<Int(next() % 30)).map { _ in next() % (next() & 1 == 0 ? 8 : 255) }
        _ = listener.data(next() & 3, payload, fromCentral: next() & 1 == 0)
        let octets = (0..<Int(next() % 40)).map { _ in next() }
        _ = listener.hear(octets, at: next() & 1 == 0 ? RadioPacket.advertisingAddress : 7, fromCentral: nil)
      }
    }
  }
}
