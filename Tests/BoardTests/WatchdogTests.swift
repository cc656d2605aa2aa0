import Processor
import Testing

@testable import Board

@Suite struct WatchdogTests {
  private static let base: UInt32 = 0x4001_0000
  private static let feeding: UInt32 = 0x6E52_4635
  /// Half a second, in cycles.
  private static let period: UInt64 = 16_385 * 15625 / 8

  /// A board whose watchdog was started in cycle 0.
  private static func board(reloads: UInt32 = 1, configuration: UInt32 = 1, interrupts: UInt32 = 0) -> RecorderBoard {
    var board = RecorderBoard(.s140)
    let registers: [(UInt32, UInt32)] = [
      (0x504, 16_384), (0x508, reloads), (0x50C, configuration), (0x304, interrupts), (0x000, 1),
    ]
    for (offset, value) in registers { _ = board.write(base + offset, .word, value, at: 0) }
    return board
  }

  private static func feed(_ board: inout RecorderBoard, _ register: UInt32, at cycle: UInt64) {
    _ = board.write(base + 0x600 + 4 * register, .word, feeding, at: cycle)
  }

  private static func events(_ board: inout RecorderBoard, at cycle: UInt64) throws -> [BoardEvent] {
    var processor = CortexM4(memory: try RecorderBoard.memory(of: .s140))
    processor.skip(to: cycle)
    board.advance(&processor)
    return board.takeEvents()
  }

  @Test func itsRegistersAreThoseOfAFreshChip() {
    var board = RecorderBoard(.s140)
    let values = [0x400, 0x404, 0x504, 0x508, 0x50C].map { board.read(Self.base + $0, .word, at: 0) }
    #expect(values == [.value(0), .value(1), .value(.max), .value(1), .value(1)])
  }

  /// Two reload registers are enabled: one alone does nothing, nor does one that is not enabled.
  @Test func allEnabledReloadRegistersFeedIt() {
    var board = Self.board(reloads: 3)
    let first = 1 + Self.period
    Self.feed(&board, 0, at: 1000)
    Self.feed(&board, 5, at: 1000)
    #expect(board.nextDue == first)
    #expect(board.read(Self.base + 0x404, .word, at: 1000) == .value(2))
    Self.feed(&board, 1, at: 2000)
    #expect(board.nextDue == 2001 + Self.period)
    #expect(board.read(Self.base + 0x404, .word, at: 2000) == .value(3))
  }

  /// Only power and its own reset stop it.
  @Test(
    arguments: [(.software, true), (.lockup, true), (.watchdog, false), (.powerOn, false)] as [(ResetReason, Bool)])
  func itSurvivesResetsThatFirmwareBringsAbout(_ reason: ResetReason, survives: Bool) {
    var board = Self.board()
    board.reset(reason)
    #expect(board.read(Self.base + 0x400, .word, at: 10) == .value(survives ? 1 : 0))
    #expect(board.nextDue == (survives ? 1 + Self.period : nil))
  }

  /// CONFIG.SLEEP decides whether it counts while the processor sleeps.
  @Test(arguments: [(0, 1_000_000), (1, 0)] as [(UInt32, UInt64)])
  func itPausesWhileTheProcessorSleeps(_ configuration: UInt32, pause: UInt64) throws {
    var board = Self.board(configuration: configuration)
    board.processorSleeps(true, at: 500)
    board.processorSleeps(false, at: 1_000_500)
    #expect(try Self.events(&board, at: Self.period + pause).isEmpty)
    #expect(try Self.events(&board, at: 1 + Self.period + pause) == [.watchdogTimeout, .watchdog])
  }

  /// Where its interrupt is enabled the reset comes two cycles of 32 kHz later, and nothing averts it.
  @Test func itsInterruptComesBeforeTheReset() throws {
    var board = Self.board(interrupts: 1)
    let due = 1 + Self.period
    #expect(try Self.events(&board, at: due) == [.watchdogTimeout])
    #expect(board.interruptLines == 1 << 16)
    Self.feed(&board, 0, at: due)
    #expect(try Self.events(&board, at: due + 3905).isEmpty)
    #expect(try Self.events(&board, at: due + 3906) == [.watchdog])
  }
}
