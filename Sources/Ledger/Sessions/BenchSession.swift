/// The time that an operator spent at a bench, told apart from the time in which scenarios ran and recorders recorded.
///
/// ```
///          pause            end
/// running ───────▶ paused ───────▶ ended
///    ▲  ▲ resume     │                ▲
///    │  └────────────┘                │
///  start                    end ──────┘
/// ```
///
/// It is a machine over the entries of the ledger, in the order in which they were committed. Between two entries of one
/// process counts what that process measured. Between all others counts the machine's clock, except where
/// - it was set back: then nothing counts, and it goes on from there;
/// - the last entry is that of a run which neither ended nor wrote for longer than ``patience``: its process died, and the
///   session goes on where that entry was;
/// - more than ``longestGap`` passed: the clock was set, or nobody ended the session.
///
/// An entry that was taken already, and one that cannot happen, changes nothing.
package struct BenchSession: Hashable, Sendable {
  /// Where a session stands.
  package enum State: String, Hashable, Sendable {
    /// The operator is at the bench.
    case running
    /// The operator is away. Nothing counts.
    case paused
    /// The operator ended it. Nothing counts any more.
    case ended
  }

  /// The times of one session, or of several.
  package struct Times: Hashable, Sendable {
    /// The time during which the session was not paused.
    package var session = Duration.zero
    /// The time during which runs had scenarios under way. Two runs at the same time both count.
    package var scenarios = Duration.zero
    /// The time during which recorders recorded, by the clock of the scenarios.
    package var recordings = Duration.zero

    package init() {}

    /// Both together.
    package static func + (left: Times, right: Times) -> Times {
      var sum = left
      sum.session += right.session
      sum.scenarios += right.scenarios
      sum.recordings += right.recordings
      return sum
    }
  }

  /// A run that is under way writes at least this often: every five seconds.
  package static let longestBeat = Duration.seconds(5)
  /// A run that did not write for this long was killed.
  static let patience = Duration.seconds(45)
  /// The longest time between two entries that an operator can spend at a bench.
  static let longestGap = Duration.seconds(86_400)

  /// Its name.
  package let id: String
  /// Who began it.
  package let operatorName: String
  /// The bench's name; `nil` without one.
  package let bench: String?
  /// Microseconds since 1970 at which it was begun, by the machine's clock.
  package let started: Int64
  /// Where it stands.
  package private(set) var state = State.running
  /// What counts so far.
  package private(set) var times = Times()
  /// How many times a run was begun in it, or went on after it was killed.
  package var runs: Int { streams.count }

  private var lastWritten: Int64
  /// The stream of the last entry, where its run goes on.
  private var lastStream: String?
  private var streams: [String: Stream] = [:]

  private struct Stream: Hashable {
    var beat: SessionBeat
    var hasEnded = false
  }

  /// A session that `entry` begins; `nil` where the entry begins none.
  package init?(_ entry: SessionEntry) {
    guard entry.deed == .start else { return nil }
    id = entry.session
    operatorName = entry.operatorName
    bench = entry.bench
    started = entry.written
    lastWritten = entry.written
  }

  /// Takes the next entry.
  package mutating func take(_ entry: SessionEntry) {
    guard entry.session == id, state != .ended, isPossible(entry) else { return }
    if state == .running { times.session += span(to: entry) }
    lastWritten = entry.written
    lastStream = nil
    switch entry.deed {
    case .start: break
    case .pause: state = .paused
    case .resume: state = .running
    case .end: state = .ended
    case .runBegins, .beat, .runEnds: take(entry.beat, hasEnded: entry.deed == .runEnds)
    }
  }

  /// The session as it would be if something were written at `now`.
  package func seen(at now: Int64) -> BenchSession {
    var session = self
    if state == .running {
      session.times.session += span(to: SessionEntry(.end, of: id, by: operatorName, at: now))
    }
    return session
  }

  private mutating func take(_ beat: SessionBeat?, hasEnded: Bool) {
    guard let beat else { return }
    var known =
      streams[beat.stream]?.beat
      ?? SessionBeat(
        stream: beat.stream, number: 0, elapsed: 0, scenarios: 0, recordings: 0)
    if state == .running {
      times.scenarios += .microseconds(max(0, beat.scenarios - known.scenarios))
      times.recordings += .microseconds(max(0, beat.recordings - known.recordings))
    }
    known.number = beat.number
    known.elapsed = max(known.elapsed, beat.elapsed)
    known.scenarios = max(known.scenarios, beat.scenarios)
    known.recordings = max(known.recordings, beat.recordings)
    streams[beat.stream] = Stream(beat: known, hasEnded: hasEnded)
    lastStream = hasEnded ? nil : beat.stream
  }

  /// Whether an entry is new, and can follow those that were taken.
  private func isPossible(_ entry: SessionEntry) -> Bool {
    let stream = entry.beat.flatMap { streams[$0.stream] }
    switch entry.deed {
    case .start: return false
    case .pause: return state == .running
    case .resume: return state == .paused
    case .end: return true
    case .runBegins: return entry.beat != nil && stream == nil
    case .beat, .runEnds:
      guard let stream, let beat = entry.beat else { return false }
      return !stream.hasEnded && beat.number > stream.beat.number
    }
  }

  /// The time between the last entry and this one that counts.
  private func span(to entry: SessionEntry) -> Duration {
    if let beat = entry.beat, beat.stream == lastStream, let known = streams[beat.stream]?.beat {
      return .microseconds(max(0, beat.elapsed - known.elapsed))
    }
    let gap = Duration.microseconds(entry.written - lastWritten)
    return gap > .zero && gap <= (lastStream == nil ? Self.longestGap : Self.patience) ? gap : .zero
  }
}
