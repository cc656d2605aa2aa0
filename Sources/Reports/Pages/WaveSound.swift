import Bytes
import Foundation

/// A sound as a page holds it: playable octets and the outline of its wave.
struct WaveSound {
  /// Samples that can be played; the outline shows all.
  static let playedLimit = 60 * SoundClip.rate
  /// Points of an outline.
  static let outlineLimit = 600

  private let samples: [Int16]

  init(_ clip: SoundClip) { samples = clip.samples }

  /// A WAV file of one channel and 16 bits (RIFF, PCM), in base 64.
  var base64: String {
    let octets = UInt32(min(samples.count, Self.playedLimit) * 2)
    var writer = ByteWriter(capacity: 44 + Int(octets))
    writer.write(Array("RIFF".utf8))
    writer.write(36 + octets)
    writer.write(Array("WAVEfmt ".utf8))
    writer.write(UInt32(16))
    for word in [1, 1] { writer.write(UInt16(word)) }
    writer.write(UInt32(SoundClip.rate))
    writer.write(UInt32(SoundClip.rate * 2))
    for word in [2, 16] { writer.write(UInt16(word)) }
    writer.write(Array("data".utf8))
    writer.write(octets)
    for sample in samples.prefix(Self.playedLimit) { writer.write(UInt16(bitPattern: sample)) }
    return Data(writer.bytes).base64EncodedString()
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
