import Foundation
import Testing

@testable import System

/// The properties of a serial line, each shown on a pseudo-terminal.
@Suite struct SerialLines {
  private let terminal: PseudoTerminal

  init() throws { terminal = try PseudoTerminal() }

  /// The line's settings as another program sees them that had it open before.
  private func settings(_ keeper: FileDescriptor) -> termios {
    var settings = termios()
    tcgetattr(keeper.number, &settings)
    return settings
  }

  private func keeper() throws -> FileDescriptor {
    try .open(terminal.path, .readingAndWriting, .noControllingTerminal)
  }

  @Test func octetsPassUnchangedBothWays() throws {
    let line = try SerialLine(terminal.path, bitsPerSecond: 115_200, flowControl: false)
    let all = (0...255).map { UInt8($0) }
    #expect(try line.descriptor.write(all[...]) == all.count)
    #expect(terminal.descriptor.isReady(for: .readable, within: 1_000))
    #expect(try terminal.descriptor.read(upTo: 1_000) == all)
    #expect(try terminal.descriptor.write(all[...]) == all.count)
    #expect(line.descriptor.isReady(for: .readable, within: 1_000))
    #expect(try line.descriptor.read(upTo: 1_000) == all)
  }

  /// A read of no octets must mean that the line is gone, so a line without octets must not answer one with 0 (VMIN).
  @Test func readingAnEmptyLineFindsNothingYet() throws {
    var kept = settings(try keeper())
    withUnsafeMutableBytes(of: &kept.c_cc) { $0[Int(VMIN)] = 0 }
    tcsetattr(try keeper().number, TCSANOW, &kept)
    let line = try SerialLine(terminal.path, bitsPerSecond: 115_200, flowControl: false)
    #expect(try line.descriptor.read(upTo: 10) == nil)
    withUnsafeBytes(of: settings(line.descriptor).c_cc) { controls in
      #expect(controls[Int(VMIN)] == 1)
      #expect(controls[Int(VTIME)] == 0)
    }
  }

  @Test(arguments: [true, false]) func flowControlIsAsAskedFor(_ flowControl: Bool) throws {
    let line = try SerialLine(terminal.path, bitsPerSecond: 460_800, flowControl: flowControl)
    var during = settings(line.descriptor)
    #expect((during.c_cflag & CRTSCTS != 0) == flowControl)
    #expect(during.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
    #expect(during.c_cflag & tcflag_t(CSTOPB | PARENB) == 0)
    #expect(during.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
    #expect(cfgetospeed(&during) == speed_t(B460800))
  }

  @Test func aLineBelongsToOneProgram() throws {
    let line = try SerialLine(terminal.path, bitsPerSecond: 115_200, flowControl: false)
    #expect(throws: SerialLineFailure.inUse) {
      try SerialLine(terminal.path, bitsPerSecond: 115_200, flowControl: true)
    }
    line.close()
    try SerialLine(terminal.path, bitsPerSecond: 115_200, flowControl: true).close()
  }

  /// A program that does not ask for the lock is kept out by the line itself (TIOCEXCL), unless it is root's.
  @Test func theLineItselfIsExclusiveWhileItIsOpen() throws {
    let keeper = try keeper()
    var isExclusive: Int32 = -1
    let line = try SerialLine(terminal.path, bitsPerSecond: 115_200, flowControl: false)
    try keeper.control("TIOCGEXCL", Self.getExclusive, &isExclusive)
    #expect(isExclusive == 1)
    line.close()
    try keeper.control("TIOCGEXCL", Self.getExclusive, &isExclusive)
    #expect(isExclusive == 0)
  }

  /// `TIOCGEXCL` (ioctl_tty(2)), whose macro Swift does not import.
  private static let getExclusive: UInt = 0x8004_5440

  @Test func theSettingsComeBack() throws {
    let keeper = try keeper()
    var before = settings(keeper)
    before.c_lflag |= tcflag_t(ICANON | ECHO)
    before.c_iflag |= tcflag_t(ICRNL)
    cfsetspeed(&before, speed_t(B9600))
    tcsetattr(keeper.number, TCSANOW, &before)
    let line = try SerialLine(terminal.path, bitsPerSecond: 921_600, flowControl: true)
    #expect(settings(keeper).c_lflag & tcflag_t(ICANON) == 0)
    line.close()
    var after = settings(keeper)
    #expect(after.c_lflag == before.c_lflag)
    #expect(after.c_iflag == before.c_iflag)
    #expect(after.c_cflag == before.c_cflag)
    #expect(cfgetospeed(&after) == speed_t(B9600))
  }

  @Test func whatAnEarlierUserLeftIsDropped() throws {
    let keeper = try keeper()
    _ = try terminal.descriptor.write([1, 2, 3])
    #expect(keeper.isReady(for: .readable, within: 1_000))
    let line = try SerialLine(terminal.path, bitsPerSecond: 115_200, flowControl: false)
    #expect(try line.descriptor.read(upTo: 10) == nil)
  }

  @Test func aLineWhoseOtherEndIsGoneSaysSo() throws {
    let line = try SerialLine(terminal.path, bitsPerSecond: 115_200, flowControl: false)
    terminal.close()
    #expect(try line.descriptor.read(upTo: 10) == [])
  }

  @Test func whatIsNotALineIsRefused() {
    #expect(throws: SerialLineFailure.notALine) {
      try SerialLine("/dev/null", bitsPerSecond: 115_200, flowControl: false)
    }
    #expect(throws: SerialLineFailure.system(SystemCallFailure("open", .noSuchFile))) {
      try SerialLine("/dev/nothing-here", bitsPerSecond: 115_200, flowControl: false)
    }
    #expect(throws: SerialLineFailure.unknownSpeed(1_234)) {
      try SerialLine(terminal.path, bitsPerSecond: 1_234, flowControl: false)
    }
  }

  @Test func speedsAreFoundAndTheNextOnesNamed() {
    #expect(SerialSpeed(115_200)?.bitsPerSecond == 115_200)
    #expect(SerialSpeed(115_201) == nil)
    #expect(SerialSpeed.nearest(to: 115_201) == [115_200, 230_400])
    #expect(SerialSpeed.nearest(to: 1) == [9_600])
    #expect(SerialSpeed.nearest(to: .max) == [4_000_000])
  }
}
