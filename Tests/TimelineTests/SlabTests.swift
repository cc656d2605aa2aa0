import Testing

@testable import Timeline

/// Counts how many of its kind are alive.
private final class Census {
  var living = 0
}

private struct Citizen: ~Copyable {
  let number: Int
  let census: Census

  init(_ number: Int, _ census: Census) {
    self.number = number
    self.census = census
    census.living += 1
  }

  deinit { census.living -= 1 }
}

@Suite struct Slabs {
  private static func number(_ citizen: consuming Citizen?) -> Int? {
    guard let citizen = consume citizen else { return nil }
    return citizen.number
  }

  @Test func valuesComeOutAsTheyWentInAndPlacesAreUsedAgain() {
    let census = Census()
    let choices = ChoiceSource(seed: 5)
    let stream = choices.stream("slab")
    var slab = Slab<Citizen>()
    var handles: [(slot: UInt32, generation: UInt32, number: Int)] = []
    var most = 0
    for number in 0..<5_000 {
      if handles.isEmpty || stream.below(100) < 52 {
        let (slot, generation) = slab.insert(Citizen(number, census))
        handles.append((slot, generation, number))
        most = max(most, handles.count)
      } else {
        let handle = handles.remove(at: Int(stream.below(UInt64(handles.count))))
        let wasHeld = slab.holds(handle.slot, handle.generation)
        #expect(wasHeld)
        let number = Self.number(slab.take(handle.slot))
        #expect(number == handle.number)
        let isHeld = slab.holds(handle.slot, handle.generation)
        #expect(!isHeld)
      }
      #expect(census.living == handles.count)
    }
    var held = 0
    for handle in handles where slab.holds(handle.slot, handle.generation) { held += 1 }
    #expect(held == handles.count)
    #expect(handles.allSatisfy { Int($0.slot) < most })
  }

  @Test func nothingIsTakenTwiceAndStrangersAreNotHeld() {
    let census = Census()
    var slab = Slab<Citizen>()
    let (slot, generation) = slab.insert(Citizen(1, census))
    let first = Self.number(slab.take(slot))
    #expect(first == 1)
    let second = Self.number(slab.take(slot))
    #expect(second == nil)
    let isStrangerHeld = slab.holds(slot + 1, generation)
    #expect(!isStrangerHeld)
  }

  @Test func whatIsLeftGoesWithTheSlab() {
    let census = Census()
    do {
      var slab = Slab<Citizen>()
      for number in 0..<200 { _ = slab.insert(Citizen(number, census)) }
      #expect(census.living == 200)
    }
    #expect(census.living == 0)
  }
}
