import Session
import Text

extension PhoneSession.Failure {
  /// What went wrong, in one sentence without its full stop; `nil` where the user asked to stop. `state` is the folder of
  /// the phone's library, `loss` how the phone's controller stopped working, if it did.
  func sentence(after loss: ControllerLoss.Reason?, state: String) -> String? {
    switch self {
    case .phone(let failure):
      loss.map { "the phone's controller \($0.sentence)" } ?? PlainText.escaped(failure.sentence)
    case .notOpened(let failure): "\(failure)"
    case .noAnswer: "the phone's controller did not answer in time"
    // A fault of the bench names what failed, which need not be the controller.
    case .controller(.bench(let fault)): fault.description
    case .controller(let failure): "the phone's controller failed: \(failure)"
    case .capture(let error): "\(error)"
    case .library(let failure): "\(state): \(failure)"
    case .interrupted: nil
    }
  }
}

extension PhoneSession.Event {
  /// The sentences that tell it.
  var sentences: [String] {
    switch self {
    case .listening(let place, let exposure):
      ["listening at \(place?.description ?? "")"] + (exposure.map { [$0] } ?? [])
    case .note(let sentence): [PlainText.escaped(sentence)]
    }
  }
}

extension ControllerLoss.Reason {
  /// What happened, as the rest of a sentence about the controller.
  var sentence: String {
    switch self {
    case .lost(let closure): "was lost: \(PlainText.escaped(closure.reason))"
    case .failed(let words): "failed: \(PlainText.escaped(words))"
    }
  }
}
