import Bytes
import Search
import Text
import Timeline

/// What `turning-point` tells of its result.
struct TurningPointScreen {
  /// Characters of the longest bar.
  private static let barLength = 20

  let result: TurningPoint.Result

  /// The answer, then the chance of failure at every event where it was measured.
  var lines: [String] {
    var lines = [answer]
    for measurement in result.measurements {
      let length = Self.barLength * measurement.failures / result.draws
      let bar = String(repeating: "█", count: length) + String(repeating: " ", count: Self.barLength - length)
      let mark = measurement.moment == result.after.moment ? "  ◀" : ""
      let share = percent(measurement)
      let padding = String(repeating: " ", count: 5 - share.count)
      lines.append(
        "  \(measurement.moment.instant.milliseconds) s  \(bar) \(padding)\(share)  "
          + PlainText.escaped(measurement.moment.words) + mark)
    }
    return lines
  }

  private var answer: String {
    if result.isLostFromTheBeginning { return "lost from the beginning on: every future fails" }
    let (before, after) = (result.before, result.after)
    let answer = result.isTurningPoint ? "lost at" : "never lost: no event changed much, the most at"
    return "\(answer) \(after.moment.instant.milliseconds) s, \(PlainText.escaped(after.moment.words)): "
      + "the chance of failure rose from \(percent(before)) to \(percent(after))"
  }

  /// The result as an object, for `--format json`.
  func document(_ run: FailedRun, of scenario: String) -> JSONValue {
    .object([
      "scenario": .string(scenario), "reason": .string(run.reason), "draws": .integer(result.draws),
      "before": value(result.before), "lost": value(result.after), "isTurningPoint": .boolean(result.isTurningPoint),
      "measurements": .array(result.measurements.map(value)),
    ])
  }

  private func value(_ measurement: TurningPoint.Measurement) -> JSONValue {
    .object([
      "virtualSeconds": .seconds(Instant.zero.duration(to: measurement.moment.instant)),
      "words": .string(measurement.moment.words), "failures": .integer(measurement.failures),
    ])
  }

  private func percent(_ measurement: TurningPoint.Measurement) -> String {
    "\((measurement.failures * 100 + result.draws / 2) / result.draws) %"
  }
}
