import Phone
import Recorder
import Testing

@testable import Proof

/// A plan that is explored quickly: one record of one packet.
func plan(
  disturbances: Int? = 1, sizes: [Int] = [40], _ change: (inout MeetingPlan) throws -> Void = { _ in }
) rethrows -> MeetingPlan {
  var plan = MeetingPlan(sizes: sizes)
  plan.disturbances = disturbances
  try change(&plan)
  return plan
}

@Suite struct Proofs {
  /// Records of no octets, of one packet, of several, and several records.
  @Test(arguments: [[], [0], [40], [300], [40, 300]]) func theReferenceEndsEverySync(sizes: [Int]) throws {
    let space = try StateSpace(plan(sizes: sizes))
    #expect(space.violation == nil)
    let ranks = Ranks(space)
    #expect(ranks.ranks.allSatisfy { $0 != nil })
    #expect(Counterexample(space, ranks) == nil)
    #expect(ranks.ranks[0].map { $0 > 20 } == true)
  }

  /// Every disturbance is possible somewhere; else the proof would be about less than it says.
  @Test func everyMoveHappens() throws {
    let space = try StateSpace(plan())
    let made = Set(space.nodes.flatMap { $0.edges.map(\.move) })
    // The reference leaves no request without an answer, so nobody loses patience.
    #expect(made == Set(Move.allCases).subtracting([.patience]))
  }

  /// States with the same digest must have the same future, in whatever way they were reached.
  @Test func whatLooksTheSameGoesOnTheSame() throws {
    let shelf = LibraryShelf()
    var futures: [String: [String]] = [:]
    var open = [try Meeting(plan(sizes: [40, 20]), shelf)]
    var again = 0
    while let meeting = open.popLast() {
      let next = try meeting.moves.map { try meeting.after($0, shelf) }
      let future = next.map(\.outline)
      if let known = futures.updateValue(future, forKey: meeting.outline) {
        again += 1
        #expect(known == future, "\(meeting.outline)")
        if known != future { return }
      } else {
        open += next
      }
    }
    #expect(again > 500)
  }

  @Test func whatIsRightHasNoCounterexample() throws {
    #expect(try Counterexample.simplest(of: plan()) == nil)
  }

  @Test func thereAreLimits() throws {
    #expect(throws: ProofFailure.tooMany(10)) { try StateSpace(plan(), limit: 10) }
  }
}

@Suite struct Refutations {
  /// A mistake of recorder or phone, how many disturbances it takes, and what the proof says.
  static let mistakes: [(change: @Sendable (inout MeetingPlan) -> Void, disturbances: Int, sentence: String)] = [
    (recorder("deaf-after-break"), 1, "leaves the phone without an answer"),
    (recorder("deaf-after-second-request"), 1, "leaves the phone without an answer"),
    (recorder("keeps-waiting-request"), 2, "leaves the phone without an answer"),
    (recorder("ignores-receive-complete"), 0, "leaves the phone without an answer"),
    (recorder("disconnects-mid-transfer"), 0, "everything goes round in a circle"),
    (recorder("list-omits-newest"), 0, "a sync is a success, and not every record is here"),
    (recorder("size-overstated"), 0, "leaves the phone without an answer"),
    (recorder("data-byte-flipped"), 0, "was stored with wrong octets"),
    (recorder("loses-records-at-power-cut"), 1, "is neither on the recorder nor on the phone"),
    (published(.linkLoss), 1, "leaves the phone without an answer"),
    (published(.secondRequest), 1, "leaves the phone without an answer"),
    (phone(.redownloadsEverything), 1, "is fetched again although it is here"),
    (phone(.storesTruncatedRecords), 1, "was stored with wrong octets"),
  ]

  private static func recorder(_ name: String) -> @Sendable (inout MeetingPlan) -> Void {
    { plan in if let fault = RecorderFault(name) { plan.profile = plan.profile.with(fault) } }
  }

  private static func published(_ behaviour: PublishedBehaviour) -> @Sendable (inout MeetingPlan) -> Void {
    { $0.profile = $0.profile.with(behaviour) }
  }

  private static func phone(_ fault: PhoneFault) -> @Sendable (inout MeetingPlan) -> Void {
    { $0.phoneFaults = [fault] }
  }

  @Test(arguments: mistakes.indices) func everyMistakeIsFound(_ index: Int) throws {
    let mistake = Self.mistakes[index]
    // The octet that is flipped is in the second block, and a recorder that ends the link does so after the fourth.
    let size = mistake.disturbances == 0 ? 1_100 : 40
    let plan = plan(disturbances: mistake.disturbances, sizes: [size], mistake.change)
    let space = try StateSpace(plan)
    let counterexample = try #require(Counterexample(space, Ranks(space)))
    #expect(counterexample.sentence.contains(mistake.sentence), "\(counterexample.sentence)")
    #expect(counterexample.disturbances.count <= mistake.disturbances, "\(counterexample.moves)")
    let simplest = try #require(try Counterexample.simplest(of: plan))
    #expect(simplest.disturbances.count == mistake.disturbances, "\(simplest.moves)")
  }

  /// Where the fewest disturbances cannot be counted, what was found first is told.
  @Test func whatCannotBeCountedStaysAsItIs() throws {
    let (deaf, silent) = (Self.recorder("deaf-after-break"), Self.recorder("ignores-receive-complete"))
    let space = try StateSpace(plan(disturbances: 1, deaf))
    let first = try #require(Counterexample(space, Ranks(space)))
    let other = plan(disturbances: 1, sizes: [1_100], silent)
    #expect(try first.simplified(of: other, limit: 10) == first)
    let simplest = try first.simplified(of: other)
    #expect(simplest != first)
    #expect(simplest.disturbances.isEmpty)
  }

  /// The moves of a counterexample can be made, one after the other.
  @Test func aCircleComesRound() throws {
    let plan = plan(disturbances: 0, sizes: [1_100], Self.recorder("disconnects-mid-transfer"))
    let space = try StateSpace(plan)
    let counterexample = try #require(Counterexample(space, Ranks(space)))
    let shelf = LibraryShelf()
    var meeting = try Meeting(plan, shelf)
    for move in counterexample.moves {
      #expect(meeting.moves.contains(move))
      meeting = try meeting.after(move, shelf)
    }
    let first = StateDigest(meeting)
    #expect(!counterexample.circle.isEmpty)
    for move in counterexample.circle {
      #expect(meeting.moves.contains(move))
      meeting = try meeting.after(move, shelf)
    }
    #expect(StateDigest(meeting) == first)
  }
}
