import Foundation
import Testing
import Timeline
import Trace

@testable import Verdicts

/// Whom a failure is put down to.
@Suite struct FailureAccounts {
  private static func account(_ who: String, _ judged: JudgedParty) -> FailureAccount {
    FailureAccount(place: "a.yaml:1:1", excerpt: [], who: who, blames: judged, what: "w", expected: "e", found: "f")
  }

  private static func difference(_ here: String, isOfRecorder: Bool) -> FirstDifference {
    FirstDifference(
      other: "the same run without the fault", until: "1.000", here: here, there: "x", cause: "c",
      isOfRecorder: isOfRecorder)
  }

  @Test(arguments: [
    (
      JudgedParty.phone, true, "the recorder, which differs first; the requirement is the phone's",
      JudgedParty.recorder
    ),
    (.phone, false, "who", .phone), (.recorder, false, "who", .recorder), (.pair, true, "who", .pair),
  ])
  func theFirstDifferenceSaysWhoseItIs(judged: JudgedParty, isOfRecorder: Bool, who: String, blames: JudgedParty) {
    var account = Self.account("who", judged)
    account.take(Self.difference("green: is switched off", isOfRecorder: isOfRecorder))
    #expect(account.who == who)
    #expect(account.blames == blames)
    #expect(account.difference?.here == "green: is switched off")
  }

  @Test func withoutADifferenceTheRequirementDecides() {
    var account = Self.account("the phone", .phone)
    account.take(nil)
    #expect(account.who == "the phone")
    #expect(account.blames == .phone)
  }

  /// Names of the scenario stand in the place of the kinds where there are several.
  @Test(arguments: [
    ("green → hers", "green", true), ("green", "green", true), ("hers → green", "green", false),
    ("greenish → green", "green", false), ("recorder → phone", "", true), ("phone – recorder", "", false),
  ]) func whatARecorderDoesBeginsWithItsName(who: String, recorder: String, isOfRecorder: Bool) {
    var event = ReportedEvent(at: .zero, from: .phone(), name: "battery.read")
    (event.who, event.recorder) = (who, recorder)
    #expect(event.isOfRecorder == isOfRecorder)
  }

  @Test func whoIsBlamedIsKeptWithTheAccount() throws {
    var account = Self.account("the phone", .phone)
    account.take(Self.difference("recorder: is switched off", isOfRecorder: true))
    let read = try JSONDecoder().decode(FailureAccount.self, from: try JSONEncoder().encode(account))
    #expect(read.blames == .recorder)
  }
}
