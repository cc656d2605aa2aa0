import Testing
import Timeline

@testable import Search

@Suite struct MinimumOfAList {
  /// A property that holds for every list with all of `needed` in it.
  private static func needed(_ choices: ChoiceStream, of count: Int) -> Set<Int> {
    Set((0..<count).filter { _ in choices.below(4) == 0 })
  }

  @Test(arguments: 0..<200) func isExactlyWhatIsNeeded(seed: UInt64) {
    let choices = ChoiceSource(seed: seed).stream("list")
    let elements = Array(0..<Int(1 + choices.below(40)))
    let needed = Self.needed(choices, of: elements.count)
    let minimum = DeltaDebugging.minimum(of: elements) { needed.isSubset(of: Set($0)) }
    #expect(minimum == needed.sorted())
  }

  /// Nothing is known of these properties but that they hold for the whole: no element can be left out alone.
  @Test(arguments: 0..<200) func losesNoElementThatIsNeeded(seed: UInt64) {
    let choices = ChoiceSource(seed: seed).stream("list")
    let elements = Array(0..<Int(1 + choices.below(20)))
    func holds(_ part: [Int]) -> Bool {
      part == elements || Seed.derive(seed, part.map(String.init)) % 3 == 0
    }
    let minimum = DeltaDebugging.minimum(of: elements, where: holds)
    #expect(holds(minimum))
    for place in minimum.indices {
      var smaller = minimum
      smaller.remove(at: place)
      #expect(!holds(smaller), "\(minimum) without its element \(place)")
    }
  }
}
