import Bytes
import Probe
import Recorder
import Runner
import ScenarioLanguage
import Testing
import Verdicts
import YAML

@testable import Session

/// What a bench tells of a recorder that was measured before.
@Suite struct MeasuredTwins {
  private static let address = BluetoothAddress(0xC605_0403_0201, .random)
  private static let banner = "Dictofun FW. f934e997 2024-01-01. branch: main. Built at: here"

  private static func recorder(_ change: (inout MeasuredRecorder) -> Void = { _ in }) -> MeasuredRecorder {
    var recorder = MeasuredRecorder(address: address, twin: "reference")
    recorder.firmware = banner
    recorder.figures[.keepAlive] = Figure(
      value: 12_000_000_000, spread: 30_000_000, unit: .time, samples: 1, method: "once")
    recorder.figures[.advertisingInterval] = Figure(
      value: 200_000_000, spread: 1_000_000, unit: .time, samples: 9, method: "gaps")
    recorder.figures[.maximumTransmissionUnit] = Figure(
      value: 247, spread: 0, unit: .octets, samples: 1, method: "its answer")
    change(&recorder)
    return recorder
  }

  private static func twin(
    _ recorder: MeasuredRecorder = recorder(), at address: BluetoothAddress = address, banner: String? = banner
  ) -> MeasuredTwin {
    MeasuredTwin(address, "measured.yaml", banner: banner) {
      SourceFile(path: "measured.yaml", text: recorder.file(note: "measured"))
    }
  }

  @Test func everyFigureThatDiffersIsToldWithItsAmount() throws {
    let distance = Self.twin().distance
    #expect(distance.standing == .current)
    #expect(distance.twin == "reference")
    #expect(distance.differences.map(\.name) == ["advertising-interval", "keep-alive"])
    let usual = Double(ProbedConstant.keepAlive.value(of: .reference))
    let percent = try #require(distance.differences[1].percent)
    #expect(abs(percent - (12e9 / usual - 1) * 100) < 0.06)
    #expect(distance.differences[1].measured == "12000 ms")
  }

  @Test func anotherFirmwareMakesWhatWasMeasuredStale() {
    let distance = Self.twin(banner: "Dictofun FW. 037be77e 2024-02-02. branch: main. Built at: here").distance
    #expect(distance.standing == .stale)
    #expect(distance.reason?.contains("now boots with `Dictofun FW. 037be77e") == true)
    #expect(distance.differences == [])
  }

  @Test func anotherRecorderMakesWhatWasMeasuredStale() {
    let distance = Self.twin(at: BluetoothAddress(0xC605_0403_0299, .random)).distance
    #expect(distance.standing == .stale)
    #expect(distance.reason == "it is of the recorder C6:05:04:03:02:01")
  }

  @Test func withoutABannerNobodyKnowsWhetherItHolds() {
    #expect(Self.twin(banner: nil).distance.standing == .undated)
    #expect(Self.twin(Self.recorder { $0.firmware = nil }).distance.standing == .undated)
    #expect(Self.twin(banner: nil).distance.differences.count == 2)
  }

  @Test func aFileThatCannotBeReadIsMissing() {
    let texts = ["profile: reference\n", ""]
    for text in texts {
      let distance = MeasuredTwin(Self.address, "measured.yaml", banner: nil) {
        SourceFile(path: "measured.yaml", text: text)
      }.distance
      #expect(distance.standing == .missing, "\(text)")
    }
    let gone = MeasuredTwin(Self.address, "/nowhere/measured.yaml", banner: nil) {
      try SourceFile.read("/nowhere/measured.yaml")
    }.distance
    #expect(gone.standing == .missing)
    #expect(gone.reason?.contains("/nowhere/measured.yaml") == true)
  }

  @Test func aScenarioDependsOnTheFigureThatEndsItOtherwise() throws {
    var twin = Self.twin()
    let usual = ProbedConstant.keepAlive.value(of: .reference)
    twin.findDependents(among: try Self.scenarios(["a", "b", "c"]), RunSettings(), until: { false }) {
      scenario, settings in
      let isShort = ProbedConstant.keepAlive.value(of: settings.profile) < usual
      let isSlow = ProbedConstant.advertisingInterval.value(of: settings.profile) > 150_000_000
      switch scenario.id {
      case "a": return isShort ? .failed : .passed
      // Neither figure alone does it.
      case "b": return isShort && isSlow ? .failed : .passed
      default: return .passed
      }
    }
    #expect(twin.distance.scenarios == ["a", "b"])
    #expect(twin.distance.differences.map(\.scenarios) == [[], ["a"]])
  }

  @Test func nothingIsRunForARecorderLikeItsTwin() throws {
    var twin = Self.twin(Self.recorder { $0.figures = [:] })
    twin.findDependents(among: try Self.scenarios(["a"]), RunSettings(), until: { false }) { _, _ in
      Issue.record("a scenario was run")
      return .passed
    }
    #expect(twin.distance.differences == [])
  }

  private static func scenarios(_ ids: [String]) throws -> [Scenario] {
    let files = ids.map { id in
      SourceFile(path: "\(id).yaml", text: "scenario: \(id)\nid: \(id)\nsteps:\n  - device: {press: 2 s}\n")
    }
    let library = ScenarioLibrary(files: files, vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    try #require(library.scenarios.count == ids.count)
    return library.scenarios
  }
}
