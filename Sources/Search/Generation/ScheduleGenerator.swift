import Timeline

/// Draws schedules: new ones, and changes of those that reached something.
package struct ScheduleGenerator {
  private let choices: ChoiceStream
  private let scope: ScheduleScope
  private let kinds: [[Int]]

  /// A generator whose every choice comes from this sequence.
  package init(_ choices: ChoiceStream, for scope: ScheduleScope) {
    self.choices = choices
    self.scope = scope
    kinds = Perturbation.allCases.map { perturbation in
      ActionKind.all.indices.filter {
        ActionKind.all[$0].perturbation == perturbation && scope.allows(ActionKind.all[$0])
      }
    }
  }

  private func below(_ bound: Int) -> Int { Int(choices.below(UInt64(bound))) }
  /// True `percent` times in a hundred.
  private func chance(_ percent: UInt32) -> Bool { choices.chance(partsPerMillion: percent * 10_000) }

  /// The next schedule: half of them new, half changes of such as are kept.
  package func next(after corpus: inout Corpus) -> Schedule {
    var next = schedule()
    if chance(50), let kept = corpus.nextToChange() {
      next = change(kept, with: corpus.schedules[below(corpus.schedules.count)])
    }
    next.settings = scope.fitted(next.settings)
    // Nobody can tell keys that the bench took from keys that the bootloader lost.
    if next.does("phone: enter-bootloader") { next.actions.removeAll { $0.step.step == "device: forget-bonds" } }
    return next
  }

  // MARK: New ones

  /// A schedule of a random subset of all perturbations.
  package func schedule() -> Schedule {
    var schedule = Schedule(actions: [])
    for (number, kind) in SettingKind.all.enumerated() where chance(25) {
      schedule.settings[number] = below(kind.choices.count)
    }
    let swarm = swarm()
    let count = 1 + below(12)
    schedule.actions = (0..<count).map { _ in action(of: swarm) }
    if chance(50) { schedule.actions.insert(contentsOf: interruption(of: swarm), at: below(count + 1)) }
    return schedule
  }

  /// The perturbations of one run: each is there one time in three, time always.
  private func swarm() -> [Perturbation] {
    let chosen = Perturbation.allCases.filter { $0 != .time && chance(33) }
    return chosen.isEmpty ? [.time, .button] : [.time] + chosen
  }

  private func action(of swarm: [Perturbation]) -> Schedule.Action {
    // Time is one of many groups, and yet every other action needs some of it.
    let perturbation = chance(25) ? Perturbation.time : swarm[below(swarm.count)]
    let kinds = kinds(of: perturbation)
    return drawn(kinds[below(kinds.count)])
  }

  private func kinds(of perturbation: Perturbation) -> [Int] {
    kinds[Perturbation.allCases.firstIndex(of: perturbation) ?? 0]
  }

  /// A kind with a value: the simplest one time in three.
  private func drawn(_ kind: Int) -> Schedule.Action {
    Schedule.Action(kind: kind, choice: chance(33) ? 0 : below(ActionKind.all[kind].choices.count))
  }

  /// What the owner's phone is at work on, what happens meanwhile, and mostly the same once more; nothing where the swarm has
  /// none of it. Drawn one by one, these hardly ever come one right after the other, and much goes wrong only there.
  private func interruption(of swarm: [Perturbation]) -> [Schedule.Action] {
    let work = swarm.flatMap(kinds(of:)).filter {
      ActionKind.all[$0].person == .owner && !ActionKind.all[$0].unfinished.isEmpty
    }
    let groups = swarm.map { kinds(of: $0).filter { ActionKind.all[$0].interrupts } }.filter { !$0.isEmpty }
    guard !work.isEmpty, !groups.isEmpty else { return [] }
    let interrupted = work[below(work.count)]
    let values = ActionKind.all[interrupted].unfinished
    var actions = chance(50) ? [Schedule.Action(kind: ActionKind.connection)] : []
    actions.append(Schedule.Action(kind: interrupted, choice: values[below(values.count)]))
    for _ in 0...below(3) {
      let kinds = groups[below(groups.count)]
      actions.append(drawn(kinds[below(kinds.count)]))
    }
    if chance(75) { actions.append(Schedule.Action(kind: interrupted)) }
    return actions
  }

  // MARK: Changes

  /// A schedule with one to four changes; `other` lends it actions.
  package func change(_ schedule: Schedule, with other: Schedule) -> Schedule {
    var schedule = schedule
    for _ in 0...below(4) { changeOnce(&schedule, other) }
    schedule.actions = Array(schedule.actions.prefix(Schedule.limit))
    return schedule
  }

  private func changeOnce(_ schedule: inout Schedule, _ other: Schedule) {
    let count = schedule.actions.count
    switch below(9) {
    case 0, 1: schedule.actions.insert(action(of: Perturbation.allCases), at: below(count + 1))
    case 2 where count > 1: schedule.actions.remove(at: below(count))
    case 3 where count > 0:
      let place = below(count)
      schedule.actions[place] = drawn(schedule.actions[place].kind)
    case 4 where count > 0: schedule.actions[below(count)] = action(of: Perturbation.allCases)
    case 5 where count > 1: schedule.actions.swapAt(below(count), below(count))
    case 6 where !other.actions.isEmpty:
      let from = below(other.actions.count)
      schedule.actions.insert(
        contentsOf: other.actions[from...].prefix(1 + below(4)), at: below(count + 1))
    case 7: schedule.actions.insert(contentsOf: interruption(of: Perturbation.allCases), at: below(count + 1))
    default:
      let number = below(schedule.settings.count)
      schedule.settings[number] = below(SettingKind.all[number].choices.count)
    }
  }
}
