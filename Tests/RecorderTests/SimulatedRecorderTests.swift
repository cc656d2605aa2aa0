import Bytes
import HCI
import HostStack
import Testing
import Timeline

@testable import Recorder

/// Firmware and host stack together, above a controller that is not there.
@Suite struct SimulatedRecorderTests {
  private typealias Effects = [MachineEffect<RecorderEvent>]

  private static let reset = HCIPacket(.command, [0x03, 0x0C, 0x00])

  private static func recorder(_ configure: (inout RecorderConfiguration) -> Void = { _ in }) -> SimulatedRecorder {
    var configuration = RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random))
    configure(&configuration)
    return SimulatedRecorder(configuration)
  }

  private static func sent(_ effects: Effects) -> [HCIPacket] {
    effects.compactMap { if case .send(let packet) = $0 { packet } else { nil } }
  }

  private static func timers(_ effects: Effects) -> [(TimerToken, Duration)] {
    effects.compactMap { if case .startTimer(let token, let duration) = $0 { (token, duration) } else { nil } }
  }

  /// The timer of the firmware that was started last.
  private static func alarm(_ effects: Effects) -> (TimerToken, Duration)? {
    timers(effects).last { $0.0.owner == .application }
  }

  @Test func recorderThatIsOffHearsNothing() {
    var recorder = Self.recorder()
    var effects: Effects = []
    recorder.handle(.packet(HCIPacket(.event, [0x0E, 4, 1, 3, 0x0C, 0])), at: .zero, &effects)
    recorder.handle(.entropy(token: 1, bytes: [1]), at: .zero, &effects)
    recorder.handle(.request(.releaseButton), at: .zero, &effects)
    #expect(effects.isEmpty)
    #expect(!recorder.isOn)
  }

  @Test func stackIsSetUpWhenTheFirmwareGetsToIt() throws {
    var recorder = Self.recorder()
    var effects: Effects = []
    recorder.handle(.request(.holdRail), at: .zero, &effects)
    #expect(recorder.isOn)
    #expect(Self.sent(effects).isEmpty)
    let (token, wait) = try #require(Self.alarm(effects))
    // 200 ticks of 1/1024 s.
    #expect(wait == .nanoseconds(195_312_500))
    effects = []
    recorder.handle(.timerFired(token), at: Instant.zero.advanced(by: wait), &effects)
    #expect(Self.sent(effects) == [Self.reset])
  }

  @Test func powerCutSilencesTheControllerAndStopsTheStacksTimers() throws {
    var recorder = Self.recorder()
    var effects: Effects = []
    recorder.handle(.request(.holdRail), at: .zero, &effects)
    let (token, wait) = try #require(Self.alarm(effects))
    let later = Instant.zero.advanced(by: wait)
    effects = []
    recorder.handle(.timerFired(token), at: later, &effects)
    let stackTimers = Self.timers(effects).map(\.0).filter { $0.owner == .host }
    #expect(!stackTimers.isEmpty)
    effects = []
    recorder.handle(.request(.cutPower), at: later, &effects)
    #expect(Self.sent(effects) == [Self.reset])
    let cancelled = effects.compactMap { if case .cancelTimer(let token) = $0 { token } else { nil } }
    #expect(stackTimers.allSatisfy(cancelled.contains))
    #expect(cancelled.contains { $0.owner == .application })
    #expect(effects.contains { if case .event(.poweredOff(.cut)) = $0 { true } else { false } })
    effects = []
    recorder.handle(.timerFired(stackTimers[0]), at: later, &effects)
    #expect(effects.isEmpty)
  }

  @Test func recorderBootsAgainOnAHeldRail() throws {
    var recorder = Self.recorder { $0.batteryMillivolts = 3000 }
    var effects: Effects = []
    recorder.handle(.request(.holdRail), at: .zero, &effects)
    var now = Instant.zero
    var boots = 0
    // Low battery, shutdown, reset: about fourteen seconds each time.
    while now < Instant.zero.advanced(by: .seconds(40)) {
      let (token, wait) = try #require(Self.alarm(effects))
      now = now.advanced(by: wait)
      effects = effects.filter { if case .startTimer(let other, _) = $0 { other != token } else { false } }
      recorder.handle(.timerFired(token), at: now, &effects)
      boots += effects.count { if case .event(.poweredOn(.reset)) = $0 { true } else { false } }
    }
    #expect((2...5).contains(boots))
  }
}
