import Processor

/// The board of a recorder without its processor: the chip's peripherals and the parts around the chip, as a value.
///
/// The processor reaches it as ``PeripheralBus``. Whoever runs the processor calls ``advance(_:)`` after every run, with
/// ``nextDue`` as the limit of the next one.
package struct RecorderBoard: PeripheralBus, Hashable, Sendable {
  /// Which board it is.
  package let description: BoardDescription
  var context = BlockContext()
  var parts = BoardParts()
  /// The run under way ends at this cycle at the latest; what is planned before it ends the run earlier.
  private var limit: UInt64 = 0
  private var reported: Set<UInt32> = []

  var clock = ClockAndPower()
  var uarte: SerialPort
  var spim: SPIMaster
  var twi = TwoWireMaster()
  var saadc = Converter()
  var watchdog = Watchdog()
  var rtc1 = RealTimeCounter(interrupt: 17, block: .rtc1)
  var software = SoftwareInterrupts()
  var pwm = PulseWidth()
  var pdm = DigitalMicrophone()
  var rtc2 = RealTimeCounter(interrupt: 36, block: .rtc2)
  var nvmc: FlashController
  var gpio: Pins
  var trims = Trims()

  /// A board without power.
  package init(_ description: BoardDescription) {
    self.description = description
    gpio = Pins(description)
    uarte = SerialPort(description.chip)
    spim = SPIMaster(description.chip)
    nvmc = FlashController(description.chip)
  }

  // MARK: Time

  /// The cycle at which the board does something next.
  package var nextDue: UInt64? { context.schedule.nextDue }

  /// Says how far the processor may run before the board must act.
  package mutating func prepareRun(until limit: UInt64) -> UInt64 {
    self.limit = min(limit, nextDue ?? .max)
    return self.limit
  }

  /// Does everything that is due, and hands the interrupts that are asked for to the processor.
  package mutating func advance(_ processor: inout CortexM4) {
    context.cycle = processor.cycles
    while let due = context.schedule.takeDue(at: processor.cycles) {
      perform(due, &processor.memory)
    }
    // A line that is high keeps its interrupt pending while no handler has it.
    var interrupts = context.takeRisen() | context.lines & ~processor.activeInterrupts
    while interrupts != 0 {
      processor.setPending(interrupt: interrupts.trailingZeroBitCount)
      interrupts &= interrupts - 1
    }
  }

  /// What happened since it was asked last.
  package mutating func takeEvents() -> [BoardEvent] {
    guard !context.events.isEmpty else { return [] }
    defer { context.events.removeAll(keepingCapacity: true) }
    return context.events
  }

  private mutating func perform(_ due: ScheduledAction, _ memory: inout Memory) {
    let (action, generation) = (due.action, due.generation)
    switch due.block {
    case .clock: clock.perform(action, generation: generation, &memory, &parts, &context)
    case .uarte: uarte.perform(action, generation: generation, &memory, &parts, &context)
    case .spim: spim.perform(action, generation: generation, &memory, &parts, &context)
    case .twi: twi.perform(action, generation: generation, &memory, &parts, &context)
    case .saadc: saadc.perform(action, generation: generation, &memory, &parts, &context)
    case .watchdog: watchdog.perform(action, generation: generation, &memory, &parts, &context)
    case .rtc1: rtc1.perform(action, generation: generation, &memory, &parts, &context)
    case .rtc2: rtc2.perform(action, generation: generation, &memory, &parts, &context)
    case .software: software.perform(action, generation: generation, &memory, &parts, &context)
    case .pwm: pwm.perform(action, generation: generation, &memory, &parts, &context)
    case .pdm: pdm.perform(action, generation: generation, &memory, &parts, &context)
    case .nvmc: nvmc.perform(action, generation: generation, &memory, &parts, &context)
    case .gpio: gpio.perform(action, generation: generation, &memory, &parts, &context)
    case .trims: break
    }
  }

  package var interruptLines: UInt64 { context.lines }

  // MARK: Registers

  package mutating func read(_ address: UInt32, _ width: AccessWidth, at cycle: UInt64) -> BusRead {
    context.cycle = cycle
    let offset = address & 0xFFC
    guard Self.answers(at: address) else { return .fault }
    guard let block = Self.block(at: address), let word = readRegister(block, offset) else {
      note(address, isWrite: false)
      return .value(0)
    }
    let shifted = word >> ((address & 3) * 8)
    return .value(width == .word ? shifted : shifted & (width == .byte ? 0xFF : 0xFFFF))
  }

  package mutating func write(
    _ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64
  ) -> BusWrite {
    // The instruction that writes is complete when what it started begins.
    context.cycle = cycle + 1
    guard Self.answers(at: address) else { return .fault }
    guard let block = Self.block(at: address), writeRegister(block, address & 0xFFC, value) else {
      note(address, isWrite: true)
      return .done
    }
    return mustAct ? .attention : .done
  }

  package mutating func program(
    _ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64
  ) -> BusWrite {
    context.cycle = cycle + 1
    guard nvmc.program(address, width, value, &context) else { return .fault }
    return mustAct ? .attention : .done
  }

  /// Whether the processor has to pause for what a write has begun.
  private var mustAct: Bool { context.risen != 0 || nvmc.due != nil || (nextDue ?? .max) < limit }

  /// Each register that is not modelled is told once.
  private mutating func note(_ address: UInt32, isWrite: Bool) {
    guard reported.count < 256, reported.insert(address & ~3 | (isWrite ? 1 : 0)).inserted else { return }
    context.events.append(.notModelled(address: address, isWrite: isWrite))
  }

  /// Whether the chip has peripherals around an address (product specifications, "Memory map"): elsewhere beside its
  /// memories nothing answers.
  private static func answers(at address: UInt32) -> Bool {
    0x4000_0000..<0x6000_0000 ~= address || address >= 0xE000_0000
  }

  private static func block(at address: UInt32) -> BlockIdentifier? {
    switch address & ~0xFFF {
    case 0x4000_0000: .clock
    case 0x4000_2000: .uarte
    case 0x4000_3000: .spim
    case 0x4000_4000: .twi
    case 0x4000_7000: .saadc
    case 0x4001_0000: .watchdog
    case 0x4001_1000: .rtc1
    case 0x4002_4000: .rtc2
    case 0x4001_6000: .software
    case 0x4001_C000: .pwm
    case 0x4001_D000: .pdm
    case 0x4001_E000: .nvmc
    case 0x5000_0000: .gpio
    case 0x4000_1000, 0x4000_C000, 0x4001_3000, 0xF000_0000: .trims
    default: nil
    }
  }

  private mutating func readRegister(_ block: BlockIdentifier, _ offset: UInt32) -> UInt32? {
    switch block {
    case .clock: clock.read(offset, &context)
    case .uarte: uarte.read(offset, &context)
    case .spim: spim.read(offset, &context)
    case .twi: twi.read(offset, &context)
    case .saadc: saadc.read(offset, &context)
    case .watchdog: watchdog.read(offset, &context)
    case .rtc1: rtc1.read(offset, &context)
    case .rtc2: rtc2.read(offset, &context)
    case .software: software.read(offset, &context)
    case .pwm: pwm.read(offset, &context)
    case .pdm: pdm.read(offset, &context)
    case .nvmc: nvmc.read(offset, &context)
    case .gpio: gpio.read(offset, &context)
    case .trims: trims.read(offset, description.chip)
    }
  }

  private mutating func writeRegister(_ block: BlockIdentifier, _ offset: UInt32, _ value: UInt32) -> Bool {
    switch block {
    case .clock: clock.write(offset, value, &context)
    case .uarte: uarte.write(offset, value, &context)
    case .spim: spim.write(offset, value, &context)
    case .twi: twi.write(offset, value, &context)
    case .saadc: saadc.write(offset, value, &context)
    case .watchdog: watchdog.write(offset, value, &context)
    case .rtc1: rtc1.write(offset, value, &context)
    case .rtc2: rtc2.write(offset, value, &context)
    case .software: software.write(offset, value, &context)
    case .pwm: pwm.write(offset, value, &context)
    case .pdm: pdm.write(offset, value, &context)
    case .nvmc: nvmc.write(offset, value, &context)
    case .gpio: gpio.write(offset, value, &context)
    case .trims: true
    }
  }
}
