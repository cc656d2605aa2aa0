import System
import Timeline

/// Where the octets of a capture go.
package protocol CaptureOutput: AnyObject {
  /// As many octets gather before they are written.
  var pieceLength: Int { get }
  /// Takes the next octets.
  func write(_ octets: [UInt8]) throws(ReportFailure)
  /// Ends the output and keeps what was written.
  func commit() throws(ReportFailure)
  /// Ends the output and discards what was written, where that is still possible.
  func abandon()
}

extension ReportFile: CaptureOutput {
  package var pieceLength: Int { Self.blockLength }
}

/// Hands octets to a reader at the other end of a pipe as they come.
///
/// A reader that closes the pipe or stops reading does not block the run: what does not fit into the pipe is buffered
/// here, and the reader is dropped if the buffer grows too large.
package final class LiveOutput: CaptureOutput {
  /// Octets that may wait for the reader.
  static let backlogLimit = 16 * 1024 * 1024
  /// Octets that a pipe with any room takes at once, so that writing never blocks (`pipe(7)`, PIPE_BUF).
  private static let atomicLength = 4_096
  /// How long to wait for the reader at the end, in milliseconds.
  private static let patienceMilliseconds: Int32 = 2_000

  private let descriptor: FileDescriptor
  private let loop: EventLoop
  private let whenLost: (String) -> Void
  private var backlog: [UInt8] = []
  private var sent = 0
  private var isWatching = false
  private var isLost = false

  /// Writes to a descriptor without taking ownership of it. Calls `whenLost` once, with a sentence, if the reader is
  /// dropped. SIGPIPE must be ignored.
  package init(_ descriptor: Int32, on loop: EventLoop, whenLost: @escaping (String) -> Void) {
    self.descriptor = FileDescriptor(borrowing: descriptor)
    self.loop = loop
    self.whenLost = whenLost
  }

  deinit { abandon() }

  /// A reader sees each record at once.
  package var pieceLength: Int { 1 }

  package func write(_ octets: [UInt8]) {
    guard !isLost else { return }
    backlog += octets
    send()
    if backlog.count - sent > Self.backlogLimit {
      lose("does not read: more than \(Self.backlogLimit) octets are waiting")
    }
  }

  package func commit() {
    while !isLost, sent < backlog.count {
      guard descriptor.isReady(for: .writable, within: Self.patienceMilliseconds) else {
        lose("does not read: \(backlog.count - sent) octets are waiting")
        break
      }
      send()
    }
    abandon()
  }

  package func abandon() {
    if isWatching { loop.unwatch(descriptor.number) }
    isWatching = false
  }

  /// Sends as much as the reader takes now, and looks after the rest when there is room again.
  private func send() {
    // A pipe without a reader is ready as well, which writing then tells.
    while sent < backlog.count, descriptor.isReady(for: .writable, within: 0) {
      do {
        let count = try descriptor.write(backlog[sent..<min(backlog.count, sent + Self.atomicLength)])
        if count == 0 { break }
        sent += count
      } catch { return lose(error.code == .brokenPipe ? "closed the pipe" : "cannot be written to: \(error.code)") }
    }
    if sent == backlog.count {
      backlog.removeAll(keepingCapacity: true)
      sent = 0
      abandon()
    } else if !isWatching {
      isWatching = true
      backlog.removeFirst(sent)
      sent = 0
      loop.watch(descriptor.number, for: .writable) { [weak self] _ in self?.send() }
    }
  }

  private func lose(_ words: String) {
    isLost = true
    abandon()
    backlog.removeAll()
    sent = 0
    whenLost("the capture reader \(words); continuing without capture")
  }
}
