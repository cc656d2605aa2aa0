/// Sound for records whose scenario names none: integers only, different for every record, and lively enough that a
/// lost, doubled or shifted frame changes the octets.
enum SyntheticVoice {
  /// `count` samples at 16,000 a second; `number` tells records apart.
  static func samples(_ count: Int, number: Int) -> [Int16] {
    var result: [Int16] = []
    result.reserveCapacity(count)
    var noise = UInt32(truncatingIfNeeded: number &* 2_654_435_761) | 1
    var phase: Int32 = 0
    for index in 0..<count {
      // A triangle whose pitch changes every eighth of a second, and noise on it.
      let step = Int32(300 + (index >> 11 &* 97 &+ number &* 53) % 900)
      phase = (phase &+ step) & 0xFFFF
      let triangle = phase < 0x8000 ? phase - 0x4000 : 0xC000 - phase
      noise ^= noise << 13
      noise ^= noise >> 17
      noise ^= noise << 5
      result.append(Int16(truncatingIfNeeded: triangle / 4 + Int32(noise & 0x3FF) - 512))
    }
    return result
  }
}
