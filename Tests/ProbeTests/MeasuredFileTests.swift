import Bytes
import DictofunProtocol
import HostStack
import Recorder
import Testing
import YAML

@testable import Probe

@Suite struct MeasuredFiles {
  private static var recorder: MeasuredRecorder {
    var recorder = MeasuredRecorder(address: BluetoothAddress(0xC605_0403_0201, .random), twin: "firmware-1.4")
    recorder.figures[.keepAlive] = Figure(
      value: 12_000_000_000, spread: 30_000_000, unit: .time, samples: 1, method: "from \"here\" to there")
    recorder.reasons[.divider] = "needs a supply"
    recorder.observe("link-speed", Figure(value: 8_466, spread: 0, unit: .speed, samples: 1, method: "a record"))
    recorder.advertisingData = [2, 1, 6]
    recorder.services = RecorderProfile.published.attributes.discovered
    recorder.accesses = [.init("read 0x0013 without encryption", "error 0x05")]
    return recorder
  }

  private static func read(_ text: String) throws(YAMLProblem) -> MeasuredRecorder {
    try MeasuredRecorder(SourceFile(path: "measured.yaml", text: text))
  }

  @Test func whatIsWrittenIsRead() throws {
    #expect(try Self.read(Self.recorder.file(note: "measured")) == Self.recorder)
  }

  private static let head = "profile: measured\ntwin: reference\nrecorder: C6:05:04:03:02:01\n"

  @Test(arguments: [
    ("profile: reference\n", "measured.yaml:1:10: `profile` cannot be `reference`; expected `measured`"),
    ("profile: measured\n", "measured.yaml:1:1: a measured profile lacks `twin`; expected `twin: …`"),
    (
      "profile: measured\ntwin: referense\n",
      "measured.yaml:2:7: `twin` cannot be `referense`; expected `reference`, `firmware-1.4`"
    ),
    (head + "mesured: {}\n", "did you mean `measured`?"),
    (head + "measured:\n  keep-alife: {}\n", "measured.yaml:5:3: no constant is named `keep-alife`"),
    (head + "measured:\n  keep-alife: {}\n", "did you mean `keep-alive`?"),
    (
      head + "measured:\n  keep-alive: {value: 5 mV, spread: 1 ms, samples: 1}\n",
      "measured.yaml:5:23: `value` cannot be `5 mV`"
    ),
    (head + "measured:\n  keep-alive: {value: 5 ms, spread: -1 ms, samples: 1}\n", "`spread` cannot be `-1 ms`"),
    (head + "measured:\n  keep-alive: {value: 5 ms, spread: 1 ms}\n", "a figure lacks `samples`"),
    (head + "measured:\n  keep-alive: 5 ms\n", "measured.yaml:5:15: a figure cannot be `5 ms`"),
    (
      head + "attributes:\n  - {characteristic: 2A00, handle: \"0x0003\"}\n",
      "a characteristic comes before its service"
    ),
    (head + "advertising: {data: 0x}\n", "at most 31 octets in hexadecimal"),
  ]) func mistakesHaveTheirPlace(text: String, sentence: String) {
    var message = "no mistake"
    do throws(YAMLProblem) { _ = try Self.read(text) } catch { message = error.description }
    #expect(message.contains(sentence), "\(message)")
  }

  @Test func aMeasuredRecorderIsPlayed() {
    let profile = Self.recorder.profile(from: .published)
    #expect(profile.name == "measured")
    #expect(profile.timing.keepAlive == 12_288)
    #expect(profile.policies == RecorderProfile.published.policies)
    #expect(profile.advertisingData == [2, 1, 6])
    #expect(profile.services == nil)
  }

  @Test func whatAgreesWithinItsSpreadIsNoDifference() {
    var recorder = MeasuredRecorder(address: BluetoothAddress(1, .random), twin: "reference")
    let value = ProbedConstant.keepAlive.value(of: .reference)
    recorder.figures[.keepAlive] = Figure(value: value + 10, spread: 10, unit: .time, samples: 1, method: "")
    #expect(Distance(of: recorder, from: .reference).isEmpty)
    recorder.figures[.keepAlive]?.spread = 9
    #expect(Distance(of: recorder, from: .reference).names(.keepAlive))
  }

  /// Every time-out is 5 % longer: the ticks are, and the time-outs are told no second time.
  @Test func aTickExplainsItsTimeOuts() {
    var recorder = MeasuredRecorder(address: BluetoothAddress(1, .random), twin: "reference")
    for timer in [ProbedConstant.keepAlive, .strangersLink, .noRecord] {
      let value = timer.value(of: .reference) * 105 / 100
      recorder.figures[timer] = Figure(value: value, spread: value / 500, unit: .time, samples: 1, method: "")
    }
    recorder.findTick(.reference)
    #expect(Distance(of: recorder, from: .reference).differences.map(\.constant) == [.tick])
    #expect(recorder.profile(from: .reference).timing == RecorderProfile.reference.timing)
  }
}
