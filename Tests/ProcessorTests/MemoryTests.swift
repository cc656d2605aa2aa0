import Processor
import Testing

@Suite struct MemoryTests {
  static func sample() throws -> Memory {
    try Memory(regions: [
      MemoryRegion(base: 0, size: 0x1_0000, kind: .readOnly, name: "flash"),
      MemoryRegion(base: 0x2000_0000, size: 0x4000, kind: .readWrite, name: "RAM"),
    ])
  }

  @Test func aCopyKeepsWhatTheOriginalHeld() throws {
    var memory = try Self.sample()
    try memory.write([1, 2, 3, 4, 5], at: 0x2000_0FFE)
    let copy = memory
    try memory.write([9], at: 0x2000_0FFF)
    #expect(try copy.read(0x2000_0FFE, count: 5) == [1, 2, 3, 4, 5])
    #expect(try memory.read(0x2000_0FFE, count: 5) == [1, 9, 3, 4, 5])
    #expect(memory != copy)
    try memory.write([2], at: 0x2000_0FFF)
    #expect(memory == copy)
  }

  @Test func clearedRAMWasNeverWritten() throws {
    var memory = try Self.sample()
    try memory.load([7], at: 0x100)
    let blank = memory
    try memory.write([1, 2, 3], at: 0x2000_0FFE)
    let written = memory
    memory.clearRAM()
    #expect(memory == blank)
    #expect(!memory.isWritten(0x2000_1000))
    #expect(try memory.readByte(0x100) == 7)
    #expect(try written.read(0x2000_0FFE, count: 3) == [1, 2, 3])
    try memory.write([5], at: 0x2000_0000)
    #expect(try blank.readByte(0x2000_0000) == 0)
    #expect(try memory.readByte(0x2000_1000) == 0)
  }

  @Test func nothingOutsideIsReadOrWritten() throws {
    var memory = try Self.sample()
    #expect(throws: MemoryFault(.unmapped, at: 0x1_0000)) { try memory.read(0xFFFE, count: 4) }
    #expect(throws: MemoryFault(.unmapped, at: 0x2000_4000)) { try memory.write([1, 2, 3], at: 0x2000_3FFF) }
    #expect(try memory.readByte(0x2000_3FFF) == 0)
    #expect(throws: MemoryFault(.readOnly, at: 0x10)) { try memory.write([1], at: 0x10) }
    #expect(throws: MemoryFault(.unmapped, at: 0xFFFF_FFFF)) { try memory.read(0xFFFF_FFFF, count: .max) }
    try memory.load([1], at: 0x10)
    #expect(try memory.readWord(0x10) == 0xFFFF_FF01)
  }

  @Test func writtenWordsAreMarked() throws {
    var memory = try Self.sample()
    #expect(!memory.isWritten(0x2000_0004))
    try memory.write([1, 2], at: 0x2000_0003)
    #expect(memory.isWritten(0x2000_0000))
    #expect(memory.isWritten(0x2000_0007))
    #expect(!memory.isWritten(0x2000_0008))
  }

  @Test(arguments: [
    [MemoryRegion(base: 0x100, size: 4096, kind: .readOnly, name: "odd")],
    [MemoryRegion(base: 0, size: 100, kind: .readOnly, name: "short")],
    [MemoryRegion(base: 0, size: 0, kind: .readOnly, name: "empty")],
    [MemoryRegion(base: 0x0FFF_F000, size: 0x2000, kind: .readOnly, name: "long")],
    [
      MemoryRegion(base: 0, size: 0x2000, kind: .readOnly, name: "one"),
      MemoryRegion(base: 0x1000, size: 0x2000, kind: .readWrite, name: "two"),
    ],
  ]) func impossibleLayoutsAreRefused(_ regions: [MemoryRegion]) {
    #expect(throws: MemoryFault.self) { try Memory(regions: regions) }
  }
}
