import DictofunProtocol
import Timeline

/// What the recorder's microphone hears: samples at the profile's rate, silence before, and after unless they repeat.
public struct Microphone: Hashable, Sendable {
  /// When the first sample is heard.
  public enum Beginning: Hashable, Sendable {
    /// With the first sample of each record, so that nothing spoken is lost.
    case withRecord
    /// At an instant of the world, so that a late recorder misses something.
    case at(Instant)
  }

  /// The samples.
  public var samples: [Int16]
  /// When the first of them is heard.
  public var beginning: Beginning
  /// Whether they are heard again after the last.
  public var repeats: Bool

  /// A microphone that hears `samples`.
  public init(samples: [Int16] = [], beginning: Beginning = .withRecord, repeats: Bool = true) {
    self.samples = samples
    self.beginning = beginning
    self.repeats = repeats
  }

  /// A microphone that hears a sound file, at the rate of a profile.
  public init(
    _ file: WaveFile, for profile: RecorderProfile, beginning: Beginning = .withRecord, repeats: Bool = true
  ) {
    self.init(
      samples: Resampler.convert(file.samples, from: file.sampleRate, to: profile.sampleRate), beginning: beginning,
      repeats: repeats)
  }

  /// The index of the sample that is heard first in a record that begins at `instant`.
  func offset(ofRecordAt instant: Instant, sampleRate: Int) -> Int {
    guard case .at(let start) = beginning else { return 0 }
    let distance = Int64(instant.nanoseconds) - Int64(start.nanoseconds)
    return Int(Int128(distance) * Int128(sampleRate) / 1_000_000_000)
  }

  private static let silence = [Int16](repeating: 0, count: RecordAudio.samplesPerFrame)

  /// The samples of one frame, which begins at `index`.
  func frame(from index: Int) -> ArraySlice<Int16> {
    let end = index + RecordAudio.samplesPerFrame
    if index >= 0, end <= samples.count { return samples[index..<end] }
    if samples.isEmpty { return Self.silence[...] }
    return (index..<end).map { index in
      if samples.indices.contains(index) { return samples[index] }
      return repeats && index > 0 ? samples[index % samples.count] : 0
    }[...]
  }
}
