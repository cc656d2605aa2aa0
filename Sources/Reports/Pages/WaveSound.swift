import DictofunProtocol
import Foundation

/// A sound as a page holds it: playable octets and the outline of its wave.
struct WaveSound {
  /// Samples that can be played; the outline shows all.
  static let playedLimit = 60 * RecordAudio.sampleRate
  /// Points of an outline.
  static let outlineLimit = 600

  private let samples: [Int16]

  init(_ sound: Sound) { samples = sound.samples }

  /// How long it is.
  var milliseconds: Int { samples.count * 1_000 / RecordAudio.sampleRate }

  /// Whether its end cannot be played.
  var isCut: Bool { samples.count > Self.playedLimit }

  /// A WAV file in base 64.
  var base64: String {
    Data(WaveFile(samples: Array(samples.prefix(Self.playedLimit))).encoded).base64EncodedString()
  }

  /// The loudest sample of each of equal parts, in percent of the loudest there can be.
  var outline: [Int] {
    guard !samples.isEmpty else { return [] }
    let count = min(Self.outlineLimit, samples.count)
    return (0..<count).map { part in
      let range = (samples.count * part / count)..<(samples.count * (part + 1) / count)
      return Int(samples[range].map(\.magnitude).max() ?? 0) * 100 / 32_768
    }
  }
}
