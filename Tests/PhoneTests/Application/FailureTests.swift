import Bytes
import DictofunProtocol
import HCI
import HostStack
import Testing

@testable import Phone

@Suite struct Failing {
  private static let operations: [PhoneOperation] = [
    .connect(.paired), .pair, .unpair, .disconnect, .list, .inform(.newest), .download(.newest), .fileSystemStatus,
    .readBattery, .sync(.paired, finishes: true), .writeControlPoint([1]), .scan(.seconds(1)), .delete(.newest),
  ]

  /// A phone that can begin the operation: paired where that is needed, connected where that is.
  private static func rig(for operation: PhoneOperation) throws -> PhoneRig {
    var recorder = ModelRecorder()
    recorder.record(sizes: [64, 500])
    var rig = try PhoneRig(recorder)
    try rig.pair()
    if operation == .delete(.newest) { _ = try rig.perform(.download(.newest)) }
    if operation == .pair { _ = try rig.perform(.unpair) }
    switch operation {
    case .connect, .sync: _ = try rig.perform(.disconnect)
    default: break
    }
    rig.steps = 0
    return rig
  }

  @Test(arguments: operations) func everyFailureOfEveryStepEndsTheOperationOnce(_ operation: PhoneOperation) throws {
    var undisturbed = try Self.rig(for: operation)
    let outcome = try undisturbed.perform(operation)
    #expect(throws: Never.self) { try outcome.get() }
    for step in 0..<undisturbed.steps {
      for how in PhoneRig.Disturbance.allCases {
        var rig = try Self.rig(for: operation)
        rig.disturbed = (step, how)
        let result = try rig.perform(operation)
        rig.pass(.seconds(120))
        #expect(rig.ended.values.allSatisfy { $0.count == 1 }, "\(operation), step \(step), \(how)")
        if case .failure(let failure) = result {
          #expect(Self.fits(failure, how), "\(operation), step \(step), \(how): \(failure)")
        }
        // Whatever happened, the phone goes on: it finds its link ready or makes a new one.
        rig.disturbed = nil
        _ = try rig.perform(.disconnect)
        _ = try rig.perform(.connect(.paired))
        #expect(try rig.perform(.readBattery) == .success(.battery(84)), "\(operation), step \(step), \(how)")
      }
    }
  }

  private static func fits(_ failure: PhoneFailure, _ how: PhoneRig.Disturbance) -> Bool {
    switch (how, failure) {
    case (.linkLoss, .disconnected(.connectionTimeout)), (.silence, .noAnswer), (.refusal, .refused(.unlikelyError)),
      (.refusal, .connectionFailed), (.refusal, .securityFailed(.pinOrKeyMissing)):
      true
    default: false
    }
  }

  @Test(arguments: [PhoneOperation.list, .inform(.oldest), .download(.newest), .fileSystemStatus])
  func aSilentRecorderIsGivenUp(_ operation: PhoneOperation) throws {
    var rig = try Self.rig(for: operation)
    rig.recorders[0].isDeafToRequests = true
    let began = rig.now
    #expect(try rig.perform(operation) == .failure(.noAnswer))
    #expect(rig.now - began > 2_000_000_000, "the recorder's own limits are waited for")
    #expect(rig.recorders[0].requests.count == 1, "asking again cannot help")
    #expect(rig.connected != nil)
  }

  /// Before the first octets one limit counts, between octets another; each has its own length here.
  @Test(arguments: [(packets: 0, seconds: 7), (1, 2), (9, 2)])
  func aRecorderThatStopsIsGivenUp(_ stop: (packets: Int, seconds: UInt64)) throws {
    var recorder = ModelRecorder()
    recorder.record(sizes: [60_000])
    var rig = try PhoneRig(recorder) {
      $0.timeouts.firstData = .seconds(7)
      $0.timeouts.nextData = .seconds(2)
    }
    try rig.pair()
    rig.recorders[0].packetsSent = stop.packets
    let began = rig.now
    #expect(try rig.perform(.download(.newest)) == .failure(.noAnswer))
    #expect(rig.now - began > stop.seconds * 1_000_000_000)
    #expect(rig.now - began < stop.seconds * 1_000_000_000 + 1_000_000_000)
  }

