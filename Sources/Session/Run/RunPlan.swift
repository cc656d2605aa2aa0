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
  /// The numbers of the repetitions where they are chosen singly, from 0; empty for all from the first one on.
  package var chosenTurns: [Int] = []
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

  /// The number of the repetition that begins after `begun` others, from 0; its seed depends on it.
  package func turn(after begun: Int) -> Int { chosenTurns.isEmpty ? firstTurn + begun : chosenTurns[begun] }

  /// What the firmware is called where neither an image nor a profile says it; `nil` otherwise.
  package var firmwareName: String?

  /// What the run is about, by which runs of the same are found again: the firmware, and after `; ` each condition under
  /// which it can show something else than in a plain run.
  package var firmware: String { ([bareFirmware] + conditions).joined(separator: Self.conditionMark) }

  /// The condition of captures that contain keys and recordings.
  static let uncovered = "full captures"

  /// What stands before each condition.
  static let conditionMark = "; "

  private var bareFirmware: String {
    if let firmwareName { return firmwareName }
    if let imageDigest { return "image:\(imageDigest)" }
    guard target == .simulated else {
      let places = hardware.compactMap(\.place).joined(separator: ", ")
      return "\(target.rawValue):\(places.isEmpty ? "without a name" : places)"
    }
    return "profile:\(settings.profile.name)\(settings.faults.text.map { "+\($0)" } ?? "")"
  }

  private var conditions: [String] {
    var words = settings.program.conditions
    let isProfile = bareFirmware.hasPrefix("profile:")
    if !isProfile, let profileName, settings.profile != .reference {
      words.append("profile \(profileName)")
    }
    if !isProfile, let faults = settings.faults.text { words.append("faults \(faults)") }
    if settings.phone != .reference { words.append("phone \(settings.phone.rawValue)") }
    // Hashes of traces with keys and recordings are others.
    if settings.isUncovered { words.append(Self.uncovered) }
    return words
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
