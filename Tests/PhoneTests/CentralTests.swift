import Bytes
import DictofunProtocol
import HCI
import HostStack
import Testing
import Timeline

@testable import Phone

/// The phone as a whole, on a controller that obeys.
@Suite struct Central {
  private struct Bench {
    var phone: PhoneCentral
    var events: [PhoneEvent] = []
    var commands: [Command] = []
    var timers: [TimerToken] = []

    init() throws {
      phone = PhoneCentral(
        PhoneConfiguration(
          ownAddress: BluetoothAddress(0xC000_0000_00FF, .random), library: try PhoneLibrary(.memory)))
    }

    mutating func feed(_ input: MachineInput<PhoneRequest>, at nanoseconds: UInt64 = 0) throws {
      var inputs = [input]
      while !inputs.isEmpty {
        var effects: [MachineEffect<PhoneEvent>] = []
        phone.handle(inputs.removeFirst(), at: Instant(nanoseconds: nanoseconds), &effects)
        for effect in effects {
          switch effect {
          case .send(let packet): inputs.append(.packet(try answer(packet)))
          case .event(let event): events.append(event)
          case .startTimer(let token, _): timers.append(token)
          case .cancelTimer(let token): timers.removeAll { $0 == token }
          case .needEntropy(let request):
            inputs.append(.entropy(token: request.token, bytes: [UInt8](repeating: 1, count: request.count)))
          }
        }
      }
    }

    private mutating func answer(_ packet: HCIPacket) throws -> HCIPacket {
      let command = try Command(decoding: packet.bytes)
      commands.append(command)
      let parameters: ReturnParameters =
        switch command {
        case .readLocalSupportedCommands: .supportedCommands(SupportedCommands([.reset, .leReadBufferSize]))
        case .leReadBufferSize: .leBufferSize(LEBufferSize(octets: 251, count: 8))
        case .leReadLocalSupportedFeatures: .leFeatures([.encryption])
        default: .success
        }
      return Event.commandComplete(command.opcode, credits: 1, parameters).packet
    }

    func ends(of token: OperationToken) -> [Result<PhoneResult, PhoneFailure>] {
      events.compactMap { if case .operationEnded(token, let result) = $0 { result } else { nil } }
    }
  }

  private static let recorder = BluetoothAddress(0xC0DE_0000_0001, .random)

  @Test func requestsGoDownToTheControllerAndWhatItHearsComesUp() throws {
    var bench = try Bench()
    try bench.feed(.request(.start))
    #expect(bench.events.contains { if case .started = $0 { true } else { false } })
    #expect(bench.commands.first?.opcode == .reset)
    let token = OperationToken(7)
    try bench.feed(.request(.perform(token, .scan(.seconds(1)))))
    #expect(bench.commands.contains { if case .leSetScanEnable(true, _) = $0 { true } else { false } })
    let report = LEAdvertisingReport(
      .connectableUndirected, Self.recorder, DictofunAdvertisement.advertisingData, signalStrength: -61)
    try bench.feed(.packet(Event.leAdvertisingReport([report]).packet), at: 250)
    let timer = try #require(bench.timers.first { $0.owner == .application })
    // A timer of the stack with the same kind is another one.
    try bench.feed(.timerFired(TimerToken(owner: .host, kind: timer.kind, generation: timer.generation)))
    #expect(bench.ends(of: token).isEmpty)
    try bench.feed(.timerFired(timer), at: 1_000_000_000)
    var sighting = RecorderSighting(
      address: Self.recorder, identity: Self.recorder, name: "dict", signalStrength: -61, lastHeardNanoseconds: 250,
      isPaired: false)
    sighting.advertisingData = report.data
    #expect(bench.ends(of: token) == [.success(.recorders([sighting]))])
    guard case .leSetScanEnable(false, _)? = bench.commands.last else {
      Issue.record("the phone goes on listening")
      return
    }
  }

  @Test func aLostControllerEndsEverything() throws {
    var bench = try Bench()
    try bench.feed(.request(.start))
    try bench.feed(.request(.perform(OperationToken(1), .scan(.seconds(1)))))
    try bench.feed(.controllerLost)
    #expect(bench.ends(of: OperationToken(1)) == [.failure(.abandoned)])
    #expect(bench.events.contains { if case .failed(.controllerLost) = $0 { true } else { false } })
    #expect(bench.timers.isEmpty)
  }

  @Test func theClockIsSeenFromOutside() throws {
    var bench = try Bench()
    #expect(bench.phone.localTime(at: Instant(nanoseconds: 1_500_000_000)) == 757_425_601)
    try bench.feed(.request(.setClock(5)), at: 10_000_000_000)
    #expect(bench.phone.localTime(at: Instant(nanoseconds: 12_000_000_000)) == 7)
  }
}
