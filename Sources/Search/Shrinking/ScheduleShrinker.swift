/// Makes a schedule that fails as small and simple as it can be while it still fails for the same reason.
package struct ScheduleShrinker {
  /// Whether a schedule fails for the same reason; `nil` where it was not tried to the end.
  private let fails: (Schedule) -> Bool?
  private let scope: ScheduleScope
  private var known: [Schedule: Bool] = [:]
  /// How many schedules were tried.
  package private(set) var trials = 0

  package init(for scope: ScheduleScope, where fails: @escaping (Schedule) -> Bool?) {
    self.scope = scope
    self.fails = fails
  }

  /// The smallest schedule: no action can be left out alone, and neither an action nor a setting can have a simpler value.
  /// Where the scope limits the trials, or schedules are not tried any more, it is the smallest that was found until then.
  package mutating func smallest(_ schedule: Schedule) -> Schedule {
    var current = schedule
    while true {
      let before = current
      simplifySettings(&current)
      current.actions = actions(of: current)
      simplifyValues(&current)
      if current == before { return current }
    }
  }

  private mutating func holds(_ schedule: Schedule) -> Bool {
    if let result = known[schedule] { return result }
    if let limit = scope.trialLimit, trials >= limit { return false }
    guard let result = fails(schedule) else { return false }
    trials += 1
    known[schedule] = result
    return result
  }

  private mutating func actions(of schedule: Schedule) -> [Schedule.Action] {
    DeltaDebugging.minimum(of: schedule.actions) { actions in
      var candidate = schedule
      candidate.actions = actions
      return holds(candidate)
    }
  }

  private mutating func simplifySettings(_ schedule: inout Schedule) {
    let simplest = scope.settings
    if schedule.settings != simplest {
      var candidate = schedule
      candidate.settings = simplest
      if holds(candidate) {
        schedule = candidate
        return
      }
    }
    for number in schedule.settings.indices where schedule.settings[number] != simplest[number] {
      let value = simplestValue(schedule.settings[number]) { value in
        var candidate = schedule
        candidate.settings[number] = value
        return candidate
      }
      schedule.settings[number] = value
    }
  }

  private mutating func simplifyValues(_ schedule: inout Schedule) {
    for place in schedule.actions.indices {
      let value = simplestValue(schedule.actions[place].choice) { value in
        var candidate = schedule
        candidate.actions[place].choice = value
        return candidate
      }
      schedule.actions[place].choice = value
    }
  }

  /// The first of the values, simplest first, with which the schedule still fails.
  private mutating func simplestValue(_ value: Int, _ candidate: (Int) -> Schedule) -> Int {
    (0..<value).first { holds(candidate($0)) } ?? value
  }
}
