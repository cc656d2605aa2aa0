import Testing

@testable import DictofunProtocol

@Suite struct SoundAlignmentTests {
  /// What a microphone hears of a sound that began `late` samples before, at another rate.
  private static func heard(_ spoken: [Int16], late: Int = 0, rate: Int = 16_000) -> [Int16] {
    let slow = Resampler.convert(Array(spoken.dropFirst(late)), from: 16_000, to: max(rate, 16_000))
    return rate < 16_000 ? Resampler.convert(slow, from: 16_000, to: rate) : slow
  }

  private static func played(_ samples: [Int16]) -> [Int16] { RecordAudio.samples(of: RecordAudio.record(of: samples)) }

  private static let notes = ["note-idea-en", "note-shopping-en", "note-meeting-de"]

  /// The published firmware begins 76 ms late and takes 16,129 samples a second.
  @Test(arguments: notes, [(1216, 16_129), (6399, 16_000), (3333, 15_873)])
  func lateAndFastRecordsAreComparedWithWhatTheyCouldHear(_ note: String, _ way: (late: Int, rate: Int)) throws {
    let spoken = try scenarioAudio(note).samples
    let heard = Self.played(Self.heard(spoken, late: way.late, rate: way.rate))
    #expect(SignalQuality(of: heard, spoken: spoken).decibels >= 20)
    #expect(SignalQuality(expected: spoken.dropFirst(28), actual: heard.dropFirst(28)).decibels < 6)
  }

  @Test(arguments: notes + ["tone-1000hz"]) func aRecordOfTheSoundItselfKeepsItsRatio(_ note: String) throws {
    let spoken = try scenarioAudio(note).samples
    let heard = Self.played(spoken)
    let exact = SignalQuality(expected: spoken.dropFirst(28), actual: heard.dropFirst(28)).decibels
    #expect(exact...(exact + 1) ~= SignalQuality(of: heard, spoken: spoken).decibels)
  }

  /// The published firmware begins with two silent frames and drops the fourth one. A pitch period of these words is about as
  /// long as a frame, so their beginning must not decide where all the rest belongs.
  @Test(arguments: notes) func aSpoiledBeginningDoesNotMoveTheRest(_ note: String) throws {
    let spoken = try scenarioAudio(note).samples
    let whole = Self.heard(spoken, late: 1095, rate: 16_129)
    let spoiled = Self.played([Int16](repeating: 0, count: 256) + whole[128..<256] + whole[384...])
    let alignment = SoundAlignment(of: spoiled, in: spoken)
    #expect(abs(alignment.start / SoundAlignment.one - 1095) <= 2)
  }

  /// What spoils a sound is not taken for a late beginning or another rate.
  @Test func noAlignmentMakesUpForFaults() throws {
    let spoken = try scenarioAudio("note-shopping-en").samples
    let middle = spoken.count / 2
    let spoilt: [String: [Int16]] = [
      "a frame is missing": Array(spoken[..<middle] + spoken[(middle + 128)...]),
      "a frame comes twice": Array(spoken[..<middle] + spoken[(middle - 128)...]),
      "stale frames come first": Array(spoken[8000..<8512] + spoken),
      "two percent fast": Self.heard(spoken, rate: 15_680),
      "two percent slow": Self.heard(spoken, rate: 16_320),
      "half the speed": Self.heard(spoken, rate: 8000),
      "a second late": Self.heard(spoken, late: 16_000),
      "another sound": try scenarioAudio("tone-1000hz").samples,
      "silence": [Int16](repeating: 0, count: spoken.count),
      "backwards": spoken.reversed(),
    ]
    for (name, samples) in spoilt {
      let quality = SignalQuality(of: Self.played(samples), spoken: spoken)
      #expect(quality.decibels < 12, "\(name): \(quality.decibels) dB")
    }
    // The label of the published codec leaves an offset.
    var plain = AdaptiveCodec()
    var record = plain.encode(spoken[...])
    record.replaceSubrange(..<14, with: RecordAudio.codecLabel)
    #expect(SignalQuality(of: RecordAudio.samples(of: record), spoken: spoken).decibels < 12)
  }

  @Test func anySoundsAreCompared() {
    var numbers = SeededNumbers(5)
    let lengths = [0, 1, 27, 28, 29, 511, 512, 640, 641, 20_000]
    for heard in lengths {
      for spoken in lengths {
        let sounds = [heard, spoken].map { count in
          (0..<count).map { _ in Int16.random(in: .min ... .max, using: &numbers) }
        }
        let quality = SignalQuality(of: sounds[0], spoken: sounds[1])
        #expect((0...SignalQuality.maximumDecibels).contains(quality.decibels))
        #expect(heard < 2000 || spoken < 2000 || quality.decibels < 12)
      }
    }
  }
}
