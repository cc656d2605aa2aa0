import Runner
import Timeline

/// An event of a run that failed.
package struct RunMoment: Hashable, Sendable {
  /// How many events there were up to it, itself included; 0 for the beginning.
  package let events: Int
  /// When it happened.
  package let instant: Instant
  /// What happened, as a person would tell it.
  package let words: String

  package init(events: Int, at instant: Instant, _ words: String) {
    self.events = events
    self.instant = instant
    self.words = words
  }
}

/// How a run failed, and the events that it had until then.
package struct FailedRun: Sendable {
  /// Why, in one sentence.
  package var reason: String
  /// The beginning, then every event in order.
  package var moments: [RunMoment]

  package init(reason: String, moments: [RunMoment]) {
    self.reason = reason
    self.moments = moments
  }
}

/// Runs a scenario again with other futures. Tests put a scripted one in the place of ``SimulatedFutures``.
package protocol FutureTrials: Sendable {
  /// Whether the run fails whose chance falls otherwise after a number of events; `number` chooses the future.
  func fails(after events: Int, number: UInt64) -> Bool
}

/// Finds where a failed run was lost: the event with which the chance of failure rose most.
///
/// The chance after an event is the share of failures among runs that are the same up to it and draw their future again. It is
/// measured at a few events first; then the half with the higher rise is halved, until two events that follow each other
/// remain.
package struct TurningPoint {
  /// The chance of failure after an event.
  package struct Measurement: Hashable, Sendable {
    /// The event.
    package let moment: RunMoment
    /// How many of the runs failed.
    package let failures: Int
  }

  /// What was found.
  package struct Result: Sendable {
    /// Every event at which the chance was measured, in order.
    package let measurements: [Measurement]
    /// The last event before the turning point; the turning point itself where that is the beginning.
    package let before: Measurement
    /// The turning point, the next event after it.
    package let after: Measurement
    /// Runs for each measurement.
    package let draws: Int
    /// Whether every future fails, so that chance decides nothing.
    package var isLostFromTheBeginning: Bool { before == after }
    /// Whether the run was lost there: the chance rose by more than three standard errors of the difference, or had not to rise.
    /// Two are not enough for the highest rise of many events.
    package var isTurningPoint: Bool {
      func variance(_ failures: Int) -> Int { failures * (draws - failures) }
      let rise = after.failures - before.failures
      let isBeyondChance = rise * rise * draws > 9 * (variance(before.failures) + variance(after.failures))
      return isLostFromTheBeginning || rise > 0 && isBeyondChance
    }
  }

  /// Events at which the chance is measured before anything is halved, beside the last one.
  static let gridCount = 12

  private let trials: any FutureTrials
  private let draws: Int
  private let jobs: Int

  /// A search with `draws` runs for each event, `jobs` of them at a time.
  package init(_ trials: any FutureTrials, draws: Int, jobs: Int) {
    precondition(draws > 0 && jobs > 0, "a chance needs runs")
    self.trials = trials
    self.draws = draws
    self.jobs = jobs
  }

  /// Searches the events of a run that failed; `tell` gets every measurement as it is made. Where every future
  /// fails, the turning point is the beginning, which has nothing before it. `nil` where chance decides although nothing was
  /// told but the beginning.
  package func search(_ run: FailedRun, _ tell: (Measurement) -> Void) -> Result? {
    let moments = run.moments
    var measured: [Int: Measurement] = [:]
    func measure(_ place: Int) -> Measurement {
      if let known = measured[place] { return known }
      let measurement = Measurement(moment: moments[place], failures: failures(after: moments[place].events))
      measured[place] = measurement
      tell(measurement)
      return measurement
    }
    let beginning = measure(0)
    if beginning.failures == draws {
      return Result(measurements: [beginning], before: beginning, after: beginning, draws: draws)
    }
    guard moments.count > 1 else { return nil }
    let last = moments.count - 1
    let step = max(1, (last + Self.gridCount - 1) / Self.gridCount)
    let grid = Array(stride(from: 0, to: last, by: step)) + [last]
    for place in grid { _ = measure(place) }
    func rise(_ first: Int, _ second: Int) -> Int { measure(second).failures - measure(first).failures }
    var (low, high) = (grid[0], grid[1])
    // Of equal rises the later one is closer to what was seen to fail.
    for (first, second) in zip(grid, grid.dropFirst()) where rise(first, second) >= rise(low, high) {
      (low, high) = (first, second)
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if rise(low, middle) > rise(middle, high) { high = middle } else { low = middle }
    }
    let ordered = moments.indices.compactMap { measured[$0] }
    return Result(measurements: ordered, before: measure(low), after: measure(high), draws: draws)
  }

  private func failures(after events: Int) -> Int {
    let outcomes = ParallelRuns(jobs: jobs).run(draws) { [trials] index in
      trials.fails(after: events, number: UInt64(index) + 1)
    }
    return outcomes.count { $0 == true }
  }
}
