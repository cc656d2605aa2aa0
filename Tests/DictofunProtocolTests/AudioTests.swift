import Bytes
import Foundation
import Testing

@testable import DictofunProtocol

@Suite struct AudioTests {
  @Test(arguments: [
    (Array(repeating: Int16(0), count: 8), "00000000", 0, 0),
    (Array(repeating: Int16(1000), count: 8), "77777508", 1001, 42),
    ([0, 100, 200, 300, -300, 32767, -32768, 0], "0777f7f2", 82, 47),
    ([0, 172, 339, 495, 637, 760, 861, 935, 982, 1000, 988, 946, 876, 780, 661, 522], "07777731 00889aac", 518, 33),
  ])
  func codecGivesTheKnownOctets(samples: [Int16], hexadecimal: String, predictor: Int, stepIndex: Int) {
    var encoder = AdaptiveCodec()
    let octets = encoder.encode(samples[...])
    #expect(octets == Hexadecimal.bytes(hexadecimal))
    #expect(encoder.predictor == predictor)
    #expect(encoder.stepIndex == stepIndex)
    var decoder = AdaptiveCodec()
    #expect(decoder.decode(octets).last == Int16(predictor))
    #expect(decoder == encoder)
  }

  @Test func theTablesGiveWhatTheStepsOneByOneGive() {
    var numbers = SeededNumbers(2)
    // Loud and quiet in turn, so that every size of step is reached.
    let samples = (0..<50_000).map { number in
      let loudness = 1 << (number / 500 % 16)
      return Int16(Int.random(in: -loudness..<loudness, using: &numbers))
    }
    var reference = StepByStep()
    var codes: Set<UInt8> = []
    var heard: [Int16] = []
    let nibbles = samples.map { sample in
      let code = reference.encode(sample)
      codes.insert(code)
      heard.append(Int16(reference.predictor))
      return code
    }
    let octets = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    var encoder = AdaptiveCodec()
    #expect(encoder.encode(samples[...]) == octets)
    var decoder = AdaptiveCodec()
    #expect(decoder.decode(octets) == heard)
    #expect(decoder == encoder)
    #expect(codes.count == 16)
    #expect(heard.contains(.max))
    #expect(heard.contains(.min))
    #expect(encoder.encode([1, 2, 3]).count == 2)
  }

  /// Chance hits hardly any of them: the seven differences of each step at which its code changes, and those before them.
  @Test func everyBoundIsWhereTheStepsHaveIt() {
    let mistakes = AdaptiveScale.using { scale in
      AdaptiveScale.stepSizes.enumerated().flatMap { index, step in
        (1...7).flatMap { code in
          let bound = [(4, step), (2, step >> 1), (1, step >> 2)].reduce(0) { code & $1.0 != 0 ? $0 + $1.1 : $0 }
          return [bound - 1, bound].filter { difference in
            var rising = StepByStep(predictor: -32_768, stepIndex: index)
            var falling = StepByStep(predictor: 32_767, stepIndex: index)
            return scale.code(of: Int(difference), index) != rising.encode(Int16(difference - 32_768))
              || difference > 0 && scale.code(of: -Int(difference), index) != falling.encode(Int16(32_767 - difference))
          }
        }
      }
    }
    #expect(mistakes.isEmpty)
  }

  /// The codec as the recommendation tells it: from the largest part of the step to the smallest, each taken away when it fits.
  private struct StepByStep {
    var predictor: Int32 = 0
    var stepIndex = 0

    mutating func encode(_ sample: Int16) -> UInt8 {
      let step = AdaptiveScale.stepSizes[stepIndex]
      var difference = Int32(sample) - predictor
      var code: UInt8 = 0
      if difference < 0 { (code, difference) = (8, -difference) }
      var change = step >> 3
      for (bit, part) in [(UInt8(4), step), (2, step >> 1), (1, step >> 2)] where difference >= part {
        code |= bit
        difference -= part
        change += part
      }
      predictor = min(max(predictor + (code < 8 ? change : -change), -32_768), 32_767)
      stepIndex = min(max(stepIndex + [-1, -1, -1, -1, 2, 4, 6, 8][Int(code & 7)], 0), 88)
      return code
    }
  }

  /// The length of silence after the sound lets a lasting offset show itself.
  @Test func recordSoundsAsSpokenAndLeavesNoOffset() throws {
    let note = try scenarioAudio("note-idea-en")
    #expect(note.sampleRate == 16_000)
    let samples = note.samples + Array(repeating: 0, count: 4096)
    let record = RecordAudio.record(of: samples)
    #expect(record.count == samples.count / 128 * 64)
    #expect(record.starts(with: RecordAudio.codecLabel))
    let heard = Sound.record(record).samples
    #expect(heard == RecordAudio.samples(of: record))
    #expect(heard.prefix(RecordAudio.labelSamples).allSatisfy { $0 == 0 })
    let quality = SignalQuality(expected: samples.dropFirst(28), actual: heard.dropFirst(28))
    #expect(quality.decibels >= 20)
    #expect(abs(quality.meanOffset) <= 1)
    #expect((heard.last ?? 99).magnitude < 16)
  }

