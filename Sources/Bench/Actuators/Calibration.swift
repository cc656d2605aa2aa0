import ScenarioLanguage

/// What a recorder reports of its battery, and what is true at its terminals, in millivolts.
///
/// Its formula takes the converter's full scale for 3.3 V where it is 3.6 V, so it reports about 0.917 of the truth; the
/// divider before it is not known exactly. Scenarios and their expectations speak of what is reported.
/// Between two points the line through them holds, outside of them the distance at the nearest one.
struct Calibration: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    let reported: Int
    let actual: Int
  }

  let points: [Point]

  init(_ points: [CalibrationPoint]) {
    self.init(points.map { Point(reported: $0.reported, actual: $0.actual) })
  }

  init(_ points: [Point]) { self.points = points }

  /// What holds where nobody has measured: the two full scales, and a divider of two equal resistors.
  static let nominal = Calibration([Point(reported: 0, actual: 0), Point(reported: 5_500, actual: 6_000)])

  /// Whether the points rise, so that both ways have one answer each.
  static func isOrdered(_ points: [Point]) -> Bool {
    points.count != 1
      && zip(points, points.dropFirst()).allSatisfy { $0.reported < $1.reported && $0.actual < $1.actual }
  }

  /// What is true when the recorder reports this.
  func actual(reported: Int) -> Int { Self.interpolate(reported, points.map { ($0.reported, $0.actual) }) }

  /// What the recorder reports when this is true.
  func reported(actual: Int) -> Int { Self.interpolate(actual, points.map { ($0.actual, $0.reported) }) }

  private static func interpolate(_ value: Int, _ points: [(from: Int, to: Int)]) -> Int {
    guard let first = points.first, let last = points.last else { return value }
    if value <= first.from { return value + first.to - first.from }
    if value >= last.from { return value + last.to - last.from }
    let above = points.firstIndex { $0.from >= value } ?? points.count - 1
    let (low, high) = (points[above - 1], points[above])
    let (part, whole) = ((value - low.from) * (high.to - low.to), high.from - low.from)
    return low.to + (part + whole / 2) / whole
  }
}

/// `{reported: 3.67 V, true: 4.00 V}`
package struct CalibrationPoint: FieldGroupValue {
  static let reportedField = Field<Voltage>(
    "reported", "The voltage by the recorder's own formula, which scenarios state.")
  static let trueField = Field<Voltage>(
    "true", "The voltage at the recorder's terminals at that moment, as the supply measures it.")
  package static var group: FieldGroup { FieldGroup([reportedField, trueField]) }

  let reported: Int
  let actual: Int

  package init(_ arguments: Arguments) {
    reported = arguments[Self.reportedField].millivolts
    actual = arguments[Self.trueField].millivolts
  }
}
