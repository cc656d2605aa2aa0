import Processor

/// GPIO: P0 (0x50000000) and P1 (0x50000300). Pins on which something stands tell it when they change.
struct Pins: ChipBlock {
  private let description: BoardDescription
  private var output: [UInt32] = [0, 0]
  private var direction: [UInt32] = [0, 0]
  private var configuration = PlainRegisters()
  /// Levels of the pins that others drive.
  private var input: [UInt32] = [0, 0]
  /// The pins that others drive; what pulls those that nobody drives decides their level.
  private var driven: [UInt32] = [0, 0]
  private var pulledUp: [UInt32] = [0, 0]

  init(_ description: BoardDescription) { self.description = description }

  /// Changes the level of a pin that something outside drives.
  mutating func drive(_ pin: BoardDescription.Pin, high: Bool) {
    guard 0..<2 ~= pin.port, 0..<32 ~= pin.number else { return }
    let bit = UInt32(1) << UInt32(pin.number)
    driven[pin.port] |= bit
    input[pin.port] = high ? input[pin.port] | bit : input[pin.port] & ~bit
  }

  mutating func read(_ offset: UInt32, _ context: inout BlockContext) -> UInt32? {
    let (port, register) = Self.place(offset)
    switch register {
    case 0x504, 0x508, 0x50C: return output[port]
    case 0x510:
      let level = input[port] | pulledUp[port] & ~driven[port]
      return output[port] & direction[port] | level & ~direction[port]
    case 0x514, 0x518, 0x51C: return direction[port]
    case 0x520: return 0
    case 0x700...0x77C: return configuration[offset]
    default: return nil
    }
  }

  mutating func write(_ offset: UInt32, _ value: UInt32, _ context: inout BlockContext) -> Bool {
    let (port, register) = Self.place(offset)
    let old = output[port]
    switch register {
    case 0x504: output[port] = value
    case 0x508: output[port] |= value
    case 0x50C: output[port] &= ~value
    case 0x514: direction[port] = value
    case 0x518: direction[port] |= value
    case 0x51C: direction[port] &= ~value
    case 0x520: break
    case 0x700...0x77C:
      configuration[offset] = value
      let bit = UInt32(1) << ((register - 0x700) / 4)
      // PULL: 3 is the pull-up.
      pulledUp[port] = value >> 2 & 3 == 3 ? pulledUp[port] | bit : pulledUp[port] & ~bit
      direction[port] = value & 1 != 0 ? direction[port] | bit : direction[port] & ~bit
    default: return false
    }
    tell(port, changed: old ^ output[port], &context)
    return true
  }

  private static func place(_ offset: UInt32) -> (port: Int, register: UInt32) {
    offset >= 0x800 ? (1, offset - 0x300) : (0, offset)
  }

  /// Plans what a changed pin does, with the pin and its level as the action.
  private func tell(_ port: Int, changed: UInt32, _ context: inout BlockContext) {
    guard changed != 0 else { return }
    for (index, pin) in [description.storageSelect, description.latchClock].enumerated() {
      guard pin.port == port, changed >> UInt32(pin.number) & 1 != 0 else { continue }
      let level: UInt8 = output[port] >> UInt32(pin.number) & 1 == 1 ? 1 : 0
      context.schedule.add(.gpio, UInt8(index) << 1 | level, at: context.cycle, generation: 0)
    }
  }

  mutating func perform(
    _ action: UInt8, generation: UInt32, _ memory: inout Memory, _ parts: inout BoardParts,
    _ context: inout BlockContext
  ) {
    let isHigh = action & 1 == 1
    if action >> 1 == 0 {
      if let effect = parts.storage.select(!isHigh, at: context.cycle) { context.events.append(BoardEvent(effect)) }
    } else if isHigh {
      let data = description.latchData
      let wasClosed = parts.latch.isClosed
      parts.latch.clock(data: output[data.port] >> UInt32(data.number) & 1 == 1)
      if wasClosed, !parts.latch.isClosed { context.events.append(.latchReleased) }
    }
  }
}
