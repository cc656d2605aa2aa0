import DictofunProtocol
import Recorder
import Synchronization

/// The synthetic voices that recorders of a run begin with, so that each is encoded only once.
///
/// A voice is a pure function of its key, and a shorter record of it is the beginning of a longer one: it makes no difference
/// which scenario asked for it first, or for how much.
final class VoiceStore: Sendable {
  private struct Key: Hashable {
    var number: Int
    var forgetsCodecLabel: Bool
  }

  private struct Shelf {
    /// The longest record of each voice so far.
    var contents: [Key: [UInt8]] = [:]
    var octets = 0
  }

  /// Octets that are kept at most; what comes after that is encoded every time.
  private static let limit = 32 << 20

  private let shelf = Mutex(Shelf())

  /// The octets of a record that holds the first samples of a voice, at the rate of a profile, and was heard by its
  /// microphone. `number` tells voices apart.
  func content(ofVoice number: Int, sampleCount: Int, _ profile: RecorderProfile) -> [UInt8] {
    let key = Key(number: number, forgetsCodecLabel: profile.forgetsCodecLabel)
    let octets = sampleCount / RecordAudio.samplesPerFrame * RecordAudio.octetsPerFrame
    if let known = shelf.withLock({ $0.contents[key] }), known.count >= octets {
      return known.count == octets ? known : Array(known.prefix(octets))
    }
    let file = WaveFile(
      sampleRate: profile.sampleRate, samples: SyntheticVoice.samples(sampleCount, number: number))
    let content = PlacedRecord(file, begunAt: CivilTime(secondsSince2000: 0), profile: profile).content
    shelf.withLock { shelf in
      let shorter = shelf.contents[key]?.count ?? 0
      guard content.count > shorter, shelf.octets + content.count - shorter <= Self.limit else { return }
      shelf.octets += content.count - shorter
      shelf.contents[key] = content
    }
    return content
  }
}
