import Glibc
import Testing
import Timeline

@testable import Reports

/// A pipe whose reader the test is; closed with its last user.
private final class Reader {
  let writing: Int32
  private var reading: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    // As the tool does it.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    leave()
    close(writing)
  }

  func leave() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  /// What is in the pipe now.
  func take() -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(reading, &block, block.count)
    return Array(block.prefix(max(0, count)))
  }
}

@Suite struct LiveOutputs {
  private let loop = EventLoop(driver: .wall)

  @Test func handOverEveryPieceAtOnce() throws {
    let reader = try Reader()
    let output = LiveOutput(reader.writing, on: loop) { Issue.record("\($0)") }
    for piece in [[1, 2, 3], [4], []] as [[UInt8]] {
      output.write(piece)
      #expect(reader.take() == piece)
    }
  }

  @Test func keepWhatASlowReaderHasNoRoomFor() throws {
    let reader = try Reader()
    let output = LiveOutput(reader.writing, on: loop) { Issue.record("\($0)") }
    // Many times what a pipe holds.
    let pieces = (0..<2_000).map { number in (0..<1_000).map { UInt8(truncatingIfNeeded: number &* 7 &+ $0) } }
    for piece in pieces { output.write(piece) }
    var heard: [UInt8] = []
    loop.schedule(after: .zero) { read() }
    func read() {
      heard += reader.take()
      if heard.count < 2_000_000 { loop.schedule(after: .microseconds(10)) { read() } }
    }
    loop.runEvents { heard.count == 2_000_000 }
    #expect(heard == pieces.flatMap { $0 })
    output.commit()
  }

  @Test func goOnWithoutAReaderThatLeft() throws {
    let reader = try Reader()
    var words: [String] = []
    let output = LiveOutput(reader.writing, on: loop) { words.append($0) }
    output.write([1])
    reader.leave()
    for _ in 0..<3 { output.write([2]) }
    output.commit()
    #expect(words == ["the capture reader closed the pipe; continuing without capture"])
  }

  @Test func giveUpAReaderThatLetsTooMuchWait() throws {
    let reader = try Reader()
    var words: [String] = []
    let output = LiveOutput(reader.writing, on: loop) { words.append($0) }
    for _ in 0..<40 { output.write([UInt8](repeating: 0, count: 1 << 19)) }
    output.commit()
    #expect(
      words == ["the capture reader does not read: more than 16777216 octets are waiting; continuing without capture"])
  }
}
