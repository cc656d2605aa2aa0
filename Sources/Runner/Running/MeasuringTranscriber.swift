import DictofunProtocol
import World

/// A stand-in for a transcriber: its text says how long and how loud a sound is, so that two records differ in it.
struct MeasuringTranscriber: Transcriber {
  /// The loudest sample that still counts as silence.
  private static let silence: Int16 = 500

  func transcript(of samples: [Int16]) -> String? {
    let isSpeech = samples.contains { $0 > Self.silence || $0 < -Self.silence }
    let tenths = samples.count * 10 / RecordAudio.sampleRate
    return "\(isSpeech ? "speech" : "silence"), \(tenths / 10).\(tenths % 10) s"
  }
}

/// A transcriber that never finds any words.
struct FailingTranscriber: Transcriber {
  func transcript(of samples: [Int16]) -> String? { nil }
}

extension GivenPhone.TranscriberChoice {
  /// The transcriber that a scenario chose; `nil` where nobody transcribes.
  var transcriber: (any Transcriber)? {
    switch self {
    case .nobody: nil
    case .measuring: MeasuringTranscriber()
    case .failing: FailingTranscriber()
    }
  }
}
