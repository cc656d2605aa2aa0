/// Sound for records whose scenario names none: integers only, different for every record, and lively enough that a
/// lost, doubled or shifted frame changes the octets.
struct SyntheticVoice {
  private let number: Int
  private var index = 0
  private var noise: UInt32
  private var phase: Int32 = 0

  /// The voice of a record; `number` tells records apart.
  init(number: Int) {
    self.number = number
    noise = UInt32(truncatingIfNeeded: number &* 2_654_435_761) | 1
  }

  /// Its next samples, at 16,000 a second.
  mutating func samples(_ count: Int) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: count) { samples, initialized in
      // A copy, which stays in registers: the samples might lie where `self` does.
      var voice = self
      while initialized < count {
        let eighth = voice.index >> 11
        let end = min(count, initialized + (eighth + 1) << 11 - voice.index)
        // A triangle whose pitch changes every eighth of a second, and noise on it.
        let step = Int32(300 + (eighth &* 97 &+ number &* 53) % 900)
        for index in initialized..<end { samples[index] = voice.sample(step) }
        voice.index += end - initialized
        initialized = end
      }
      self = voice
    }
  }

  private mutating func sample(_ step: Int32) -> Int16 {
    phase = (phase &+ step) & 0xFFFF
    let triangle = phase < 0x8000 ? phase - 0x4000 : 0xC000 - phase
    noise ^= noise << 13
    noise ^= noise >> 17
    noise ^= noise << 5
    return Int16(truncatingIfNeeded: triangle / 4 + Int32(noise & 0x3FF) - 512)
  }
}
