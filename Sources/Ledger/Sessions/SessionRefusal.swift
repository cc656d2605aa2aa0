import Text

/// Why something cannot be done with a bench session, in one sentence.
package enum SessionRefusal: Hashable, Sendable, CustomStringConvertible {
  /// The text is not a name for a session.
  case name(String)
  /// No session has this name; those that are there.
  case unknown(String, known: [String])
  /// A session of this name exists.
  case taken(String)
  /// The bench has an open session.
  case open(BenchSession)
  /// The session stands where this cannot be done, such as `pause` while it is paused.
  case standing(BenchSession, deed: String)
  /// The session belongs to another bench than the run.
  case otherBench(BenchSession, run: String?)
  /// No session is open; on the bench, where one is named.
  case noneOpen(bench: String?)
  /// Several sessions are open.
  case severalOpen([String])

  package var description: String {
    switch self {
    case .name(let text):
      return
        "a bench session is named with up to 64 letters, digits, \".\", \"_\" and \"-\", not \"\(Self.plain(text))\""
    case .unknown(let id, let known):
      let near = Spelling.nearest(to: id, among: known).map { "; did you mean \(Self.plain($0))?" } ?? ""
      return "no bench session is named \(Self.plain(id))\(near)"
    case .taken(let id): return "a bench session \(Self.plain(id)) exists already; give this one another name"
    case .open(let session):
      return "\(Self.place(session.bench)) has the open session \(session.title); end it first"
    case .standing(let session, let deed):
      return "the bench session \(session.title) cannot \(deed): it \(session.state.words)"
    case .otherBench(let session, let run):
      return
        "the bench session \(session.title) is on \(Self.place(session.bench)), but the run is on \(Self.place(run))"
    case .noneOpen(let bench):
      let place = bench.map { " on \(Self.place($0))" } ?? ""
      return "no bench session is open\(place); begin one with `dictobench session start`"
    case .severalOpen(let ids):
      let names = ids.prefix(5).map(Self.plain) + (ids.count > 5 ? ["\(ids.count - 5) more"] : [])
      return "several bench sessions are open: \(Wording.list(names, "and")); choose one with --session"
    }
  }

  private static func place(_ bench: String?) -> String { bench.map { "bench \(plain($0))" } ?? "no bench" }

  private static func plain(_ text: String) -> String { PlainText.escaped(text, limit: 80) }
}

extension BenchSession {
  /// Its name and its operator's.
  package var title: String { PlainText.escaped("\(id) of \(operatorName)", limit: 160) }
}

extension BenchSession.State {
  fileprivate var words: String {
    switch self {
    case .running: "is running"
    case .paused: "is paused"
    case .ended: "has ended"
    }
  }
}
