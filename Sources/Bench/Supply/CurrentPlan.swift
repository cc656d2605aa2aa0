import ScenarioLanguage
import YAML

/// `current: {above: 2000, within: 2 s}`: what a supply's current tells of a recorder.
package struct CurrentPlan: FieldGroupValue {
  static let aboveField = Field<Int>("above", "Microamperes that only a recorder that is on draws.")
    .limited(to: 1...1_000_000)
  static let withinField = Field<Duration>(
    "within", "In this time, one reading at least of a recorder that is on is above.", default: .seconds(2)
  ).limited(to: Duration.milliseconds(100)...Duration.seconds(60))
  static let errorField = Field<Int>(
    "error", "Microamperes by which a reading may be wrong, its last digit included.", default: 0
  ).limited(to: 0...1_000_000)
  static let lagField = Field<Duration>(
    "lag", "How old what a reading shows may be.", default: .milliseconds(300)
  ).limited(to: Duration.zero...Duration.seconds(10))
  package static var group: FieldGroup { FieldGroup([aboveField, withinField, errorField, lagField]) }

  /// Microamperes that only a recorder that is on draws.
  let above: Int
  /// The time in which one reading at least shows them.
  let within: Duration
  /// Microamperes by which a reading may be wrong.
  let error: Int
  /// How old what a reading shows may be.
  let lag: Duration

  init(above: Int, within: Duration, error: Int = 0, lag: Duration) {
    self.above = above
    self.within = within
    self.error = error
    self.lag = lag
  }

  package init(_ arguments: Arguments) {
    self.init(
      above: arguments[Self.aboveField], within: arguments[Self.withinField], error: arguments[Self.errorField],
      lag: arguments[Self.lagField])
  }
}
