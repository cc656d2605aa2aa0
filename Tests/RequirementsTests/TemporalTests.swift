import HCI
import Testing
import Timeline

@testable import Requirements

@Suite struct TemporalClaims {
  private static func isListed(_ event: ProductEvent) -> Bool { event.happening.name == "fts.files-list" }
  private static func isDown(_ event: ProductEvent) -> Bool { event.happening.name == "link.down" }
  private static let end = Instant(nanoseconds: 1_000)

  /// Runs a claim over events at 100, 200, … ns and then to its deadline.
  private static func decide(_ observer: TemporalObserver, _ happenings: [Happening]) -> [Observation] {
    var observer = observer
    var result: [Observation] = []
    for (index, happening) in happenings.enumerated() {
      let instant = Instant(nanoseconds: UInt64(index + 1) * 100)
      result.append(observer.observe(ProductEvent(at: instant, from: .phone(), happening)))
    }
    if let deadline = observer.deadline { result.append(observer.reach(deadline)) }
    return result
  }

  @Test func claimsAreDecidedOnceAndAtTheRightMoment() {
    let listed = Happening.fileTransfer(.listed([]))
    let down = Happening.linkDown(.connectionTimeout)
    let eventually = TemporalObserver.eventually("a list", by: Self.end, where: Self.isListed)
    #expect(Self.decide(eventually, [down, listed, listed]) == [.pending, .met, .pending])
    #expect(
      Self.decide(eventually, [down]) == [.pending, .violated("a list: did not happen by 0.000001 s")])
    let never = TemporalObserver.never("no list", before: Self.end, where: Self.isListed)
    #expect(Self.decide(never, [down]) == [.pending, .met])
    #expect(
      Self.decide(never, [listed, listed]) == [
        .violated("no list: happened at 0.000000 s: recorder → phone: sends the list of files: 0 records"), .pending,
      ])
    let until = TemporalObserver.never("no list", until: Self.isDown, by: Self.end, where: Self.isListed)
    #expect(Self.decide(until, [.encrypted, down, listed]) == [.pending, .met, .pending])
    #expect(
      Self.decide(until, [.encrypted]) == [
        .pending, .violated("no list: the event that should end it did not happen by 0.000001 s"),
      ])
    let always = TemporalObserver.always(
      "links time out", before: nil, where: Self.isDown, holds: { $0.happening.details == down.details })
    #expect(
      Self.decide(always, [listed, down, .linkDown(.success)]) == [
        .pending, .pending,
        .violated(
          "links time out: did not hold at 0.000000 s: phone – recorder: disconnected: controller error (0x00)"),
      ])
  }
}
