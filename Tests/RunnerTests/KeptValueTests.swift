import Testing
import Verdicts

@testable import Runner

/// Values that one step keeps for another, and waits for one of several events.
@Suite struct KeptValuesOfARun {
  private static let meeting = """
    given: {device: {records: {count: 2, seconds: 1 s}}, phone: {bonded: true}}
    steps:
      - {phone: sync, keep: {amount: listed}}

    """

  @Test(arguments: [
    ("- {phone: library, expect: {count: $amount}}", nil),
    ("- {phone: library, expect: {count: {one-of: [1, $amount]}}}", nil),
    ("- {phone: library, expect: {count: {less-than: $amount}}}", "count: expected less than 2, found 2"),
    ("- {use: asked, with: {wanted: $amount}}", nil),
    (
      "- {phone: library, keep: {top: newest}}\n  - {phone: {delete: $top}}\n  - {phone: {delete: $top}}",
      "no-such-record"
    ),
    (
      "- {phone: {entry: newest}, keep: {long: duration}}\n"
        + "  - {phone: {listen: oldest, until: $long}}\n  - {phone: {entry: oldest}, expect: {position: $long}}", nil
    ),
    (
      "- {phone: {entry: newest}, keep: {begin: position}}\n  - {device: {press: $begin}}",
      "$begin is 0 s, which is out of range for `hold`"
    ),
  ])
  func aLaterStepGetsWhatWasFound(steps: String, reason: String?) throws {
    let asked = "fragments: {asked: {parameters: [wanted], steps: [{phone: library, expect: {count: $wanted}}]}}\n"
    let text = (steps.contains("asked") ? asked : "") + Self.meeting + "  " + steps
    let unused = steps.contains("$amount") ? "" : "\n  - {phone: library, expect: {count: {at-most: $amount}}}"
    let verdict = try Playing.run(text + unused).verdict
    guard let reason else { return #expect(verdict == .passed, "\(verdict)") }
    #expect(verdict.kind == .failed)
    #expect(verdict.reason?.contains(reason) == true, "\(verdict)")
  }

  @Test func oneOfSeveralEventsIsEnoughAndNoneIsAFailure() throws {
    let given = "given: {device: {records: 1}, phone: {bonded: true, automatic: true}}\n"
    let passed = try Playing.run(given + "steps: [{either: [paired, phone.stored], within: 30 s}]")
    #expect(passed.verdict == .passed)
    let failed = try Playing.run(given + "steps: [{either: [paired, {link: {state: down, reason: 99}}], within: 30 s}]")
    #expect(failed.verdict.reason?.hasPrefix("paired or link: did not happen by") == true, "\(failed.verdict)")
    #expect(failed.account?.expected == "paired, or link with state down and reason 99 within 30 s")
  }
}
