import Testing

@testable import Verdicts

/// Whom a failure is put down to.
@Suite struct FailureAccounts {
  private static func account(_ who: String) -> FailureAccount {
    FailureAccount(place: "a.yaml:1:1", excerpt: [], who: who, what: "w", expected: "e", found: "f")
  }

  private static func difference(_ here: String) -> FirstDifference {
    FirstDifference(other: "the same run without the fault", until: "1.000", here: here, there: "x", cause: "c")
  }

  @Test(arguments: [
    (
      "the phone", "recorder → phone: sends 100 octets",
      "the recorder, which differs first; the requirement is the phone's"
    ),
    ("the phone", "recorder: is switched off", "the recorder, which differs first; the requirement is the phone's"),
    ("the phone", "phone → recorder: asks for the list", "the phone"),
    ("the recorder", "phone → recorder: asks for the list", "the recorder"),
    ("the recorder or the phone", "recorder: is switched off", "the recorder or the phone"),
  ])
  func theFirstDifferenceSaysWhoseItIs(who: String, here: String, expected: String) {
    var account = Self.account(who)
    account.take(Self.difference(here))
    #expect(account.who == expected)
    #expect(account.difference?.here == here)
  }

  @Test func withoutADifferenceTheRequirementDecides() {
    var account = Self.account("the phone")
    account.take(nil)
    #expect(account.who == "the phone")
  }
}
