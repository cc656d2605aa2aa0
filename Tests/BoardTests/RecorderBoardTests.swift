import Processor
import Testing

@testable import Board

@Suite struct RecorderBoardTests {
  @Test func aFreshBoardIsDarkAndEmpty() throws {
    let board = RecorderBoard(.s140)
    var memory = try RecorderBoard.memory(of: .s140)
    try RecorderBoard.setAddress([1, 2, 3, 4, 5, 0xC6], in: &memory)
    #expect(board.brightness(at: 0, memory) == nil)
    #expect(board.storage.isErased)
    #expect(!board.holdsPower)
    #expect(try memory.readWord(0x1000_00A4) == 0x0403_0201)
  }

  /// INFO.RAM and INFO.FLASH, in KiB.
  @Test(arguments: [(BoardDescription.s140, 256, 1024), (.s132, 64, 512)] as [(BoardDescription, UInt32, UInt32)])
  func theFactoryTellsHowLargeTheMemoriesAre(_ board: BoardDescription, _ ram: UInt32, _ flash: UInt32) throws {
    let memory = try RecorderBoard.memory(of: board)
    #expect(try memory.readWord(0x1000_010C) == ram)
    #expect(try memory.readWord(0x1000_0110) == flash)
  }

  @Test func aRegisterThatIsNotModelledIsToldOnce() {
    var board = RecorderBoard(.s140)
    for _ in 0..<3 { #expect(board.read(0x4000_9000, .word, at: 0) == .value(0)) }
    #expect(board.takeEvents() == [.notModelled(address: 0x4000_9000, isWrite: false)])
  }

  /// Beside memories and peripherals nothing answers: below RAM, where a stack that is too long comes, and above it.
  @Test(arguments: [0x1FFF_FFFC, 0x2004_0000, 0x3000_0000, 0x3FFF_FFFC, 0x6000_0000, 0xDFFF_FFFC] as [UInt32])
  func whereNothingStandsIsAFault(_ address: UInt32) {
    var board = RecorderBoard(.s140)
    #expect(board.read(address, .word, at: 0) == .fault)
    #expect(board.write(address, .word, 1, at: 0) == .fault)
    #expect(board.takeEvents().isEmpty)
  }

  /// The latch takes its data at the rising edge of its clock only.
  @Test func theLatchLetsGoAtTheRisingEdge() throws {
    let description = BoardDescription.s140
    var board = RecorderBoard(description)
    board.isButtonPressed = true
    var processor = CortexM4(memory: try RecorderBoard.memory(of: description))
    func write(_ address: UInt32, _ value: UInt32) {
      _ = board.prepareRun(until: .max)
      _ = board.write(address, .word, value, at: 0)
      processor.skip(to: processor.cycles + 1)
      board.advance(&processor)
    }
    write(0x5000_0508, 1 << 2)
    write(0x5000_0808, 1 << 15)
    board.isButtonPressed = false
    #expect(board.holdsPower)
    write(0x5000_050C, 1 << 2)
    #expect(board.holdsPower)
    write(0x5000_080C, 1 << 15)
    write(0x5000_0808, 1 << 15)
    #expect(!board.holdsPower)
    #expect(board.takeEvents() == [.latchReleased])
  }

  /// A store reaches flash while its controller is set to write, a word at a time; the processor stands still meanwhile.
  @Test func flashIsWrittenWordByWord() throws {
    var board = RecorderBoard(.s140)
    var processor = CortexM4(memory: try RecorderBoard.memory(of: .s140))
    func finish() {
      if let end = board.haltedUntil { processor.skip(to: end) }
      board.advance(&processor)
    }
    #expect(board.program(0x5_0000, .word, 0, at: 0) == .fault)
    _ = board.write(0x4001_E504, .word, 1, at: 0)
    #expect(board.program(0x5_0000, .byte, 0, at: 0) == .fault)
    #expect(board.program(0x5_0000, .word, 0xFFFF_0F0F, at: 0) == .attention)
    #expect(board.haltedUntil == 2_625)
    #expect(try processor.memory.readWord(0x5_0000) == .max)
    finish()
    #expect(board.haltedUntil == nil)
    #expect(try processor.memory.readWord(0x5_0000) == 0xFFFF_0F0F)
    _ = board.program(0x5_0000, .word, 0xF0F0_FFFF, at: processor.cycles)
    finish()
    #expect(try processor.memory.readWord(0x5_0000) == 0xF0F0_0F0F)
    _ = board.write(0x4001_E504, .word, 2, at: processor.cycles)
    _ = board.write(0x4001_E508, .word, 0x5_0000, at: processor.cycles)
    #expect(board.flashWork == .erase(0x5_0000))
    finish()
    #expect(try processor.memory.readWord(0x5_0000) == .max)
    // RAM is not flash.
    try processor.memory.load([1, 2, 3, 4], at: 0x2000_0000)
    _ = board.write(0x4001_E508, .word, 0x2000_0000, at: processor.cycles)
    finish()
    #expect(try processor.memory.readWord(0x2000_0000) == 0x0403_0201)
  }

  /// The factory's registers stay what they are; the user's are erased by a task of their own.
  @Test func registersBesideTheFlashAreNotErasedAsAPage() throws {
    var board = RecorderBoard(.s140)
    var processor = CortexM4(memory: try RecorderBoard.memory(of: .s140))
    _ = board.write(0x4001_E504, .word, 1, at: 0)
    #expect(board.program(0x1000_0014, .word, 0, at: 0) != .fault)
    _ = board.write(0x4001_E504, .word, 2, at: 0)
    _ = board.write(0x4001_E508, .word, 0x1000_0000, at: 0)
    _ = board.write(0x4001_E508, .word, 0x1000_1000, at: 0)
    #expect(board.haltedUntil == nil)
    let told = [0x1000_0014, 0x1000_0000, 0x1000_1000] as [UInt32]
    #expect(board.takeEvents() == told.map { .flashProtected(address: $0) })
    _ = board.write(0x4001_E514, .word, 1, at: 0)
    #expect(board.flashWork == .erase(0x1000_1000))
    if let end = board.haltedUntil { processor.skip(to: end) }
    board.advance(&processor)
    #expect(try processor.memory.readWord(0x1000_1200) == .max)
    #expect(try processor.memory.readWord(0x1000_0014) == 256)
  }

  // MARK: EasyDMA

  /// What a block is told to transfer, as writes of offsets and values, and how many octets it would be.
  struct Transfer: Sendable, CustomTestStringConvertible {
    var block: String
    var base: UInt32
    var pointer: UInt32
    var writes: [(UInt32, UInt32)]
    var count: Int
    var testDescription: String { "\(block) \(String(pointer, radix: 16))" }

    static let all = [
      Transfer(block: "SPIM0", base: 0x4000_3000, pointer: 0x544, writes: [(0x548, 4), (0x010, 1)], count: 4),
      Transfer(
        block: "SPIM0", base: 0x4000_3000, pointer: 0x534, writes: [(0x538, 4), (0x010, 1)], count: 4),
      Transfer(block: "UARTE0", base: 0x4000_2000, pointer: 0x544, writes: [(0x548, 4), (0x008, 1)], count: 4),
      Transfer(block: "SAADC", base: 0x4000_7000, pointer: 0x62C, writes: [(0x004, 1)], count: 2),
      Transfer(block: "PDM", base: 0x4001_D000, pointer: 0x560, writes: [(0x564, 2), (0x000, 1)], count: 4),
      Transfer(
        block: "PWM0", base: 0x4001_C000, pointer: 0x520, writes: [(0x508, 100), (0x524, 2), (0x008, 1)], count: 4),
    ]

    /// What the board tells when the buffer begins at an address.
    func events(at address: UInt32) throws -> [BoardEvent] {
      var board = RecorderBoard(.s140)
      var processor = CortexM4(memory: try RecorderBoard.memory(of: .s140))
      for (offset, value) in [(pointer, address)] + writes { _ = board.write(base + offset, .word, value, at: 0) }
      // Begins first, and has an end of its own after that.
      for cycle in [100, 20_000] as [UInt64] {
        processor.skip(to: cycle)
        board.advance(&processor)
      }
      return board.takeEvents()
    }
  }

  /// Flash, nothing at all, and the last octets of RAM with those behind it.
  @Test(arguments: Transfer.all, [0, 0x2_7000, 0x1000_1000, 0x2003_FFFF] as [UInt32])
  func aBufferOutsideRAMIsTold(_ transfer: Transfer, _ address: UInt32) throws {
    let buffer = ChipBuffer(block: transfer.block, address: address, count: transfer.count)
    #expect(try transfer.events(at: address).contains(.bufferUnreachable(buffer)))
  }

  @Test(arguments: Transfer.all) func aBufferInRAMIsUsed(_ transfer: Transfer) throws {
    let events = try transfer.events(at: 0x2000_0100)
    #expect(!events.contains { if case .bufferUnreachable = $0 { true } else { false } })
  }

  /// Nothing is transferred, so it does not matter where.
  @Test func aPointerToNoOctetsIsNoBuffer() throws {
    let transfer = Transfer(block: "SPIM0", base: 0x4000_3000, pointer: 0x534, writes: [(0x010, 1)], count: 0)
    #expect(try transfer.events(at: 0).isEmpty)
  }

  /// 260 octets are four where the count has eight bits.
  @Test(arguments: [(BoardDescription.s140, 260), (.s132, 4)] as [(BoardDescription, UInt32)])
  func aTransferIsAsLongAsItsRegisterCanSay(_ description: BoardDescription, _ count: UInt32) throws {
    var board = RecorderBoard(description)
    var processor = CortexM4(memory: try RecorderBoard.memory(of: description))
    for (offset, value) in [(0x544, 0x2000_0000), (0x548, 260), (0x010, 1)] as [(UInt32, UInt32)] {
      _ = board.write(0x4000_3000 + offset, .word, value, at: 0)
    }
    processor.skip(to: 100)
    board.advance(&processor)
    #expect(board.read(0x4000_354C, .word, at: 100) == .value(count))
  }

  // MARK: Protection

  /// What firmware protects stays protected until the next reset, whoever writes the registers again.
  @Test func protectedFlashIsNeitherWrittenNorErased() throws {
    var board = RecorderBoard(.s140)
    for (offset, value) in [(0, 0x5_0000), (4, 0x2000), (8, 2), (8, 0)] as [(UInt32, UInt32)] {
      _ = board.write(0x4001_E800 + offset, .word, value, at: 0)
    }
    _ = board.write(0x4001_E504, .word, 1, at: 0)
    _ = board.program(0x5_1FFC, .word, 0, at: 0)
    #expect(board.haltedUntil == nil)
    #expect(board.takeEvents() == [.flashProtected(address: 0x5_1FFC)])
    _ = board.program(0x5_2000, .word, 0, at: 0)
    #expect(board.haltedUntil != nil)
    board.reset(.software)
    #expect(!board.isFlashProtected(0x5_0000))
  }

  /// A pin on which nothing stands is where its resistor pulls it.
  @Test func aPinThatNobodyDrivesFollowsItsPull() {
    var board = RecorderBoard(.s140)
    #expect(board.read(0x5000_0510, .word, at: 0) == .value(0))
    _ = board.write(0x5000_0700 + 16 * 4, .word, 0xC, at: 0)
    #expect(board.read(0x5000_0510, .word, at: 0) == .value(1 << 16))
    _ = board.write(0x5000_0700 + 16 * 4, .word, 0x4, at: 0)
    #expect(board.read(0x5000_0510, .word, at: 0) == .value(0))
  }

  /// Half of the battery's voltage against 3.6 V, in 12 bits, to the nearest step.
  @Test(arguments: [(3491, 1986), (3490, 1985), (3382, 1924), (0, 0), (7300, 4095)] as [(Int, UInt16)])
  func theConverterMeasuresToTheNearestStep(millivolts: Int, value: UInt16) throws {
    var board = RecorderBoard(.s140)
    board.batteryMillivolts = millivolts
    var processor = CortexM4(memory: try RecorderBoard.memory(of: .s140))
    for (offset, word) in [(0x5F0, 2), (0x62C, 0x2000_0000), (0x004, 1)] as [(UInt32, UInt32)] {
      _ = board.write(0x4000_7000 + offset, .word, word, at: 0)
    }
    processor.skip(to: 1000)
    board.advance(&processor)
    #expect(try processor.memory.readHalfword(0x2000_0000) == value)
  }

  /// A watchdog that is fed leaves no plans behind: what is due next is what its last feeding planned.
  @Test func whatHasBeenOvertakenIsNotDue() {
    var board = RecorderBoard(.s140)
    _ = board.write(0x4001_0504, .word, 32_767, at: 0)
    _ = board.write(0x4001_0000, .word, 1, at: 0)
    for cycle in 1...1000 as ClosedRange<UInt64> {
      _ = board.write(0x4001_0600, .word, 0x6E52_4635, at: cycle * 64_000)
    }
    #expect(board.nextDue == 1000 * 64_000 + 1 + 64_000_000)
  }
}
