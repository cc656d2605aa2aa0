import Processor

/// Power, reset, and what is done to the board from outside.
extension RecorderBoard {
  /// The memories of the board's chip: flash with the factory's settings, RAM, factory and user registers.
  package static func memory(of description: BoardDescription) throws(MemoryFault) -> Memory {
    var memory = try Memory(regions: [
      MemoryRegion(base: 0, size: description.chip.flashSize, kind: .readOnly, name: "flash"),
      MemoryRegion(base: 0x2000_0000, size: description.chip.ramSize, kind: .readWrite, name: "RAM"),
      MemoryRegion(base: 0x1000_0000, size: 0x2000, kind: .readOnly, name: "factory and user registers"),
    ])
    let values: [(UInt32, UInt32)] = [
      (0x010, 4096), (0x014, UInt32(description.chip.flashSize / 4096)), (0x0A0, 1),
      (0x100, description.chip.part), (0x104, description.chip.variant),
      (0x10C, UInt32(description.chip.ramSize >> 10)), (0x110, UInt32(description.chip.flashSize >> 10)),
      (0x130, description.chip.revision.first ?? 0),
      (0x134, description.chip.revision.count > 1 ? description.chip.revision[1] : 0),
      // User registers as after a first start: the reset pin is chosen, the pins of NFC are ordinary ones.
      (0x1200, 18), (0x1204, 18), (0x120C, 0xFFFF_FFFE),
    ]
    for (offset, value) in values { try setRegister(offset, value, in: &memory) }
    return memory
  }

  /// Gives the chip of a memory the device address that the factory wrote, six octets, least significant first.
  package static func setAddress(_ address: [UInt8], in memory: inout Memory) throws(MemoryFault) {
    let octets = address + [UInt8](repeating: 0, count: max(0, 6 - address.count))
    let low = (0..<4).reduce(UInt32(0)) { $0 | UInt32(octets[$1]) << UInt32($1 * 8) }
    let values: [(UInt32, UInt32)] = [
      (0x060, low), (0x064, ~low), (0x0A4, low), (0x0A8, 0xFFFF_0000 | UInt32(octets[4]) | UInt32(octets[5]) << 8),
    ]
    for (offset, value) in values { try setRegister(offset, value, in: &memory) }
  }

  private static func setRegister(_ offset: UInt32, _ value: UInt32, in memory: inout Memory) throws(MemoryFault) {
    try memory.load((0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }, at: 0x1000_0000 + offset)
  }

  /// The chip resets: its blocks start afresh, but for the watchdog when firmware or a lockup brought it about (product
  /// specifications, "Reset behavior"); the parts around it keep their state.
  package mutating func reset(_ reason: ResetReason) {
    var fresh = RecorderBoard(description)
    fresh.context.cycle = context.cycle
    fresh.context.events = context.events
    fresh.parts = parts
    fresh.clock.retained = clock.retained
    fresh.clock.resetReason = clock.resetReason | reason.bit
    fresh.gpio.drive(description.button, high: parts.isButtonPressed)
    if reason == .software || reason == .lockup {
      fresh.watchdog = watchdog
      fresh.watchdog.surviveReset(&fresh.context)
    }
    self = fresh
  }

  /// Power is gone. What outlives it is the clock chip, what the flash for records holds, and what surrounds the board.
  package mutating func losePower() {
    parts.storage.losePower()
    parts.latch.open()
    parts.console.waiting = []
    clock.retained = [0, 0]
    clock.resetReason = 0
    reset(.powerOn)
  }

  /// The processor has fallen asleep or woken up.
  package mutating func processorSleeps(_ isAsleep: Bool, at cycle: UInt64) {
    context.cycle = max(context.cycle, cycle)
    watchdog.processorSleeps(isAsleep, &context)
  }

  // MARK: The chip's flash

  /// The cycle until which the processor stands still, because its flash is written or erased; `nil` while it does not.
  package var haltedUntil: UInt64? { nvmc.due }

  /// What is done to the chip's flash now; `nil` for nothing.
  package var flashWork: FlashWork? { nvmc.current }