  @Test func toneKeepsItsQuality() throws {
    let tone = try scenarioAudio("tone-1000hz")
    let heard = RecordAudio.samples(of: RecordAudio.record(of: tone.samples))
    // The codec needs some hundred samples to follow a tone that starts at once.
    #expect(SignalQuality(expected: tone.samples.dropFirst(512), actual: heard.dropFirst(512)).decibels >= 20)
  }

  @Test func waveFileIsReadAsItWasWritten() throws {
    let file = WaveFile(samples: [0, 1, -1, .max, .min])
    let octets = file.encoded
    #expect(octets.count == 44 + 10)
    #expect(
      Hexadecimal.string(Array(octets.prefix(44)))
        == "524946462e00000057415645666d7420" + "1000000001000100803e0000007d0000" + "02001000646174610a000000")
    #expect(try WaveFile(decoding: octets) == file)
    for length in 0..<octets.count {
      #expect(throws: DecodingFailure.self) { try WaveFile(decoding: Array(octets.prefix(length))) }
    }
  }

  @Test(arguments: [
    // Eight bits, two channels, an unknown chunk of odd length before the samples.
    ("01000200401f0000803e000002000800", "4c49535403000000616263 00", "80ff 0080", [Int16(16_256), -16_384]),
    // Sixteen bits, extensible.
    ("feff0100401f0000803e00000200100016001000040000000100" + "000000001000800000aa00389b71", "", "0100ffff", [1, -1]),
  ])
  func waveFilesOfOtherShapesAreRead(format: String, chunk: String, data: String, samples: [Int16]) throws {
    func octets(_ text: String) -> [UInt8] { Hexadecimal.bytes(text) ?? [] }
    func length(_ octets: [UInt8]) -> [UInt8] { [UInt8(octets.count), 0, 0, 0] }
    var file = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVEfmt ".utf8)
    file += length(octets(format)) + octets(format) + octets(chunk) + Array("data".utf8)
    file += length(octets(data)) + octets(data)
    let wave = try WaveFile(decoding: file)
    #expect(wave.samples == samples)
    #expect(wave.sampleRate == 8000)
  }

  @Test(arguments: [(20, 2), (22, 3), (24, 1), (34, 24), (32, 4), (36, 0xFF)])
  func waveFileThatIsNotPlainSoundIsRefused(offset: Int, value: UInt8) {
    var octets = WaveFile(samples: [1, 2]).encoded
    octets[offset] = value
    if offset == 24 { octets.replaceSubrange(24..<28, with: [0xE7, 3, 0, 0]) }
    #expect(throws: DecodingFailure.self) { try WaveFile(decoding: octets) }
  }

  @Test func waveReaderAnswersAnyOctets() {
    var numbers = SeededNumbers(3)
    let good = WaveFile(samples: Array(repeating: 5, count: 20)).encoded
    for _ in 0..<20_000 {
      var octets = good
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        octets[Int.random(in: 0..<octets.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
      }
      _ = try? WaveFile(decoding: octets)
      _ = RecordAudio.samples(of: octets)
    }
  }

  @Test(arguments: [8000, 11_025, 16_129, 22_050, 44_100, 48_000, 96_000])
  func resamplingKeepsDurationLevelAndPitch(rate: Int) throws {
    let tone = try scenarioAudio("tone-1000hz").samples
    let there = Resampler.convert(tone, from: 16_000, to: rate)
    #expect(there.count == tone.count * rate / 16_000)
    let back = Resampler.convert(there, from: rate, to: 16_000)
    #expect(abs(back.count - tone.count) <= 2)
    func crossings(_ samples: [Int16]) -> Int { zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 } }
    #expect(abs(crossings(back) - crossings(tone)) <= 1)
    func peak(_ samples: [Int16]) -> Int { samples.map { Int($0.magnitude) }.max() ?? 0 }
    #expect(peak(back) * 10 > peak(tone) * 8)
    #expect(Resampler.convert(tone, from: 16_000, to: 16_000) == tone)
    let constant = Resampler.convert(Array(repeating: -7, count: 1000), from: rate, to: 16_000)
    #expect(constant.allSatisfy { $0 == -7 })
  }

  @Test(arguments: [(1000, 1000, 120), (1000, 900, 20), (1000, 500, 6), (1000, 0, 0), (1000, 2000, 0), (0, 5, 0)])
  func decibelsAreRoundedDown(wanted: Int16, got: Int16, decibels: Int) {
    #expect(SignalQuality(expected: [wanted], actual: [got]).decibels == decibels)
  }
}

/// Reads a file of `scenarios/audio`.
func scenarioAudio(_ name: String) throws -> WaveFile {
  let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let data = try Data(contentsOf: repository.appending(path: "scenarios/audio/\(name).wav"))
  return try WaveFile(decoding: [UInt8](data))
}
