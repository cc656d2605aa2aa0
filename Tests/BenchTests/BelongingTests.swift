import Bytes
import Recorder
import TestThreads
import Testing
import World

@testable import Bench

/// Nothing is erased before it was seen that the instruments are those of the recorder with the address.
@Suite(.waits) struct Belongings {
  /// The address in the bench file.
  private static let ours = BluetoothAddress(0xC605_0403_0201, .random)
  private static let neighbours = BluetoothAddress(0xC605_0403_0299, .random)
  private static let console = "console: {RawSerialPort: $folder/console}\n"
  private static let pico = "pico: {RawSerialPort: $folder/pico}\n"

  private func trouble(_ rig: BenchRig) throws -> String {
    let (device, phone) = (try rig.device(), try rig.phone())
    defer { device.close() }
    return rig.trouble { _ = try await device.prepare(seenBy: phone) }
  }

  @Test(arguments: [Self.console, Self.pico, Self.console + Self.pico])
  func theRightRecorderIsSeenAndMayBeErased(_ instruments: String) throws {
    let rig = try BenchRig(instruments, onTheAir: [Self.ours, Self.neighbours])
    let (device, phone) = (try rig.device(), try rig.phone())
    _ = try rig.run { try await device.prepare(seenBy: phone) }
    #expect(device.belonging == .seen)
    if device.console != nil { try rig.run { try await device.forgetBonds() } }
    device.close()
  }

  @Test func anInterruptionIsNotTheControllersFault() throws {
    let rig = try BenchRig(Self.pico)
    let (device, phone) = (try rig.device(), try rig.phone())
    // The look while the power is away takes longer.
    for number in 1...100 {
      rig.loop.schedule(after: .milliseconds(100 * number)) { phone.assumeIsolated { $0.interrupt() } }
    }
    #expect(throws: ControlFailure.ended(.interrupted)) {
      try rig.run { _ = try await device.prepare(seenBy: phone) }
    }
    device.close()
  }

  @Test func aPowerThatIsAnothersIsNoticedByWhoStaysOnTheAir() throws {
    let sentence = try trouble(BenchRig(Self.console + Self.pico, onTheAir: [Self.neighbours, Self.ours]))
    #expect(sentence.contains("\(Self.ours) stays on the air while its power is taken away"), "\(sentence)")
  }

  @Test func aPowerThatIsAnothersIsNoticedByWhoComesWithIt() throws {
    let sentence = try trouble(BenchRig(Self.console + Self.pico, onTheAir: [Self.neighbours]))
    #expect(sentence.hasPrefix("\(Self.neighbours) comes on the air when the instruments give power"), "\(sentence)")
  }

  @Test func aConsoleThatIsAnothersIsNoticedByItsSilence() throws {
    let sentence = try trouble(BenchRig(Self.console, onTheAir: [Self.neighbours, Self.ours]))
    #expect(sentence.contains("does not report the phone's link to \(Self.ours)"), "\(sentence)")
  }

  @Test(arguments: [true, false])
  func whereNothingIsHeardNothingIsErased(_ isMute: Bool) throws {
    let rig = try BenchRig(
      Self.console, onTheAir: [isMute ? Self.ours : Self.neighbours], isMute ? "never-advertises" : nil)
    let (device, phone) = (try rig.device(), try rig.phone())
    _ = try rig.run { try await device.prepare(seenBy: phone) }
    for deed in [Preparation.forgetBonds, .eraseRecords] {
      let sentence = rig.trouble { try await device.perform([deed]) }
      #expect(sentence.contains("was not heard on the air: wake it"), "\(sentence)")
    }
    device.close()
  }
}
