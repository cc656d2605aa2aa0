/// Whom a requirement, an expectation or a verdict judges.
///
/// A run against real hardware plays the phone itself, so what judges only the phone is no evidence about the recorder.
public enum JudgedParty: String, Hashable, Sendable, CaseIterable, Codable {
  /// The recorder alone.
  case recorder
  /// The phone alone.
  case phone
  /// Both together: either may be the cause.
  case pair
  /// This harness: requirements `HIL-…`.
  case harness
}
