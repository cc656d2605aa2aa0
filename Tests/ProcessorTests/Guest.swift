import Processor

/// A small program in flash at 0 and RAM at 0x20000000, assembled by hand.
struct Guest {
  static let main: UInt32 = 0x200
  static let stack: UInt32 = 0x2000_1000

  var processor: CortexM4
  var bus = RecordingBus()

  /// A guest with its main program, and handlers by the number of their exception. Each handler stands at 0x1000 plus
  /// 0x100 times its number.
  init(_ main: [UInt16], handlers: [Int: [UInt16]] = [:], settings: CortexM4.Settings = .init()) throws {
    var memory = try Memory(regions: [
      MemoryRegion(base: 0, size: 0x1_0000, kind: .readOnly, name: "flash"),
      MemoryRegion(base: 0x2000_0000, size: 0x4000, kind: .readWrite, name: "RAM"),
    ])
    try memory.load(Self.octets(Self.stack) + Self.octets(Self.main | 1), at: 0)
    try memory.load(main.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, at: Self.main)
    for (number, code) in handlers.sorted(by: { $0.key < $1.key }) {
      try memory.load(Self.octets(Self.handler(number) | 1), at: UInt32(number) * 4)
      try memory.load(code.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, at: Self.handler(number))
    }
    processor = CortexM4(memory: memory, settings: settings)
    processor.reset(vectorTable: 0)
  }

  static func handler(_ number: Int) -> UInt32 { 0x1000 + UInt32(number) * 0x100 }

  private static func octets(_ word: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }

  /// Executes some instructions.
  @discardableResult mutating func step(_ count: UInt64 = 1) -> Stop {
    processor.run(until: processor.cycles + count, bus: &bus)
  }

  /// Makes an enabled interrupt of a priority pending.
  mutating func interrupt(_ number: Int, priority: UInt8) {
    processor.setPriority(priority, ofInterrupt: number)
    processor.setEnabled(true, interrupt: number)
    processor.setPending(interrupt: number)
  }

  func word(_ address: UInt32) throws -> UInt32 { try processor.memory.readWord(address) }

  subscript(_ register: Int) -> UInt32 {
    get { processor[register: register] }
    set { processor[register: register] = newValue }
  }
}

/// A bus with one block at 0x40000000: it notes every access and answers reads with the offset.
struct RecordingBus: PeripheralBus, Equatable {
  struct Access: Equatable {
    var address: UInt32
    var width: AccessWidth
    var value: UInt32?
    var cycle: UInt64
  }
  var accesses: [Access] = []
  /// Writes here end the run.
  var attentionAddress: UInt32?
  var interruptLines: UInt64 = 0
  /// Addresses at which a write found nothing.
  var refused: [UInt32] = []

  mutating func read(_ address: UInt32, _ width: AccessWidth, at cycle: UInt64) -> BusRead {
    guard address >> 12 == 0x40000 else { return .fault }
    accesses.append(Access(address: address, width: width, value: nil, cycle: cycle))
    return .value(address & 0xFFF)
  }

  mutating func write(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64) -> BusWrite {
    guard address >> 12 == 0x40000 else {
      refused.append(address)
      return .fault
    }
    accesses.append(Access(address: address, width: width, value: value, cycle: cycle))
    return address == attentionAddress ? .attention : .done
  }
}
