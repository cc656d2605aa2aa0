import Controllers
import ScenarioLanguage

/// `bursts: {begin: 1 %, end: 20 %}`: loss in bursts, each packet another step of a chain with two states.
struct BurstPlan: FieldGroupValue {
  static let begin = Field<Share>("begin", "Chance that a burst begins with the next packet.")
    .limited(to: Share(millionths: 1)...Share(percent: 100))
  static let end = Field<Share>("end", "Chance that the burst ends with the next packet.", default: Share(percent: 20))
    .limited(to: Share(millionths: 1)...Share(percent: 100))
  static let lost = Field<Share>("lost", "Share of packets that are lost in a burst.", default: Share(percent: 100))
    .limited(to: Share(millionths: 1)...Share(percent: 100))
  static var group: FieldGroup { FieldGroup([begin, end, lost], shorthand: begin) }

  /// The same in the words of the air.
  let loss: BurstLoss

  init(_ arguments: Arguments) {
    loss = BurstLoss(
      beginPartsPerMillion: UInt32(clamping: arguments[Self.begin].millionths),
      endPartsPerMillion: UInt32(clamping: arguments[Self.end].millionths),
      lossPartsPerMillion: UInt32(clamping: arguments[Self.lost].millionths))
  }
}

/// `interference: {every: 20 ms, for: 10 ms, corrupted: 90 %}`: something that comes and goes.
struct InterferencePlan: FieldGroupValue {
  static let every = Field<Duration>(
    "every", "Period; a microwave oven's is one cycle of the mains.",
    default: .milliseconds(20)
  ).limited(to: Duration.milliseconds(1)...Duration.seconds(3_600))
  static let span = Field<Duration>("for", "How long it lasts in each period.", default: .milliseconds(10))
    .limited(to: Duration.microseconds(1)...Duration.seconds(3_600))
  static let corrupted = Field<Share>(
    "corrupted", "Share of packets that are received with a wrong CRC while it lasts.", default: Share(percent: 90)
  ).limited(to: Share(millionths: 1)...Share(percent: 100))
  static let rules = [FieldRule.bounded(by: every, span)]
  static var group: FieldGroup { FieldGroup([every, span, corrupted], rules: rules) }

  /// The same in the words of the air.
  let pattern: Interference

  init(_ arguments: Arguments) {
    pattern = Interference(
      period: arguments[Self.every], onTime: arguments[Self.span],
      corruptionPartsPerMillion: UInt32(clamping: arguments[Self.corrupted].millionths))
  }
}

/// `blackouts: [{after: 5 s, for: 2 s}]`: a time in which nothing gets through.
struct BlackoutPlan: FieldGroupValue {
  static let after = Field<Duration>(
    "after", "When it begins, measured from the start of the scenario.", default: .zero)
  static let span = Field<Duration>("for", "How long it lasts.")
    .limited(to: Duration.milliseconds(1)...Duration.seconds(86_400))
  static var group: FieldGroup { FieldGroup([after, span], shorthand: span) }

  let after: Duration
  let span: Duration

  init(_ arguments: Arguments) {
    after = arguments[Self.after]
    span = arguments[Self.span]
  }
}
