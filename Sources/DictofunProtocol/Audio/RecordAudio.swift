/// The format of a record: frames of 128 samples in 64 octets, the first fourteen octets of a record
/// overwritten by the codec's label.
public enum RecordAudio {
  /// The label that the firmware writes over the beginning of the first frame: `adpcm;16000;2` and a zero octet.
  public static let codecLabel: [UInt8] = Array("adpcm;16000;2".utf8) + [0]
  /// Samples of a microphone frame.
  public static let samplesPerFrame = 128
  /// Octets of a compressed frame.
  public static let octetsPerFrame = 64
  /// Samples a second that a record is labelled with, and that a repaired recorder takes.
  public static let sampleRate = 16_000
  /// Samples at the beginning of a record that the label takes the place of.
  public static let labelSamples = codecLabel.count * 2

  /// The record that a repaired recorder makes of samples; the rest after the last whole frame is dropped.
  public static func record(of samples: [Int16]) -> [UInt8] {
    var encoder = RecordEncoder()
    var record: [UInt8] = []
    record.reserveCapacity(samples.count / 2)
    for frame in 0..<(samples.count / samplesPerFrame) {
      record += encoder.encode(samples[(frame * samplesPerFrame)..<((frame + 1) * samplesPerFrame)])
    }
    return record
  }

  /// The sound of a record as a phone plays it: decoded from silence, the samples of a label at the beginning
  /// muted.
  public static func samples(of record: [UInt8]) -> [Int16] {
    var codec = AdaptiveCodec()
    var samples = codec.decode(record)
    if record.starts(with: codecLabel) {
      for index in 0..<labelSamples { samples[index] = 0 }
    }
    return samples
  }

  /// The playing time of a record: each octet holds two samples.
  public static func duration(of record: [UInt8]) -> Duration {
    .milliseconds(record.count * 2 * 1_000 / sampleRate)
  }
}

/// Compresses the frames of one record as a repaired recorder does.
///
/// It starts from silence. The label takes the place of the first samples, and what follows continues from the
/// state that a decoder has after it read the label as if it were sound; so nothing is left over from it.
public struct RecordEncoder: Hashable, Sendable {
  private var codec = AdaptiveCodec()
  private var isFirstFrame = true

  /// Starts a record.
  public init() {}

  /// Compresses one frame. Traps when it has not 128 samples.
  public mutating func encode(_ frame: ArraySlice<Int16>) -> [UInt8] {
    precondition(frame.count == RecordAudio.samplesPerFrame, "a frame has 128 samples")
    guard isFirstFrame else { return codec.encode(frame) }
    isFirstFrame = false
    _ = codec.decode(RecordAudio.codecLabel)
    return RecordAudio.codecLabel + codec.encode(frame.dropFirst(RecordAudio.labelSamples))
  }
}
