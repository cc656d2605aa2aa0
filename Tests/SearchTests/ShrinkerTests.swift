import ScenarioLanguage
import Testing
import Timeline

@testable import Search

@Suite struct SmallestSchedules {
  private static func schedule(_ seed: UInt64) -> Schedule {
    ScheduleGenerator(ChoiceSource(seed: seed).stream("schedule"), for: .model).schedule()
  }

  @Test(arguments: 0..<100) func keepWhatTheFailureNeeds(seed: UInt64) throws {
    let whole = Self.schedule(seed)
    let needed = try #require(whole.actions.max { ($0.kind, $0.choice) < ($1.kind, $1.choice) })
    var shrinker = ScheduleShrinker(for: .model) { $0.actions.contains(needed) }
    let smallest = shrinker.smallest(whole)
    #expect(smallest.actions == [needed])
    #expect(smallest.settings == Schedule(actions: []).settings)
  }

  /// Nothing is known of these properties but that they hold for the whole.
  @Test(arguments: 0..<50) func cannotLoseAnything(seed: UInt64) {
    let whole = Self.schedule(seed)
    func fails(_ schedule: Schedule) -> Bool {
      let numbers = schedule.settings + schedule.actions.flatMap { [$0.kind, $0.choice] }
      return schedule == whole || Seed.derive(seed, numbers.map(String.init)) % 4 == 0
    }
    var shrinker = ScheduleShrinker(for: .model, where: fails)
    let smallest = shrinker.smallest(whole)
    #expect(fails(smallest))
    for place in smallest.actions.indices {
      var smaller = smallest
      smaller.actions.remove(at: place)
      #expect(!fails(smaller))
    }
    for number in smallest.settings.indices {
      for value in 0..<smallest.settings[number] {
        var simpler = smallest
        simpler.settings[number] = value
        #expect(!fails(simpler))
      }
    }
    for place in smallest.actions.indices {
      for value in 0..<smallest.actions[place].choice {
        var simpler = smallest
        simpler.actions[place].choice = value
        #expect(!fails(simpler))
      }
    }
  }

  @Test func noScheduleIsTriedTwice() {
    var tried: [Schedule] = []
    let whole = Self.schedule(3)
    var shrinker = ScheduleShrinker(for: .model) { schedule in
      tried.append(schedule)
      return schedule.actions.count > 2
    }
    _ = shrinker.smallest(whole)
    #expect(Set(tried).count == tried.count)
  }

  @Test(arguments: [(0, ""), (2, ", also after: noun 1 and noun 2"), (40, " and more")])
  func aTitleIsNoLongerThanAScenarioMayHave(count: Int, end: String) {
    let title = FindingReduction.title("what holds", after: (0..<count).map { "noun \($0 + 1)" })
    #expect(title.hasPrefix("what holds"))
    #expect(title.hasSuffix(end))
    #expect(title.utf8.count <= LanguageLimits.titleLength)
    #expect(count < 3 || title.utf8.count > LanguageLimits.titleLength - 10)
  }
}
