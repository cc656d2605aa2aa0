import Processor

/// How fast the processor executes, and how fast a processor that has run can be copied.
enum ProcessorSpeed {
  private static let warmUp: UInt64 = 2_000_000
  private static let measured: UInt64 = 20_000_000

  /// Instructions a second of CPU time of a guest.
  static func instructionsPerSecond(_ program: [UInt32], repetitions: Int) throws -> Int {
    var processor = try processor(program)
    var bus = NothingThere()
    _ = processor.run(until: warmUp, bus: &bus)
    let nanoseconds = try Measurement.median(of: repetitions) {
      let stop = processor.run(until: processor.cycles + measured, bus: &bus)
      guard stop == .limit else { throw Measurement.Spoilt(description: "the guest stopped: \(stop)") }
    }
    guard processor.executedInstructions == processor.cycles else {
      throw Measurement.Spoilt(description: "the guest was skipped, not executed")
    }
    return Int(Double(measured) * 1e9 / Double(max(nanoseconds, 1)))
  }

  /// CPU time of copying a processor, and of the copy's first instructions, which part it from its original.
  static func forkNanoseconds(repetitions: Int) throws -> Int {
    var original = try processor(BenchmarkGuest.mix)
    var bus = NothingThere()
    _ = original.run(until: warmUp, bus: &bus)
    return try Measurement.median(of: repetitions) {
      var copy = original
      _ = copy.run(until: copy.cycles + 10, bus: &bus)
    }
  }

  private static func processor(_ program: [UInt32]) throws -> CortexM4 {
    var memory = try Memory(regions: [
      MemoryRegion(base: 0, size: 1 << 20, kind: .readOnly, name: "flash"),
      MemoryRegion(base: 0x2000_0000, size: 1 << 18, kind: .readWrite, name: "RAM"),
    ])
    try memory.load(program.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }, at: 0)
    var processor = CortexM4(memory: memory)
    processor.reset(vectorTable: 0)
    return processor
  }
}

/// A bus on which nothing answers.
private struct NothingThere: PeripheralBus {
  mutating func read(_ address: UInt32, _ width: AccessWidth, at cycle: UInt64) -> BusRead { .fault }
  mutating func write(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64) -> BusWrite { .fault }
}
