import HCI
import Phone
import Recorder
import Testing
import Timeline
import Trace

@testable import World

/// A controller that swallows one event, once.
private final class LossyPipe: PacketPipe, PacketReceiver {
  enum Loss {
    case connection, disconnection, encryption, keyRequest

    /// Those without which a host can tell that its controller lost something.
    static let noticed = [connection, disconnection, encryption]
  }

  weak var receiver: (any PacketReceiver)?
  private let pipe: any PacketPipe
  private let loss: Loss?
  private(set) var hasLost = false

  init(_ pipe: any PacketPipe, _ loss: Loss?) {
    self.pipe = pipe
    self.loss = loss
    pipe.receiver = self
  }

  func send(_ packet: HCIPacket) { pipe.send(packet) }
  func close() { pipe.close() }
  func pipeClosed(_ reason: PipeClosure) { receiver?.pipeClosed(reason) }

  func receive(_ packet: HCIPacket) {
    if !hasLost, isLost(packet) {
      hasLost = true
    } else {
      receiver?.receive(packet)
    }
  }

  private func isLost(_ packet: HCIPacket) -> Bool {
    guard packet.kind == .event, let code = packet.bytes.first else { return false }
    return switch loss {
    // Connection Complete and Enhanced Connection Complete (Core Specification Vol 4, Part E, 7.7.65.1 and 10).
    case .connection: code == 0x3E && packet.bytes.count > 2 && [0x01, 0x0A].contains(packet.bytes[2])
    case .disconnection: code == 0x05
    case .encryption: code == 0x08
    // Long Term Key Request (7.7.65.5).
    case .keyRequest: code == 0x3E && packet.bytes.count > 2 && packet.bytes[2] == 0x05
    case nil: false
    }
  }
}

/// Whoever works on a controller that lost an event says so, and nobody takes the other side for the culprit.
@Suite struct LostEventsOfControllers {
  private let loop = EventLoop(driver: .virtual, seed: 7)

  private func run(for duration: Duration) { loop.runEvents(until: loop.now.advanced(by: duration)) }

  /// Pairs, asks for the list and takes leave; what the world says of the controllers, and whether an event was lost.
  private func trouble(phoneLoses: LossyPipe.Loss?, recorderLoses: LossyPipe.Loss?) throws -> (String?, Bool) {
    let medium = SimulatedMedium(loop: loop)
    try medium.setDistance(millimetres: 1000)
    let world = BluetoothWorld(loop: loop, trace: TraceRecorder())
    let pipes = [
      LossyPipe(medium.attach("phone", .phone), phoneLoses),
      LossyPipe(medium.attach("recorder", .recorder), recorderLoses),
    ]
    var phoneConfiguration = try PhoneConfiguration(ownAddress: UpdateRig.phone, library: PhoneLibrary())
    phoneConfiguration.autoSync = false
    let phone = SimulatedPhone("phone", index: 0, phoneConfiguration, in: world, on: pipes[0])
    var configuration = RecorderConfiguration(address: UpdateRig.address)
    configuration.staysAwake = true
    let recorder = SimulatedDevice("recorder", index: 0, configuration, in: world, on: pipes[1]) { nil }
    try recorder.powerOn()
    run(for: .seconds(2))
    for operation in [PhoneOperation.connect(.address(UpdateRig.address)), .pair, .list, .disconnect] {
      try phone.begin(operation)
      run(for: .seconds(15))
    }
    recorder.breakLink()
    run(for: .seconds(15))
    return (world.controllerTrouble, pipes.contains(where: \.hasLost))
  }

  @Test("A phone's", arguments: LossyPipe.Loss.noticed)
  fileprivate func phone(_ loss: LossyPipe.Loss) throws {
    let (words, hasLost) = try trouble(phoneLoses: loss, recorderLoses: nil)
    #expect(hasLost, "\(words ?? "no trouble")")
    #expect(words?.contains("it lost the event") == true, "\(words ?? "no trouble")")
  }

  @Test("A recorder's", arguments: LossyPipe.Loss.noticed)
  fileprivate func recorder(_ loss: LossyPipe.Loss) throws {
    let (words, hasLost) = try trouble(phoneLoses: nil, recorderLoses: loss)
    #expect(hasLost, "\(words ?? "no trouble")")
    #expect(words?.contains("it lost the event") == true, "\(words ?? "no trouble")")
  }

  /// Its phone's controller has nothing to tell, however long it takes.
  @Test func aRecorderThatNeverGivesItsKeyIsNoLossOfThePhones() throws {
    let (words, hasLost) = try trouble(phoneLoses: nil, recorderLoses: .keyRequest)
    #expect(hasLost)
    #expect(words == nil)
  }

  @Test func noEventIsMissedThatCame() throws {
    #expect(try trouble(phoneLoses: nil, recorderLoses: nil) == (nil, false))
  }
}
