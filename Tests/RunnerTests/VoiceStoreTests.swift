import DictofunProtocol
import Recorder
import Testing
import Timeline

@testable import Runner

struct VoiceStoreTests {
  private static let forgetful: RecorderProfile = {
    var profile = RecorderProfile.reference
    profile.faults.recording.codecForgetsLabel = true
    return profile
  }()

  private static func encoded(_ number: Int, _ sampleCount: Int, _ profile: RecorderProfile) -> [UInt8] {
    let file = WaveFile(sampleRate: profile.sampleRate, samples: SyntheticVoice.samples(sampleCount, number: number))
    return PlacedRecord(file, begunAt: CivilTime(secondsSince2000: 0), profile: profile).content
  }

  /// In whatever order lengths, voices and profiles are asked for.
  @Test func aVoiceIsWhatItWouldBeWithoutTheStore() {
    let chance = ChoiceSource(seed: 7).stream("voices")
    let store = VoiceStore()
    for _ in 0..<200 {
      let number = Int(chance.below(3))
      let sampleCount = Int(chance.below(4000))
      let profile = chance.below(2) == 0 ? RecorderProfile.reference : Self.forgetful
      #expect(
        store.content(ofVoice: number, sampleCount: sampleCount, profile) == Self.encoded(number, sampleCount, profile))
    }
  }
}
