/// How far a recorder of a bench was from a simulated one when it was measured, as far as a run can tell.
package struct TwinDistance: Hashable, Sendable, Codable {
  /// Whether what was measured holds for the recorder on the bench.
  package enum Standing: String, Hashable, Sendable, Codable {
    /// The recorder booted with the banner with which it was measured.
    case current
    /// No banner tells whether the recorder runs the firmware that was measured.
    case undated
    /// Another recorder was measured, or another firmware.
    case stale
    /// The file cannot be read.
    case missing
  }

  /// A measured figure that differs beyond its spread.
  package struct Difference: Hashable, Sendable, Codable {
    /// Its name, such as `keep-alive`.
    package var name: String
    /// What was measured, with its unit.
    package var measured: String
    /// How far the true figure may be away, with its unit.
    package var spread: String
    /// What the simulated recorder has, with its unit.
    package var twin: String
    /// By how many per cent of the twin's figure the measured one is larger; `nil` where the twin has none.
    package var percent: Double?
    /// Scenarios that end otherwise with a simulated recorder that has this figure, and is like the twin in all others.
    package var scenarios: [String]

    package init(name: String, measured: String, spread: String, twin: String, percent: Double?) {
      self.name = name
      self.measured = measured
      self.spread = spread
      self.twin = twin
      self.percent = percent
      scenarios = []
    }
  }

  /// The recorder's address.
  package var recorder: String
  /// The file of the measured profile.
  package var file: String
  /// The simulated recorder with which it is compared; `nil` where the file does not tell.
  package var twin: String?
  /// Whether what was measured holds.
  package var standing: Standing
  /// Why it does not, or cannot be told; `nil` for nothing.
  package var reason: String?
  /// Figures that differ; none where the file is missing or stale.
  package var differences: [Difference] = []
  /// What else differs, one phrase each: attributes and advertising data.
  package var others: [String] = []
  /// Scenarios of the run that end otherwise with a simulated recorder like the measured one.
  package var scenarios: [String] = []

  package init(recorder: String, file: String, twin: String?, standing: Standing, reason: String?) {
    self.recorder = recorder
    self.file = file
    self.twin = twin
    self.standing = standing
    self.reason = reason
  }
}
