import Processor

/// UARTE0 (0x40002000): the console.
struct SerialPort: ChipBlock {
  private var events = EventRegisters(interrupt: 2)
  private var registers = PlainRegisters()
  private var isReceiving = false
  /// Octets in the buffer that is being filled. Its pointer was latched when receiving began.
  private var received: UInt32 = 0
  private var receivePointer: UInt32 = 0
  private var receiveLimit: UInt32 = 0
  private var receiveGeneration: UInt32 = 0
  private var isOctetUnderWay = false

  private let access = DirectAccess("UARTE0")
  /// The bits that TXD.MAXCNT and RXD.MAXCNT have.
  private let countMask: UInt32

  private static let transmit: UInt8 = 0
  private static let transmitted: UInt8 = 1
  private static let octet: UInt8 = 2
  private static let receiveStopped: UInt8 = 3

  init(_ chip: BoardDescription.Chip) { countMask = chip.transferMask }

  /// Cycles for ten bits: start, eight data, stop.
  private var octetTime: UInt64 {
    let rate = registers[0x524]
    return rate == 0 ? 5556 : max(1, 40 * (1 << 32) / UInt64(rate))
  }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    if let value = events.read(offset) { return value }
    switch offset {
    case 0x53C: return registers[0x53C]
    case 0x200, 0x480, 0x500...0x56C: return registers[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    if events.write(offset, value, &context) { return true }
    switch offset {
    case 0x000: if value != 0 { startReceiving(&context) }
    case 0x004: if value != 0 { stopReceiving(&context) }
    case 0x008: if value != 0 { context.schedule.add(.uarte, Self.transmit, at: context.cycle, generation: 0) }
    case 0x00C: if value != 0 { events.raise(0x158, &context) }
    case 0x02C: break
    case 0x538, 0x548: registers[offset] = value & countMask
    case 0x200, 0x480, 0x500...0x56C: registers[offset] = value
    default: return false
    }
    return true
  }

  private mutating func startReceiving(_ context: inout BlockContext) {
    isReceiving = true
    received = 0
    receivePointer = registers[0x534]
    receiveLimit = registers[0x538]
    events.raise(0x14C, &context)
    expectOctet(&context)
  }

  private mutating func stopReceiving(_ context: inout BlockContext) {
    registers[0x53C] = isReceiving ? received : 0
    isReceiving = false
    receiveGeneration += 1
    context.schedule.add(.uarte, Self.receiveStopped, at: context.cycle + 1000, generation: receiveGeneration)
  }

  private mutating func expectOctet(_ context: inout BlockContext) {
    receiveGeneration += 1
    context.schedule.add(.uarte, Self.octet, at: context.cycle + octetTime, generation: receiveGeneration)
    isOctetUnderWay = true
  }

  /// Something was typed; a receiver that waits goes on.
  mutating func wake(_ context: inout BlockContext) {
    if isReceiving, !isOctetUnderWay { expectOctet(&context) }
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    switch action {
    case Self.transmit: transmit(memory, &context)
    case Self.transmitted:
      events.raise(0x11C, &context)
      events.raise(0x120, &context)
    case Self.octet: if generation == receiveGeneration { receive(&memory, &parts, &context) }
    default: if generation == receiveGeneration { events.raise(0x144, &context) }
    }
  }

  private mutating func transmit(_ memory: Memory, _ context: inout BlockContext) {
    let count = registers[0x548]
    let octets = access.read(Int(count), from: registers[0x544], memory, &context)
    context.events.append(.console(octets))
    registers[0x54C] = count
    events.raise(0x150, &context)
    context.schedule.add(
      .uarte, Self.transmitted, at: context.cycle + UInt64(count) * octetTime, generation: 0)
  }

  private mutating func receive(_ memory: inout Memory, _ parts: inout BoardParts, _ context: inout BlockContext) {
    isOctetUnderWay = false
    guard isReceiving, !parts.console.waiting.isEmpty, received < receiveLimit else { return }
    let octet = parts.console.waiting.removeFirst()
    access.write([octet], to: receivePointer &+ received, &memory, &context)
    received += 1
    registers[0x53C] = received
    events.raise(0x108, &context)
    if received >= receiveLimit {
      isReceiving = false
      events.raise(0x110, &context)
      // ENDRX_STARTRX
      if registers[0x200] & 0x20 != 0 { startReceiving(&context) }
    } else if !parts.console.waiting.isEmpty {
      expectOctet(&context)
    }
  }
}
