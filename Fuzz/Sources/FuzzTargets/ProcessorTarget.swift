import Processor

/// Code of a stranger on the processor.
enum ProcessorTarget {
  private static let flash: UInt32 = 0
  private static let ram: UInt32 = 0x2000_0000
  private static let code: UInt32 = 0x200
  private static let stack: UInt32 = 0x2000_1000
  /// Cycles of a run, and faults that are given back to the guest.
  private static let (cycleLimit, stopLimit): (UInt64, Int) = (600, 24)

  /// One input is thirteen registers, what is switched on, and code. Whatever it does, it ends in a stop that is its own,
  /// and executing it one cycle at a time ends in the very same processor.
  static func code(_ octets: [UInt8]) -> Bool {
    guard octets.count > 60, let whole = processor(octets) else { return false }
    var (once, slowly, bus) = (whole, whole, Bus())
    let stops = run(&once, &bus) { cycleLimit }
    var slowBus = Bus()
    let slowStops = run(&slowly, &slowBus) { 1 }
    precondition(once == slowly, "a processor that is run slowly does something else")
    precondition(stops == slowStops, "a processor that is run slowly stops elsewhere")
    precondition(bus == slowBus, "a processor that is run slowly asks the bus for something else")
    return once.cycles > 8
  }

  private static func processor(_ octets: [UInt8]) -> CortexM4? {
    var input = InputReader(octets)
    let regions = [
      MemoryRegion(base: flash, size: 0x4000, kind: .readOnly, name: "flash"),
      MemoryRegion(base: ram, size: 0x2000, kind: .readWrite, name: "RAM"),
    ]
    guard var memory = try? Memory(regions: regions) else { preconditionFailure("the regions are refused") }
    let registers = (0..<13).map { _ in input.word() }
    let switches = input.octet()
    let rest = input.octets(0x2000)
    var content = [stack, code | 1].flatMap(little)
    // Every exception has its handler somewhere in the code.
    for number in 2..<128 { content += little(code + UInt32(number * 32) | 1) }
    guard (try? memory.load(content, at: flash)) != nil, (try? memory.load(rest, at: code)) != nil else {
      preconditionFailure("the code does not fit")
    }
    var processor = CortexM4(
      memory: memory,
      settings: .init(hostCalls: switches & 1 == 0 ? 0x10...0xFF : nil, skipsSpinning: switches & 2 == 0))
    processor.reset(vectorTable: 0)
    for (number, value) in registers.enumerated() { processor[register: number] = value }
    if switches & 4 != 0 { processor.enableFloatingPoint() }
    if switches & 8 != 0 {
      processor.setEnabled(true, interrupt: 3)
      processor.setPending(interrupt: 3)
    }
    return processor
  }

  /// Runs on until the limit, past faults, calls and attention; sleep ends by an interrupt. Returns why it stopped on the way.
  private static func run(_ processor: inout CortexM4, _ bus: inout Bus, step: () -> UInt64) -> [Stop] {
    var stops: [Stop] = []
    while processor.cycles < cycleLimit, stops.count < stopLimit {
      let before = processor.cycles
      let stop = processor.run(until: min(before + step(), cycleLimit), bus: &bus)
      precondition(processor.cycles <= cycleLimit, "the processor ran beyond its limit")
      if stop == .limit {
        precondition(processor.cycles > before, "a run ends at a limit that it did not reach")
        continue
      }
      stops.append(stop)
      switch stop {
      case .limit, .attention, .supervisorCall: break
      case .fault: processor.deliverFault()
      case .breakpoint: processor.programCounter += 2
      case .waitForEvent: processor.setEvent()
      case .waitForInterrupt:
        processor.setEnabled(true, interrupt: 3)
        processor.setPending(interrupt: 3)
        if processor.endsSleep == false { return stops }
      case .systemReset, .lockup: return stops
      }
    }
    return stops
  }

  private static func little(_ word: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }

  /// A block of registers that notes what it is asked.
  private struct Bus: PeripheralBus, Equatable {
    var accesses: [UInt64] = []

    mutating func read(_ address: UInt32, _ width: AccessWidth, at cycle: UInt64) -> BusRead {
      guard address >> 16 == 0x4000 else { return .fault }
      accesses.append(cycle << 32 | UInt64(address))
      return .value(address &* 0x9E37_79B9)
    }

    mutating func write(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64) -> BusWrite {
      guard address >> 16 == 0x4000 else { return .fault }
      accesses.append(cycle << 32 | UInt64(value))
      return address & 0x8000 == 0 ? .done : .attention
    }
  }
}
