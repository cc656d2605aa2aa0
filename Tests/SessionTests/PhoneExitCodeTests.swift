import Phone
import Testing
import Verdicts

@testable import Session

/// Whom a failed command of the phone blames.
@Suite struct PhoneExitCodes {
  @Test(arguments: [
    (PhoneFailure.noAnswer, ExitCode.deviceFailed), (.nothingInSight, .deviceFailed), (.notPaired, .usage),
    (.severalInSight([]), .usage), (.noSuchRecord, .usage), (.library("full"), .benchFailed),
    (.abandoned, .benchFailed),
  ])
  func aFailureOfThePhoneBlamesWhoCausedIt(_ failure: PhoneFailure, _ code: ExitCode) {
    #expect(PhoneSession.Failure.phone(failure).exitCode() == code)
    #expect(PhoneSession.Failure.phone(failure).exitCode(after: .failed("it is silent")) == .benchFailed)
  }

  @Test func aFailureOfOurOwnEndIsTheBenchs() {
    #expect(PhoneSession.Failure.noAnswer.exitCode() == .benchFailed)
    #expect(PhoneSession.Failure.interrupted.exitCode() == .interrupted)
  }
}
