import HCI
import Testing
import Timeline

@testable import Controllers

@Suite struct AdvertisementSchedules {
  /// When an advertiser begins its event before and its present one, and how long its PDUs are, in nanoseconds.
  private struct Plan {
    var starts: [UInt64]
    var duration: UInt64
  }

  private static let listener = 0

  /// Plans that crowd together, so that about every second pair of neighbours overlaps.
  private static func plans(_ chance: ChoiceStream) -> [Plan] {
    (0..<30).map { _ in
      let first = chance.below(8_000_000)
      let second = first + 3_750_000 + chance.below(4_000_000)
      return Plan(starts: [first, second], duration: 128_000 + chance.below(248_000))
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func whatOverlapsIsFoundAmongMany(_ seed: UInt64) {
    let loop = EventLoop(seed: seed)
    let chance = loop.choices.stream("plans")
    let air = Air(loop: loop)
    let stations = (0...30).map { VirtualController("station \($0)", .recorder, on: air) }
    let schedule = air.channels.schedule
    schedule.collisions = true
    let plans = Self.plans(chance)
    let places = plans.indices.map { index in
      schedule.join(stations[index + 1], channels: 7, duration: plans[index].duration)
    }
    for turn in 0..<2 {
      for (place, plan) in zip(places, plans) { schedule.plan(place, start: plan.starts[turn]) }
    }
    for (index, plan) in plans.enumerated() {
      let end = plan.starts[1] + plan.duration
      let isOverlapped = plans.enumerated().contains { other, rival in
        other != index && rival.starts.contains { $0 < end && plan.starts[1] < $0 + rival.duration }
      }
      let isSpoiled = schedule.isSpoiled(
        places[index], start: plan.starts[1], channel: 0, for: stations[Self.listener])
      #expect(isSpoiled == isOverlapped)
    }
  }

  @Test func whoHasLeftSpoilsNothing() {
    let air = Air(loop: EventLoop(seed: 1))
    let stations = (0...2).map { VirtualController("station \($0)", .recorder, on: air) }
    let schedule = air.channels.schedule
    schedule.collisions = true
    let places = (1...2).map { schedule.join(stations[$0], channels: 7, duration: 152_000) }
    for place in places { schedule.plan(place, start: 1_000_000) }
    #expect(schedule.isSpoiled(places[0], start: 1_000_000, channel: 1, for: stations[0]))
    schedule.leave(places[1])
    #expect(!schedule.isSpoiled(places[0], start: 1_000_000, channel: 1, for: stations[0]))
  }
}
