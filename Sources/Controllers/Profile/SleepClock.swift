/// Arithmetic of clocks that are wrong by some parts per million, in whole nanoseconds.
enum SleepClock {
  /// The real duration of a span that a clock with this error measures.
  static func stretch(_ nanoseconds: UInt64, partsPerMillion: Int32) -> UInt64 {
    if partsPerMillion == 0 { return nanoseconds }
    // Split, so that no product overflows before the end of any run.
    let (millions, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let error = Int64(millions) * Int64(partsPerMillion) + Int64(rest) * Int64(partsPerMillion) / 1_000_000
    return UInt64(max(0, Int64(nanoseconds) + error))
  }
}
