import HCI
import TestThreads
import Testing
import Timeline
import World

@testable import Bench

/// Instruments that die or hang while a recorder is watched: their silence is not the recorder's.
@Suite(.waits) struct DeadInstruments {
  @Test func aPicoThatIsUnpluggedBetweenTwoLooksIsMissed() throws {
    let rig = try BenchRig("pico: {RawSerialPort: $folder/pico}")
    let device = try rig.device()
    let senses = RecorderSenses(device, scanner: nil, on: rig.loop)
    let pace = Duration.milliseconds(10)
    try rig.run {
      while senses.lookedAt == nil, case .success = await rig.waits.pass(pace, on: rig.loop) {}
      rig.instruments.pico?.line.hangUp()
      let end = rig.loop.now.advanced(by: .seconds(2))
      while senses.trouble == nil, rig.loop.now < end { _ = await rig.waits.pass(pace, on: rig.loop) }
    }
    #expect(senses.trouble?.contains("is gone (it hung up)") == true, "\(senses.trouble ?? "no trouble")")
    senses.close()
    device.close()
  }

  @Test func aScannerWhoseControllerDoesNotAnswerIsInTrouble() {
    let loop = EventLoop(driver: .virtual, seed: 1)
    let scanner = AirScanner(on: Mute(), loop)
    loop.runEvents(until: .zero.advanced(by: .seconds(3)))
    #expect(scanner.trouble?.contains("did not answer the command 0x0C03") == true)
    #expect(!scanner.isListening)
  }

  /// An answer to somebody else is none to the scanner.
  @Test func aScannerIsNotReadyBeforeItsOwnCommandsAreAnswered() {
    let loop = EventLoop(driver: .virtual, seed: 1)
    let scanner = AirScanner(on: Mute(), loop)
    for _ in 0..<5 { scanner.receive(Event.commandComplete(.setEventMask, credits: 1, .success).packet) }
    #expect(!scanner.isListening)
  }

  @Test func aScannerWhoseControllerAnswersListens() {
    let loop = EventLoop(driver: .virtual, seed: 1)
    let scanner = AirScanner(on: SimulatedMedium(loop: loop).attach("scanner", .phone), loop)
    loop.runEvents(until: .zero.advanced(by: .seconds(1)))
    #expect(scanner.isListening)
    scanner.close()
  }
}

/// A controller that takes everything and says nothing.
private final class Mute: PacketPipe {
  weak var receiver: (any PacketReceiver)?

  func send(_ packet: HCIPacket) {}
  func close() {}
}
