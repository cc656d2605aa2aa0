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

  /// A voice as far as it was recorded.
  private struct Recording {
    var voice: SyntheticVoice
    var recorder: FrameSource
    var content: [UInt8] = []

    mutating func goOn(frames: Int) {
      let samples = voice.samples(frames * RecordAudio.samplesPerFrame)
      content.reserveCapacity(content.count + frames * RecordAudio.octetsPerFrame)
      for frame in 0..<frames {
        let first = frame * RecordAudio.samplesPerFrame
        content += recorder.encode(samples[first..<(first + RecordAudio.samplesPerFrame)])
      }
    }
  }

  /// Who needs a voice that is being recorded waits for it here, and not for other voices.
  private final class Shelf: Sendable {
    let recording: Mutex<Recording>

    init(_ recording: Recording) {
      self.recording = Mutex(recording)
    }
  }

  /// Octets that are kept at most; what comes after that is encoded every time.
  private static let limit = 32 << 20

  private let shelves = Mutex<[Key: Shelf]>([:])
  private let octets = Atomic(0)

  /// The octets of records that hold the first samples of voices, at the rate of a profile, and were heard by its microphone.
  /// Numbers tell voices apart.
  func contents(ofVoices numbers: Range<Int>, sampleCount: Int, _ profile: RecorderProfile) -> [[UInt8]] {
    let frames = sampleCount / RecordAudio.samplesPerFrame
    let shelves = numbers.map { shelf($0, profile) }
    // What another job is recording at this moment comes last, and is there by then or nearly so.
    let early = shelves.map { shelf in shelf.recording.withLockIfAvailable { content(of: &$0, frames: frames) } }
    return zip(shelves, early).map { shelf, content in
      content ?? shelf.recording.withLock { self.content(of: &$0, frames: frames) }
    }
  }

  private func content(of recording: inout Recording, frames: Int) -> [UInt8] {
    let missing = frames - recording.content.count / RecordAudio.octetsPerFrame
    if missing > 0 {
      guard octets.load(ordering: .relaxed) + missing * RecordAudio.octetsPerFrame <= Self.limit else {
        var longer = recording
        longer.goOn(frames: missing)
        return longer.content
      }
      octets.add(missing * RecordAudio.octetsPerFrame, ordering: .relaxed)
      recording.goOn(frames: missing)
    }
    return missing < 0 ? Array(recording.content.prefix(frames * RecordAudio.octetsPerFrame)) : recording.content
  }

  private func shelf(_ number: Int, _ profile: RecorderProfile) -> Shelf {
    let key = Key(number: number, forgetsCodecLabel: profile.forgetsCodecLabel)
    return shelves.withLock { shelves in
      if let shelf = shelves[key] { return shelf }
      let shelf = Shelf(Recording(voice: SyntheticVoice(number: number), recorder: FrameSource(profile: profile)))
      shelves[key] = shelf
      return shelf
    }
  }
}