  /// Whether firmware has write-protected the flash at an address.
  package func isFlashProtected(_ address: UInt32) -> Bool { nvmc.isProtected(address) }

  /// Lets the processor stand still until this is done to its flash, one after the other.
  package mutating func perform(_ work: [FlashWork], at cycle: UInt64) {
    context.cycle = max(context.cycle, cycle)
    nvmc.begin(work, checked: false, &context)
  }

  // MARK: What people do

  /// Whether the board has what keeps its power on: the latch, the button, or something that holds the rail.
  package var holdsPower: Bool { parts.holdsPower }

  /// Whether the button is down.
  package var isButtonPressed: Bool {
    get { parts.isButtonPressed }
    set {
      parts.isButtonPressed = newValue
      gpio.drive(description.button, high: newValue)
    }
  }

  /// Whether something holds the power rail.
  package var isRailHeld: Bool {
    get { parts.latch.isRailHeld }
    set { parts.latch.isRailHeld = newValue }
  }

  /// Voltage at the battery's terminals, in millivolts.
  package var batteryMillivolts: Int {
    get { parts.batteryMillivolts }
    set { parts.batteryMillivolts = newValue }
  }

  /// Lets the microphone hear samples, 16,000 a second, from `cycle` on.
  package mutating func hear(_ samples: [Int16], repeats: Bool, from cycle: UInt64) {
    parts.microphone = SoundSource(samples: samples, begin: cycle, repeats: repeats)
  }

  /// Types at the console.
  package mutating func type(_ octets: [UInt8], at cycle: UInt64) {
    context.cycle = max(context.cycle, cycle)
    parts.console.waiting += octets
    uarte.wake(&context)
  }

  // MARK: What can be seen

  /// The general-purpose retention registers (GPREGRET, GPREGRET2).
  package var retained: [UInt8] { clock.retained.map { UInt8(truncatingIfNeeded: $0) } }

  /// Why the chip started (RESETREAS), as bits that the program has not cleared.
  package var resetReason: UInt32 { clock.resetReason }

  /// The flash for records.
  package var storage: NORFlash {
    get { parts.storage }
    set { parts.storage = newValue }
  }

  /// Lets power fail at an operation of the flash for records, after `count` more were begun; `nil` takes that back.
  package mutating func failPower(afterStorageOperations count: Int?) {
    parts.storage.operationsBeforePowerFails = count
  }

  /// Whether power failed at an operation of the flash for records.
  package var hasPowerFailed: Bool { parts.storage.hasPowerFailed }

  /// Seconds since 2000-01-01 00:00:00 that the clock chip shows at a cycle.
  package func clockSeconds(at cycle: UInt64) -> Int64 { parts.clock.seconds(at: cycle) }

  /// Sets the clock chip by hand.
  package mutating func setClock(seconds: Int64, at cycle: UInt64) { parts.clock.set(seconds: seconds, at: cycle) }

  /// Changes how much faster the clock chip's crystal is than the processor's, in parts per billion.
  package mutating func setClockError(partsPerBillion: Int64, at cycle: UInt64) {
    parts.clock.setError(partsPerBillion: partsPerBillion, at: cycle)
  }

  /// How bright the lights of the board are at a cycle, in its order, 0 to 1,024; `nil` while they are off.
  package func brightness(at cycle: UInt64, _ memory: Memory) -> [Int]? {
    guard let duties = pwm.duties(at: cycle, memory) else { return nil }
    return description.lights.map { light in
      duties.indices.first { pwm.pin($0) == light }.map { duties[$0] } ?? 0
    }
  }
}

/// Why the chip started (RESETREAS).
package enum ResetReason: Hashable, Sendable {
  /// Power came.
  case powerOn
  /// The watchdog was not fed.
  case watchdog
  /// The firmware asked for it.
  case software
  /// The processor stood still after a fault in a fault.
  case lockup

  /// Its bit in RESETREAS; 0 for power on.
  var bit: UInt32 {
    switch self {
    case .powerOn: 0
    case .watchdog: 2
    case .software: 4
    case .lockup: 8
    }
  }
}
