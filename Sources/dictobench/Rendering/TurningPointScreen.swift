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
    let (before, after) = (result.before, result.after)
    let words = PlainText.escaped(after.moment.words)
    let rise = "the chance of failure rose from \(percent(before)) to \(percent(after))"
    let answer = after.failures > before.failures ? "lost at" : "never lost: no event changed much, the most at"
    var lines = ["\(answer) \(after.moment.instant.milliseconds) s, \(words): \(rise)"]
    if result.isLostFromTheBeginning { lines = ["lost from the beginning on: every future fails"] }
    for measurement in result.measurements {
      let length = Self.barLength * measurement.failures / draws
      let bar = String(repeating: "█", count: length) + String(repeating: " ", count: Self.barLength - length)
      let mark = measurement.moment == after.moment ? "  ◀" : ""
      let share = percent(measurement)
      let padding = String(repeating: " ", count: 5 - share.count)
      lines.append(
        "  \(measurement.moment.instant.milliseconds) s  \(bar) \(padding)\(share)  "
          + PlainText.escaped(measurement.moment.words) + mark)
    }
    return lines
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
