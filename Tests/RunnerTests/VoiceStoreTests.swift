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
    var voice = SyntheticVoice(number: number)
    return PlacedRecord.content(
      of: WaveFile(sampleRate: profile.sampleRate, samples: voice.samples(sampleCount)), profile)
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
        store.contents(ofVoices: number..<(number + 2), sampleCount: sampleCount, profile)
          == [number, number + 1].map { Self.encoded($0, sampleCount, profile) })
    }
  }

  /// Several ask for the same voices at the same time, as the jobs of a run do.
  @Test func everyJobGetsTheSameVoice() {
    let store = VoiceStore()
    let contents = ParallelRuns(jobs: 4).run(40) { index in
      store.contents(ofVoices: 0..<3, sampleCount: 128 * index, .reference)
    }
    #expect(contents == (0..<40).map { index in (0..<3).map { Self.encoded($0, 128 * index, .reference) } })
  }
}
