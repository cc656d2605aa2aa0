/// One row about a bench session: what an operator did, or how far a run of the session was at an instant.
package struct SessionEntry: Hashable, Sendable {
  /// What happened.
  package enum Deed: String, Hashable, Sendable {
    /// The operator began the session.
    case start
    /// The operator left the bench for a while.
    case pause
    /// The operator came back.
    case resume
    /// The operator ended the session.
    case end
    /// A run began.
    case runBegins = "run-begins"
    /// A run is under way.
    case beat
    /// A run ended.
    case runEnds = "run-ends"
  }

  /// The name of the session.
  package var session: String
  /// What happened.
  package var deed: Deed
  /// Who did it.
  package var operatorName: String
  /// The bench's name; `nil` without one.
  package var bench: String?
  /// Microseconds since 1970 by the machine's clock, from 0 to ``limit``.
  package var written: Int64
  /// How far a run was; `nil` for what an operator did.
  package var beat: SessionBeat?

  package init(
    _ deed: Deed, of session: String, by operatorName: String, on bench: String? = nil, at written: Int64,
    _ beat: SessionBeat? = nil
  ) {
    self.session = session
    self.deed = deed
    self.operatorName = operatorName
    self.bench = bench
    self.written = written
    self.beat = beat
  }

  /// The greatest number of microseconds that an entry may state.
  package static let limit: Int64 = 1 << 53
}

/// How far a run is that belongs to a bench session. All times are counted since the run's process began it, by a clock
/// that never goes back.
package struct SessionBeat: Hashable, Sendable {
  /// Which process writes: the run's name, and a number that no other process has.
  package var stream: String
  /// The number of the beat, from 0.
  package var number: Int64
  /// Microseconds since the run began, from 0 to ``SessionEntry/limit``.
  package var elapsed: Int64
  /// Microseconds during which at least one scenario was under way.
  package var scenarios: Int64
  /// Microseconds during which the run held recorders' buttons, by the clock of the scenarios.
  package var recordings: Int64

  package init(stream: String, number: Int64, elapsed: Int64, scenarios: Int64, recordings: Int64) {
    self.stream = stream
    self.number = number
    self.elapsed = elapsed
    self.scenarios = scenarios
    self.recordings = recordings
  }
}
