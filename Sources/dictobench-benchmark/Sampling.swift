import Timeline

/// What a measurement is repeated for: one unmeasured warm-up, then so many repetitions of which the median counts.
struct Sampling {
  /// How many repetitions are measured; odd, so that the median is one of them.
  let repetitions: Int

  /// Runs `work` once for nothing and then measures each repetition; `work` gives back what it measured.
  func samples<Value>(_ work: () throws -> Value) rethrows -> [Value] {
    _ = try work()
    return try (0..<repetitions).map { _ in try work() }
  }
}

/// Processor time that `work` takes on all threads of this process, in nanoseconds.
func processorTime(_ work: () throws -> Void) rethrows -> Double {
  let began = MachineClock.processorNanoseconds()
  try work()
  return Double(MachineClock.processorNanoseconds() - began)
}

extension [Double] {
  /// The middle one of an odd number of values. Traps when there is none.
  var median: Double {
    precondition(!isEmpty, "nothing was measured")
    return sorted()[count / 2]
  }
}
