import Bytes
import Search
import Text
import Timeline

/// What `turning-point` tells of its result.
struct TurningPointScreen {
  /// Characters of the longest bar.
  private static let barLength = 20

  let draws: Int

  /// The answer, then the chance of failure at every event where it was measured.
  func lines(_ result: TurningPoint.Result) -> [String] {
    var lines = [answer(result)]
    for measurement in result.measurements {
      let length = Self.barLength * measurement.failures / draws
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

  private func answer(_ result: TurningPoint.Result) -> String {
    if result.isLostFromTheBeginning { return "lost from the beginning on: every future fails" }
    let (before, after) = (result.before, result.after)
    let answer = isBeyondChance(before, after) ? "lost at" : "never lost: no event changed much, the most at"
    return "\(answer) \(after.moment.instant.milliseconds) s, \(PlainText.escaped(after.moment.words)): "
      + "the chance of failure rose from \(percent(before)) to \(percent(after))"
  }

  /// Whether the chance rose by more than three standard errors of the difference. Two are not enough for the highest rise of
  /// many events.
  private func isBeyondChance(_ before: TurningPoint.Measurement, _ after: TurningPoint.Measurement) -> Bool {
    func variance(_ failures: Int) -> Int { failures * (draws - failures) }
    let rise = after.failures - before.failures
    return rise > 0 && rise * rise * draws > 9 * (variance(before.failures) + variance(after.failures))
  }

  /// The result as an object, for `--format json`.
  func document(_ run: FailedRun, _ result: TurningPoint.Result, of scenario: String) -> JSONValue {
    .object([
      "scenario": .string(scenario), "reason": .string(run.reason), "draws": .integer(draws),
      "before": value(result.before), "lost": value(result.after),
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
    "\((measurement.failures * 100 + draws / 2) / draws) %"
  }
}
