import Processor
import Testing

@testable import Board

/// RTC1 and its interrupt, written to as firmware does.
@Suite struct InterruptLineTests {
  private static let counter: UInt32 = 0x4001_1000
  /// The first cycle at which this many counts of 32,768 Hz are over.
  private static func cycle(of counts: UInt64) -> UInt64 { 1 + (counts * 15625 + 7) / 8 }

  private var board = RecorderBoard(.s140)
  private var processor: CortexM4

  init() throws { processor = CortexM4(memory: try RecorderBoard.memory(of: .s140)) }

  /// Writes registers one after the other, the last one so that the write is complete at a cycle.
  private mutating func write(_ registers: [(offset: UInt32, value: UInt32)], at cycle: UInt64 = 1) {
    for (offset, value) in registers {
      _ = board.write(Self.counter + offset, .word, value, at: cycle - 1)
    }
  }

  private func read(_ offset: UInt32) -> BusRead {
    var board = board
    return board.read(Self.counter + offset, .word, at: processor.cycles)
  }

  private mutating func advance(to cycle: UInt64) {
    processor.skip(to: cycle)
    board.advance(&processor)
  }

  /// Another register is written in the last cycle before the compare: another compare, an enabling bit, a task's 0.
  @Test(arguments: [0x544, 0x304, 0x348, 0x008] as [UInt32])
  func aWriteInTheLastCycleLosesNoCompare(_ offset: UInt32) throws {
    var rig = try Self()
    rig.write([(0x344, 1 << 16), (0x540, 2), (0x000, 1)])
    let due = Self.cycle(of: 2)
    rig.advance(to: due - 1)
    rig.write([(offset, 0)], at: due)
    rig.advance(to: due)
    #expect(rig.read(0x140) == .value(1))
  }

  /// The same with the tick, in the moment in which the counter is stopped.
  @Test func aStopInTheLastCycleLosesNoTick() throws {
    var rig = try Self()
    rig.write([(0x344, 1), (0x000, 1)])
    let due = Self.cycle(of: 1)
    rig.advance(to: due - 1)
    rig.write([(0x004, 1)], at: due)
    rig.advance(to: due)
    #expect(rig.read(0x100) == .value(1))
  }

  /// Two compares of one moment: the line is high until both are cleared, or not enabled.
  @Test func theLineIsHighWhileAnEnabledEventStands() throws {
    var rig = try Self()
    rig.write([(0x304, 3 << 16), (0x540, 2), (0x544, 2), (0x000, 1)])
    #expect(rig.board.interruptLines == 0)
    rig.advance(to: Self.cycle(of: 2))
    #expect(rig.processor.isPending(interrupt: 17))
    rig.write([(0x140, 0)], at: rig.processor.cycles)
    #expect(rig.board.interruptLines == 1 << 17)
    rig.write([(0x308, 1 << 17)], at: rig.processor.cycles)
    #expect(rig.board.interruptLines == 0)
    rig.write([(0x304, 1 << 17)], at: rig.processor.cycles)
    #expect(rig.board.interruptLines == 1 << 17)
    rig.write([(0x144, 0)], at: rig.processor.cycles)
    #expect(rig.board.interruptLines == 0)
  }

  /// Whoever takes the interrupt's pending state away from outside does not get rid of it.
  @Test func aHighLineMakesItsInterruptPendingAgain() throws {
    var rig = try Self()
    rig.write([(0x304, 1 << 16), (0x540, 2), (0x000, 1)])
    rig.advance(to: Self.cycle(of: 2))
    rig.processor.clearPending(interrupt: 17)
    rig.advance(to: Self.cycle(of: 2) + 1)
    #expect(rig.processor.isPending(interrupt: 17))
  }
}
