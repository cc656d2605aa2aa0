import Bytes
import Ledger
import Reports
import Text

extension BenchSession {
  /// The session for people.
  var lines: [String] {
    ["\(heading), \(state.rawValue)", "  began \(began), \(Wording.count(runs, "run"))"] + times.lines
  }

  /// The session for scripts.
  var document: JSONValue {
    .object(
      [
        ("session", .string(id)), ("operator", .string(operatorName)), ("bench", .optional(bench)),
        ("started", .integer(Int(started))), ("state", .string(state.rawValue)), ("runs", .integer(runs)),
      ] + times.members)
  }

  /// The session on one line.
  fileprivate var line: String { "\(began)  \(heading)  \(state.rawValue)  \(times.line)" }

  private var heading: String { "session \(title)" + (bench.map { " on \($0)" } ?? "") }
  private var began: String { "\(UTCTime.text(started / 1_000_000))Z" }
}

/// Sessions, and what each operator's come to.
struct SessionList {
  private let sessions: [BenchSession]
  private let totals: [(operatorName: String, count: Int, times: BenchSession.Times)]

  /// The sessions of an operator, or of all.
  init(_ all: [BenchSession], of operatorName: String?) {
    sessions = all.filter { operatorName == nil || $0.operatorName == operatorName }
    totals = Dictionary(grouping: sessions, by: \.operatorName).sorted { $0.key < $1.key }.map { name, sessions in
      (name, sessions.count, sessions.map(\.times).reduce(BenchSession.Times(), +))
    }
  }

  /// The list for people.
  var lines: [String] {
    guard !sessions.isEmpty else { return ["no sessions"] }
    return sessions.map(\.line) + ["totals:"]
      + totals.map { "  \($0.operatorName)  \(Wording.count($0.count, "session"))  \($0.times.line)" }
  }

  /// The list for scripts.
  var document: JSONValue {
    .object([
      "sessions": .array(sessions.map(\.document)),
      "operators": .array(
        totals.map { total in
          .object(
            [("operator", .string(total.operatorName)), ("sessions", .integer(total.count))] + total.times.members)
        }),
    ])
  }
}

extension BenchSession.Times {
  fileprivate var named: [(name: String, time: Duration)] {
    [("session", session), ("scenario", scenarios), ("recording", recordings)]
  }

  fileprivate var lines: [String] { named.map { "  \($0.name) time: \(DurationText.text($0.time))" } }

  fileprivate var line: String { named.map { "\($0.name) \(DurationText.text($0.time))" }.joined(separator: ", ") }

  fileprivate var members: [(String, JSONValue)] { named.map { ("\($0.name)Seconds", .seconds($0.time)) } }
}
