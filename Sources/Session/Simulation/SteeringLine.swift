import Bytes
import Requirements
import Timeline
import Verdicts

/// The lines that the control socket of a simulation sends: answers to orders, events, and violations.
package enum SteeringLine {
  /// The name of their schema.
  package static let schema = "simulation"
  /// Version of the lines; it changes when a member is taken away or changes its meaning.
  package static let schemaVersion = 1

  /// The answer to an order.
  static func answer(_ answer: SteeringDesk.Answer) -> String {
    switch answer {
    case .done(let findings): line([("ok", .boolean(true))] + findings)
    case .refused(let reason): line([("ok", .boolean(false)), ("error", .string(reason))])
    }
  }

  /// Something that happened; `nil` for what happens too often to be told one by one.
  static func event(_ event: ProductEvent) -> String? {
    event.reported.map { line([("event", $0.json), ("virtualSeconds", seconds(event.instant))]) }
  }

  /// A requirement was violated.
  static func violation(_ violation: MonitorViolation) -> String {
    line([
      (
        "violation",
        .object([
          ("requirement", .string(violation.requirement)), ("judges", .string(violation.judges.rawValue)),
          ("reason", .string(violation.reason)),
        ])
      ), ("virtualSeconds", seconds(violation.instant)),
    ])
  }

  private static func seconds(_ instant: Instant) -> JSONValue { .seconds(Instant.zero.duration(to: instant)) }

  private static func line(_ members: [(String, JSONValue)]) -> String {
    JSONValue.object([("schemaVersion", .integer(schemaVersion)), ("schema", .string(schema))] + members).text
  }
}
