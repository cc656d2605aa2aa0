import Bench
import Verdicts
import Runner

/// What a run is asked to do, apart from which scenarios and where its reports go.
package struct RunPlan: Sendable {
  /// What is under test.
  package var target = TargetKind.simulated
  /// The firmware image that simulated chips execute: file, digest and board; `nil` for none.
  package var image: String?
  /// The SHA-256 of that image, as hexadecimal digits; `nil` for none.
  package var imageDigest: String?
  /// The settings that every scenario shares.
  package var settings = RunSettings()
  /// How many scenarios run at a time; a bench takes one.
  package var jobs = 1
  /// The highest number of repetitions.
  package var repetitions = 1
  /// The number of the first repetition, from 0: a run may go on where another one ended.
  package var firstTurn = 0
  /// No repetition begins after this much time; `nil` for no limit.
  package var span: Duration?
  /// Whether nothing more begins after a device has failed.
  package var stopsAtFailure = false
  /// How many times a scenario that did not pass is tried again.
  package var retries = 0
  /// Whether a requirement that was not shown makes the run outstanding.
  package var requiresAll = false

  /// The part of a larger selection that is run; `nil` if it is unknown.
  package var part: RunReport.Part?
  /// The place of each scenario in the whole selection; empty where they are the whole.
  package var places: [Int] = []

  /// Benches besides that of the settings, over which the scenarios are spread.
  package var furtherBenches: [FurtherBench] = []

  package init() {}

  /// The benches with real recorders; empty for any other run.
  package var hardware: [HardwareTarget] {
    (settings.hardware.map { [$0] } ?? []) + furtherBenches.map(\.target)
  }

  /// Whether the report counts repetitions.
  package var isRepeated: Bool { repetitions > 1 || span != nil }

  /// What the firmware is called where neither an image nor a profile says it; `nil` otherwise.
  package var firmwareName: String?

  /// The firmware under test, by which runs of the same firmware are found again.
  package var firmware: String {
    if let firmwareName { return firmwareName }
    if let imageDigest { return "image:\(imageDigest)" }
    guard target == .simulated else {
      let places = hardware.compactMap(\.place).joined(separator: ", ")
      return "\(target.rawValue):\(places.isEmpty ? "without a name" : places)"
    }
    let faults = settings.faults.map { "+\($0.text)" }.joined()
    return "profile:\(settings.profile.name)\(faults)"
  }

  /// The name of the simulated firmware; `nil` for a real recorder.
  package var profileName: String? { target == .hardware ? nil : settings.profile.name }
}

/// A bench besides the first one over which the scenarios of a run are spread.
package struct FurtherBench: Sendable {
  /// What stands on it.
  package let target: HardwareTarget
  /// The options of the command line that name it.
  package let options: [String]

  /// A bench that `options` name.
  package init(_ target: HardwareTarget, options: [String]) {
    self.target = target
    self.options = options
  }
}
