import Bytes
import HCI
import HostStack
import Testing
import Timeline

@testable import Recorder

/// A recorder on a controller that takes its time over a reset, as real ones do.
private struct SlowReset {
  var recorder = SimulatedRecorder(RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random)))
  var now = Instant.zero
  var sent: [HCIPacket] = []
  private var timers: [(token: TimerToken, due: Instant)] = []

  static let reset = HCIPacket(.command, [0x03, 0x0C, 0x00])
  /// Command_Complete of HCI_Reset: one credit, success.
  static let answer = HCIPacket(.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])

  mutating func feed(_ input: MachineInput<RecorderControl>) {
    var effects: [MachineEffect<RecorderEvent>] = []
    recorder.handle(input, at: now, &effects)
    for effect in effects {
      switch effect {
      case .send(let packet): sent.append(packet)
      case .startTimer(let token, let duration):
        timers.removeAll { $0.token == token }
        timers.append((token, now.advanced(by: duration)))
      case .cancelTimer(let token): timers.removeAll { $0.token == token }
      case .event, .needEntropy: break
      }
    }
  }

  mutating func run(for duration: Duration) {
    let end = now.advanced(by: duration)
    while let next = timers.min(by: { $0.due < $1.due }), next.due <= end {
      timers.removeAll { $0.token == next.token }
      now = next.due
      feed(.timerFired(next.token))
    }
    now = end
  }
}

@Suite struct Silence {
  @Test func theStackIsSetUpOnlyWhenTheResetWasAnswered() {
    var slow = SlowReset()
    slow.feed(.request(.holdRail))
    slow.run(for: .milliseconds(300))
    #expect(slow.sent == [SlowReset.reset])
    slow.feed(.request(.cutPower))
    slow.feed(.request(.holdRail))
    #expect(slow.sent == [SlowReset.reset, SlowReset.reset])
    slow.run(for: .milliseconds(500))
    #expect(slow.sent.count == 2)
    // An answer from before the power cut says nothing.
    slow.feed(.packet(HCIPacket(.event, [0x0E, 0x04, 0x01, 0x01, 0x10, 0x00])))
    #expect(slow.sent.count == 2)
    slow.feed(.packet(SlowReset.answer))
    #expect(slow.sent == [SlowReset.reset, SlowReset.reset, SlowReset.reset])
  }

  @Test func aControllerThatNeverAnswersIsSetUpAllTheSame() {
    var slow = SlowReset()
    slow.feed(.request(.holdRail))
    slow.run(for: .milliseconds(300))
    slow.feed(.request(.cutPower))
    slow.feed(.request(.holdRail))
    slow.run(for: .milliseconds(900))
    #expect(slow.sent.count == 2)
    slow.run(for: .milliseconds(200))
    #expect(slow.sent.count == 3)
  }
}
