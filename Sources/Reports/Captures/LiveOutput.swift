import Glibc
import Timeline

/// Where the octets of a capture go.
public protocol CaptureOutput: AnyObject {
  /// Takes the next octets.
  func write(_ octets: [UInt8]) throws(ReportFailure)
  /// Ends the output and keeps what was written.
  func commit() throws(ReportFailure)
  /// Ends the output and discards what was written, where that is still possible.
  func abandon()
}

extension ReportFile: CaptureOutput {}

/// Hands octets to a reader at the other end of a pipe as they come.
///
/// A reader that closes the pipe or stops reading does not block the run: what does not fit into the pipe is buffered
/// here, and the reader is dropped if the buffer grows too large.
public final class LiveOutput: CaptureOutput {
  /// Octets that may wait for the reader.
  static let backlogLimit = 16 * 1024 * 1024
  /// Octets that a pipe with any room takes at once, so that writing never blocks (`pipe(7)`, PIPE_BUF).
  private static let pieceLength = 4_096
  /// How long to wait for the reader at the end, in milliseconds.
  private static let patienceMilliseconds: Int32 = 2_000

  private let descriptor: Int32
  private let loop: EventLoop
  private let whenLost: (String) -> Void
  private var backlog: [UInt8] = []
  private var sent = 0
  private var isWatching = false
  private var isLost = false

  /// Writes to a descriptor without taking ownership of it. Calls `whenLost` once, with a sentence, if the reader is
  /// dropped. SIGPIPE must be ignored.
  public init(_ descriptor: Int32, on loop: EventLoop, whenLost: @escaping (String) -> Void) {
    self.descriptor = descriptor
    self.loop = loop
    self.whenLost = whenLost
  }

  deinit { abandon() }

  public func write(_ octets: [UInt8]) {
    guard !isLost else { return }
    backlog += octets
    send()
    if backlog.count - sent > Self.backlogLimit {
      lose("does not read: more than \(Self.backlogLimit) octets are waiting")
    }
  }

  public func commit() {
    while !isLost, sent < backlog.count {
      guard isReady(within: Self.patienceMilliseconds) else {
        lose("does not read: \(backlog.count - sent) octets are waiting")
        break
      }
      send()
    }
    abandon()
  }

  public func abandon() {
    if isWatching { loop.unwatch(descriptor) }
    isWatching = false
  }

  /// Sends as much as the reader takes now, and looks after the rest when there is room again.
  private func send() {
    while sent < backlog.count, isReady(within: 0) {
      let piece = backlog[sent..<min(backlog.count, sent + Self.pieceLength)]
      let count = piece.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else {
        if errno == EINTR { continue }
        if errno == EAGAIN { break }
        return lose(errno == EPIPE ? "closed the pipe" : "cannot be written to: \(String(cString: strerror(errno)))")
      }
      sent += count
    }
    if sent == backlog.count {
      backlog.removeAll(keepingCapacity: true)
      sent = 0
      abandon()
    } else if !isWatching {
      isWatching = true
      backlog.removeFirst(sent)
      sent = 0
      loop.watch(descriptor, for: .writable) { [weak self] _ in self?.send() }
    }
  }

  /// Whether the pipe has room or its reader is gone, which writing then tells.
  private func isReady(within milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&asked, 1, milliseconds) > 0
  }

  private func lose(_ words: String) {
    isLost = true
    abandon()
    backlog.removeAll()
    sent = 0
    whenLost("the capture reader \(words); continuing without capture")
  }
}
