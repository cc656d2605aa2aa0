import DictofunProtocol
import Recorder
import Synchronization

/// The synthetic voices that recorders of a run begin with, so that each is encoded only once.
///
/// A voice is a pure function of its key: it makes no difference which scenario asked for it first.
final class VoiceStore: Sendable {
  /// One voice through the microphone path of a profile.
  struct Voice: Hashable, Sendable {
    /// Tells voices apart.
    var number: Int
    /// Samples, at the rate of the profile.
    var sampleCount: Int
    /// Whose microphone heard it.
    var profile: RecorderProfile
  }

  private struct Shelf {
    var contents: [Voice: [UInt8]] = [:]
    var octets = 0
  }

  /// Octets that are kept at most; what comes after that is encoded every time.
  private static let limit = 8 << 20

  private let shelf = Mutex(Shelf())

  /// The octets of a record that holds this voice alone.
  func content(of voice: Voice) -> [UInt8] {
    if let known = shelf.withLock({ $0.contents[voice] }) { return known }
    let samples = SyntheticVoice.samples(voice.sampleCount, number: voice.number)
    let file = WaveFile(sampleRate: voice.profile.sampleRate, samples: samples)
    let content = PlacedRecord(file, begunAt: CivilTime(secondsSince2000: 0), profile: voice.profile).content
    shelf.withLock { shelf in
      guard shelf.octets + content.count <= Self.limit, shelf.contents[voice] == nil else { return }
      shelf.octets += content.count
      shelf.contents[voice] = content
    }
    return content
  }
}