  @Test func aDisconnectOvertakesWhatWasAskedBefore() throws {
    var rig = try Self.rig(for: .list)
    let early = [rig.begin(.download(.newest)), rig.begin(.list), rig.begin(.scan(.seconds(9)))]
    rig.run { $0.application.exchange.inbox.received > 0 }
    let disconnect = rig.begin(.disconnect)
    let late = rig.begin(.list)
    rig.run { $0.ended[late] != [] }
    for token in early { #expect(rig.ended[token] == [.failure(.abandoned)]) }
    #expect(rig.ended[disconnect] == [.success(.done)])
    #expect(rig.ended[late] == [.failure(.notConnected)])
    #expect(try rig.perform(.disconnect) == .success(.done), "there is nothing to do twice")
  }

  @Test func aConnectionThatIsNeverMadeIsCalledOff() throws {
    var rig = try PhoneRig(ModelRecorder())
    rig.disturbed = (0, .silence)
    #expect(try rig.perform(.connect(.paired)) == .failure(.noAnswer))
    #expect(rig.now < 15_000_000_000)
    #expect(try rig.perform(.connect(.paired)) == .success(.done))
  }

  @Test func aDisconnectCallsAnAttemptOff() throws {
    var rig = try PhoneRig(ModelRecorder())
    rig.disturbed = (0, .silence)
    let connect = rig.begin(.connect(.paired))
    rig.run { $0.application.search.attempt != nil }
    let began = rig.now
    #expect(try rig.perform(.disconnect) == .success(.done))
    #expect(rig.ended[connect] == [.failure(.abandoned)])
    #expect(rig.now - began < 1_000_000_000)
  }

  @Test func aRestartForgetsWhatIsNotInTheLibrary() throws {
    var rig = try Self.rig(for: .list)
    let operations = [rig.begin(.download(.newest)), rig.begin(.list)]
    rig.run { $0.application.exchange.inbox.received > 0 }
    rig.request(.restart)
    for token in operations { #expect(rig.ended[token] == [.failure(.abandoned)]) }
    let next = rig.begin(.connect(.paired))
    rig.run { $0.ended[next] != [] }
    #expect(rig.ended[next] == [.success(.done)])
    #expect(rig.hostStarts == 2)
    #expect(try rig.application.configuration.library.records().allSatisfy { !$0.isComplete })
  }

  @Test func withoutAControllerNothingIsLeftWaiting() throws {
    var rig = try Self.rig(for: .list)
    let tokens = [rig.begin(.list), rig.begin(.disconnect)]
    rig.inject(.failed(.controllerLost))
    #expect(try rig.perform(.list) == .failure(.abandoned))
    for token in tokens { #expect(rig.ended[token]?.count == 1) }
    rig.request(.start)
    #expect(try rig.perform(.connect(.paired)) == .success(.done))
  }

  @Test(arguments: 0..<60) func noSequenceOfEventsLosesAnOperation(_ seed: UInt64) throws {
    var chance = SeededChance(seed)
    var recorder = ModelRecorder()
    recorder.record(sizes: [64, 700, 0, 9000])
    var rig = PhoneRig([recorder, ModelRecorder()], library: try PhoneLibrary(.memory)) {
      $0.autoSync = chance.below(2) == 0
      $0.isForeground = chance.below(2) == 0
    }
    rig.recorders[1].address = BluetoothAddress(0xC0DE_0000_0002, .random)
    for _ in 0..<60 {
      switch chance.below(12) {
      case 0...4: _ = rig.begin(Self.operations[chance.below(Self.operations.count)])
      case 5: rig.request(chance.below(8) == 0 ? .restart : .setForeground(chance.below(2) == 0))
      case 6: rig.disturbed = (rig.steps + chance.below(5), PhoneRig.Disturbance.allCases[chance.below(3)])
      case 7: rig.loseLink([.connectionTimeout, .remoteUserTerminatedConnection][chance.below(2)])
      case 8: rig.recorders[0].battery = [0, 12, 24, 84, 254][chance.below(5)]
      case 9: rig.notify(UInt16(chance.below(0x30)), (0..<chance.below(25)).map { _ in UInt8(chance.below(256)) })
      case 10: rig.inject(Self.strayEvent(&chance))
      default: rig.pass(.milliseconds(Int64(chance.below(3000))))
      }
    }
    rig.request(.restart)
    rig.pass(.seconds(60))
    #expect(rig.ended.count > 1)
    #expect(rig.ended.values.allSatisfy { $0.count == 1 })
    #expect(try rig.perform(.scan(.milliseconds(500))) != .failure(.abandoned))
  }

  private static func strayEvent(_ chance: inout SeededChance) -> HostEvent {
    let handle = ConnectionHandle(rawValue: UInt16(0x0040 + chance.below(3)))
    let address = BluetoothAddress(0xC0DE_0000_0001, .random)
    let bond = Bond(
      identity: address, localKey: nil, peerKey: nil, peerIdentityResolvingKey: nil, secureConnections: true)
    let events: [HostEvent] = [
      .disconnected(handle, .connectionTimeout), .connectionFailed(.connectionFailedToBeEstablished),
      .bondCreated(handle, bond), .bondUpdated(bond), .secured(handle, identity: nil, keySize: 16),
      .securityFailed(handle, .pinOrKeyMissing), .pairingFailed(handle, .timeout, byPeer: true),
      .securityRequested(handle), .maximumTransmissionUnitChanged(handle, 100),
      .clientCompleted(handle, ClientToken(UInt32(chance.below(30))), .success(.written)),
      .clientCompleted(handle, ClientToken(UInt32(chance.below(30))), .failure(.timeout)),
      .clientCompleted(handle, ClientToken(UInt32(chance.below(30))), .failure(.notAllowed)),
      .parameterUpdateRequested(handle, ConnectionParameters(intervalUnits: 80), identifier: 1),
      .connected(
        ConnectionInformation(
          isCentral: chance.below(2) == 0, handle: handle, peer: address, identity: address, isBonded: false,
          parameters: ConnectionParameters(intervalUnits: 24))),
    ]
    return events[chance.below(events.count)]
  }
}

/// Small numbers from a seed (SplitMix64).
struct SeededChance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(bound))
  }
}
