/// What the microphone hears: samples at 16,000 a second from an instant on, over and over.
struct SoundSource: Hashable, Sendable {
  /// Samples; silence for none.
  var samples: [Int16] = []
  /// The cycle at which the first of them was heard.
  var begin: UInt64 = 0
  /// Whether they are heard again after the last.
  var repeats = true

  /// Cycles between two samples: 64 million a second over 16,000.
  private static let period: UInt64 = 4000

  /// The sound at a cycle, between two samples by a straight line.
  func value(at cycle: UInt64) -> Int16 {
    guard !samples.isEmpty, cycle >= begin else { return 0 }
    let position = cycle - begin
    let index = Int(clamping: position / Self.period)
    if !repeats, index >= samples.count { return 0 }
    let first = Int64(samples[index % samples.count])
    let second = Int64(samples[(index + 1) % samples.count])
    let fraction = Int64(position % Self.period)
    return Int16(clamping: first + (second - first) * fraction / Int64(Self.period))
  }
}
