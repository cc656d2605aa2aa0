import Phone
import Verdicts

extension PhoneSession.Failure {
  /// How a command ends with this failure; `loss` says how the phone's controller stopped working, if it did.
  ///
  /// Only a scenario can tell whether a recorder that does not answer is the bench's fault or the device's. A single
  /// command cannot, so it fails as the device.
  package func exitCode(after loss: ControllerLoss.Reason? = nil) -> ExitCode {
    switch self {
    case .interrupted: .interrupted
    case .notOpened, .noAnswer, .controller, .capture, .library: .benchFailed
    case .phone where loss != nil: .benchFailed
    case .phone(.severalInSight), .phone(.alreadyPaired), .phone(.notPaired), .phone(.noSuchRecord): .usage
    case .phone(.library), .phone(.abandoned): .benchFailed
    case .phone: .deviceFailed
    }
  }
}
