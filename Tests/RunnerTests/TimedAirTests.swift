import Testing
import Verdicts

@testable import Runner

/// What disturbs the air for a time leaves everything else as it was.
@Suite struct TimedDisturbances {
  private static let deaf = "  - phone: {scan: 3 s}\n    expect: {found: 0}"
  private static let hearing = "  - phone: {scan: 3 s}\n    expect: {found: 1}"

  @Test(
    arguments: ["lose: 0 %, for: 1 ms", "break: 1 ms"],
    [
      "blackouts: [{after: 5 ms, for: 1 h}]",
      "interference: {every: 20 ms, for: 20 ms, corrupted: 100 %}",
      "bursts: {begin: 100 %, end: 0.0001 %}",
    ])
  func whatWasGivenStays(disturbance: String, given: String) throws {
    let steps = "  - air: {\(disturbance)}\n  - wait: 10 ms\n\(Self.deaf)"
    #expect(try Playing.run("given: {air: {\(given)}}\nsteps:\n\(steps)").verdict == .passed)
  }

  @Test(arguments: ["lose: 0 %, for: 1 ms", "break: 1 ms"])
  func lossesOfAnEarlierStepStay(disturbance: String) throws {
    let steps = "  - air: {lose: 100 %}\n  - air: {\(disturbance)}\n\(Self.deaf)"
    #expect(try Playing.run("steps:\n\(steps)").verdict == .passed)
  }

  @Test func anInterruptionOutlivesAShorterOne() throws {
    #expect(try Playing.run("steps:\n  - air: break\n  - air: {break: 1 s}\n\(Self.deaf)").verdict == .passed)
  }

  @Test func lossesOfTheOtherDirectionStay() throws {
    let steps = "  - air: {lose: 100 %, direction: to-phone}\n  - air: {lose: 5 %, direction: to-recorder, for: 1 s}"
    #expect(try Playing.run("steps:\n\(steps)\n\(Self.deaf)").verdict == .passed)
  }

  @Test(arguments: ["lose: 100 %, for: 5 s", "break: 5 s"])
  func aStepThatIsGivenUpLeavesNothingBehind(disturbance: String) throws {
    let steps = "  - air: {\(disturbance)}\n    within: 1 s\n    may-fail: true"
    #expect(try Playing.run("steps:\n\(steps)\n\(Self.hearing)").verdict == .passed)
  }

  @Test(arguments: ["lose: 100 %, for: 5 s", "break: 5 s"])
  func packetsPassAgainWhenItIsOver(disturbance: String) throws {
    #expect(try Playing.run("steps:\n  - air: {\(disturbance)}\n\(Self.hearing)").verdict == .passed)
  }

  @Test func mendingEndsEverything() throws {
    let given = "given: {air: {loss: 90 %, blackouts: [{after: 5 ms, for: 1 h}]}}"
    #expect(try Playing.run("\(given)\nsteps:\n  - air: break\n  - air: mend\n\(Self.hearing)").verdict == .passed)
  }
}
