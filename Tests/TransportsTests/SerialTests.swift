import Glibc
import HCI
import System
import Testing
import Timeline

@testable import Transports

/// A pseudo terminal: the line that the pipe opens, and its far end.
final class PseudoTerminal {
  let path: String
  private(set) var far: Int32

  init() throws {
    var (master, line): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&master, &line, &name, nil, nil) == 0)
    far = master
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    close(line)
    _ = fcntl(far, F_SETFL, O_NONBLOCK)
  }

  deinit { unplug() }

  func unplug() {
    if far >= 0 { close(far) }
    far = -1
  }

  func write(_ octets: [UInt8]) { precondition(Glibc.write(far, octets, octets.count) == octets.count) }

  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(far, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  /// The line's settings as another program sees them.
  func settings() throws -> termios {
    let line = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    try #require(line >= 0)
    defer { close(line) }
    var settings = termios()
    try #require(tcgetattr(line, &settings) == 0)
    return settings
  }
}

@Suite struct SerialLines {
  static let reset = HCIPacket(.command, [0x03, 0x0C, 0x00])
  static let resetDone = HCIPacket(.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])

  /// A pipe over a pseudo terminal, with who stands at it.
  struct Desk {
    let terminal: PseudoTerminal
    let loop = EventLoop.wall()
    let collector = Collector()
    let pipe: any PacketPipe

    init() throws {
      terminal = try PseudoTerminal()
      pipe = try TransportOpening.open(.serial(path: terminal.path, speed: 115_200), on: loop)
      pipe.receiver = collector
    }

    /// Lets the loop run until something came or the pipe closed.
    func run(until isDone: () -> Bool) { loop.runWall { isDone() || collector.closure != nil } }
  }

  @Test func carryPacketsBothWaysUnchanged() throws {
    let desk = try Desk()
    // Every octet there is, among them those that a terminal would act on.
    let data = HCIPacket(.acl, [0x01, 0x20, 0x00, 0x01] + (0...255).map { UInt8($0) })
    desk.pipe.send(Self.reset)
    desk.pipe.send(data)
    var sent: [UInt8] = []
    desk.terminal.write(Self.resetDone.framed + data.framed)
    desk.run {
      sent += desk.terminal.read()
      return desk.collector.packets.count == 2
    }
    sent += desk.terminal.read()
    #expect(desk.collector.packets == [Self.resetDone, data])
    #expect(sent == Self.reset.framed + data.framed)
  }

  @Test func areRawWithHardwareFlowControlAndGetTheirSettingsBack() throws {
    let terminal = try PseudoTerminal()
    // Somebody keeps the line open, else its settings would end with the pipe.
    let keeper = open(terminal.path, O_RDWR | O_NOCTTY)
    defer { close(keeper) }
    var before = try terminal.settings()
    #expect(before.c_lflag & tcflag_t(ICANON) != 0)
    let pipe = try TransportOpening.open(.serial(path: terminal.path, speed: 460_800), on: EventLoop.wall())
    var during = termios()
    tcgetattr(keeper, &during)
    #expect(during.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
    #expect(during.c_iflag & tcflag_t(IXON | ICRNL | ISTRIP) == 0)
    #expect(during.c_cflag & CRTSCTS == CRTSCTS)
    #expect(during.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
    #expect(cfgetospeed(&during) == speed_t(B460800))
    pipe.close()
    var after = try terminal.settings()
    #expect(after.c_lflag == before.c_lflag)
    #expect(after.c_iflag == before.c_iflag)
    #expect(after.c_cflag == before.c_cflag)
    #expect(cfgetospeed(&after) == cfgetospeed(&before))
  }

  @Test func findTheirStepAfterGarbageByTheAnswerToTheReset() throws {
    let desk = try Desk()
    desk.terminal.write([0x7F, 0x00, 0x10, 0x04, 0x33] + Self.resetDone.framed + Self.resetDone.framed)
    desk.run { desk.collector.packets.count == 2 }
    #expect(desk.collector.packets == [Self.resetDone, Self.resetDone])
    #expect(desk.collector.closure == nil)
  }

  @Test func failWithOneSentenceWhenThereIsNothingButGarbage() throws {
    let desk = try Desk()
    func pour() {
      desk.terminal.write([UInt8](repeating: 0xE0, count: 1000))
      if desk.collector.closure == nil { desk.loop.schedule(after: .milliseconds(1)) { pour() } }
    }
    pour()
    desk.run { false }
    guard case .failed(let reason)? = desk.collector.closure else {
      Issue.record("closed as \(String(describing: desk.collector.closure))")
      return
    }
    #expect(reason.contains("115200 bits per second is the wrong speed, or there is no HCI controller"), "\(reason)")
    #expect(desk.collector.packets.isEmpty)
  }

  @Test func failWhenOctetsAreLostLater() throws {
    let desk = try Desk()
    desk.terminal.write(Self.resetDone.framed + [0x0E, 0x04])
    desk.run { false }
    #expect(desk.collector.packets == [Self.resetDone])
    #expect(
      desk.collector.closure
        == .failed(
          "the line lost octets (no packet begins with 0x0e): check that RTS and CTS are wired, or use a lower speed"))
  }

  @Test func closeWhenTheyAreUnplugged() throws {
    let desk = try Desk()
    desk.terminal.unplug()
    desk.run { false }
    #expect(desk.collector.closure == .failed("\(desk.terminal.path) is gone: unplugged"))
  }

  @Test func resetTheControllerWhenTheyAreLeft() throws {
    let terminal = try PseudoTerminal()
    let port = try SerialStream.open(terminal.path, speed: 115_200)
    port.sayFarewell()
    #expect(terminal.read() == Self.reset.framed)
    port.close()
  }

  @Test func areOpenedByOneAtATime() throws {
    let desk = try Desk()
    let place = TransportSpecification.serial(path: desk.terminal.path, speed: 115_200)
    let failure = try #require(throws: TransportFailure.self) {
      _ = try TransportOpening.open(place, on: EventLoop.wall())
    }
    #expect(failure.description.hasPrefix("\(place): in use: another program has opened the line"))
    desk.pipe.close()
    try TransportOpening.open(place, on: EventLoop.wall()).close()
  }

  @Test func saySoWhenTheyCannotBeOpened() {
    func words(_ path: String, _ speed: UInt32 = 115_200) -> String {
      let place = TransportSpecification.serial(path: path, speed: speed)
      do {
        _ = try TransportOpening.open(place, on: EventLoop.wall())
        return "opened"
      } catch { return error.description }
    }
    #expect(words("/dev/nothing-here").hasPrefix("serial:/dev/nothing-here,115200: there is no such serial line"))
    #expect(words("/dev/null").hasSuffix("`ls -l /dev/serial/by-id` shows what is there"))
    #expect(words("/dev/null", 1234).contains("1234 bits per second is not a speed of serial lines; use one of 9600, "))
  }

  @Test func failuresOfTheSystemAreTranslated() {
    func words(_ code: Errno) -> String {
      SerialStream.trouble(.system(SystemCallFailure("open", code)), "/dev/ttyS9").description
    }
    #expect(words(.permissionDenied).contains("permission denied: serial lines belong to the group dialout"))
    #expect(
      SerialStream.trouble(.inUse, "/dev/ttyS9").description
        == "in use: another program has opened the line; `fuser /dev/ttyS9` names it")
    #expect(
      words(Errno(rawValue: ENOMEM))
        == "open: Cannot allocate memory: unplug it and plug it in again, or take another one")
  }
}
