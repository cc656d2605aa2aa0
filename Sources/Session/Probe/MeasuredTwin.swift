import Bench
import Bytes
import Probe
import Recorder
import Runner
import ScenarioLanguage
import Text
import Verdicts
import YAML

/// A recorder of a bench that was measured before, and how far it was from its twin.
package struct MeasuredTwin: Sendable {
  /// The distance, as reports tell it.
  package private(set) var distance: TwinDistance
  /// What was measured; `nil` where it cannot be used.
  private let measured: (recorder: MeasuredRecorder, twin: RecorderProfile)?

  /// Every recorder of a bench for which its file names a measured profile, in the order of the bench file.
  package static func all(on target: HardwareTarget) -> [MeasuredTwin] {
    target.recorders.compactMap { place in
      place.measuredProfile.map { file in
        MeasuredTwin(place.address, file, banner: target.bootBanner(of: place.address)) { try SourceFile.read(file) }
      }
    }
  }

  /// A recorder that boots with this banner, as far as it was heard.
  init(_ address: BluetoothAddress, _ file: String, banner: String?, read: () throws -> SourceFile) {
    func unusable(_ standing: TwinDistance.Standing, _ twin: String?, _ reason: String) -> TwinDistance {
      TwinDistance(recorder: "\(address)", file: file, twin: twin, standing: standing, reason: reason)
    }
    let recorder: MeasuredRecorder
    do { recorder = try MeasuredRecorder(try read()) } catch {
      (distance, measured) = (unusable(.missing, nil, "\(error)"), nil)
      return
    }
    guard recorder.address.value == address.value, let twin = RecorderProfile.named(recorder.twin) else {
      (distance, measured) = (unusable(.stale, recorder.twin, "it is of the recorder \(recorder.address)"), nil)
      return
    }
    if let firmware = recorder.firmware, let banner, firmware != banner {
      let words = "it was measured with `\(firmware)`, and the recorder now boots with `\(banner)`"
      (distance, measured) = (unusable(.stale, recorder.twin, PlainText.escaped(words, limit: 400)), nil)
      return
    }
    let doubt =
      recorder.firmware == nil
      ? "the file does not tell which firmware was measured"
      : banner == nil ? "no boot banner told which firmware the recorder runs" : nil
    distance = TwinDistance(
      recorder: "\(address)", file: file, twin: twin.name, standing: doubt == nil ? .current : .undated, reason: doubt)
    let found = Probe.Distance(of: recorder, from: twin)
    distance.differences = found.differences.map { TwinDistance.Difference($0) }
    distance.others = found.phrases
    measured = (recorder, twin)
  }

  /// Finds out which scenarios depend on what differs: they are run in a simulated world with the twin, and with a recorder
  /// like the measured one. Stops early when `isStopped`.
  package mutating func findDependents(
    among scenarios: [Scenario], _ settings: RunSettings, until isStopped: () -> Bool,
    ending: (Scenario, RunSettings) -> Verdict.Kind
  ) {
    guard let (recorder, twin) = measured, !distance.differences.isEmpty || !distance.others.isEmpty else { return }
    let found = Probe.Distance(of: recorder, from: twin)
    let single = found.differences.map { twin.with($0) }
    for scenario in scenarios where !isStopped() {
      func end(_ profile: RecorderProfile) -> Verdict.Kind {
        var settings = settings
        settings.profile = profile
        return ending(scenario, settings)
      }
      let usual = end(twin)
      guard end(recorder.profile(from: twin)) != usual else { continue }
      distance.scenarios.append(scenario.name)
      for (index, profile) in single.enumerated() where end(profile) != usual {
        distance.differences[index].scenarios.append(scenario.name)
      }
    }
  }
}

extension RecorderProfile {
  /// This recorder with one constant as it was measured.
  fileprivate func with(_ difference: Probe.Distance.Difference) -> RecorderProfile {
    var profile = self
    profile.name = MeasuredRecorder.profileName
    difference.constant.set(difference.measured.value, in: &profile)
    return profile
  }
}

extension TwinDistance.Difference {
  /// A difference in words.
  fileprivate init(_ difference: Probe.Distance.Difference) {
    let (unit, figure) = (difference.measured.unit, difference.measured)
    // A tenth of a per cent is as exact as anybody needs.
    let share = Double(figure.value - difference.twin) / Double(difference.twin) * 1_000
    self.init(
      name: difference.constant.rawValue, measured: unit.text(figure.value), spread: unit.text(figure.spread),
      twin: unit.text(difference.twin), percent: difference.twin == 0 ? nil : share.rounded() / 10)
  }
}
