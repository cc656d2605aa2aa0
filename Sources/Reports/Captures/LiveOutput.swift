import System
import Timeline

/// Where the octets of a capture go.
public protocol CaptureOutput: AnyObject {
  /// Takes the next octets.
  func write(_ octets: [UInt8]) throws(ReportFailure)
  /// Nothing follows, and what was written is kept.
  func commit() throws(ReportFailure)
  /// Nothing follows, and what was written is not kept, where that can still be helped.
  func abandon()
}

extension ReportFile: CaptureOutput {}

/// Hands octets to a reader at the other end of a pipe as they come.
///
/// Neither a reader that goes away nor one that stops reading holds anybody up: what does not fit into the pipe waits
/// here, and a reader that lets too much wait is given up.
public final class LiveOutput: CaptureOutput {
  /// Octets that may wait for the reader.
  static let backlogLimit = 16 * 1024 * 1024
  /// Octets that a pipe with any room takes at once, so that writing never blocks (`pipe(7)`, PIPE_BUF).
  private static let pieceLength = 4_096
  /// How long the reader may take nothing at the end, in milliseconds.
  private static let patienceMilliseconds: Int32 = 2_000

  private let descriptor: FileDescriptor
  private let loop: EventLoop
  private let whenLost: (String) -> Void
  private var backlog: [UInt8] = []
  private var sent = 0
  private var isWatching = false
  private var isLost = false

  /// Writes to a descriptor that stays its owner's. `whenLost` is told once, in a sentence, that the reader gets no more.
  /// SIGPIPE must be ignored.
  public init(_ descriptor: Int32, on loop: EventLoop, whenLost: @escaping (String) -> Void) {
    self.descriptor = FileDescriptor(borrowing: descriptor)
    self.loop = loop
    self.whenLost = whenLost
  }

  deinit { abandon() }

  public func write(_ octets: [UInt8]) {
    guard !isLost else { return }
    backlog += octets
    send()
    if backlog.count - sent > Self.backlogLimit { lose("takes nothing: over \(Self.backlogLimit) octets wait") }
  }

  public func commit() {
    while !isLost, sent < backlog.count {
      guard descriptor.isReady(for: .writable, within: Self.patienceMilliseconds) else {
        lose("takes nothing: \(backlog.count - sent) octets wait")
        break
      }
      send()
    }
    abandon()
  }

  public func abandon() {
    if isWatching { loop.unwatch(descriptor.number) }
    isWatching = false
  }

  /// Sends as much as the reader takes now, and looks after the rest when there is room again.
  private func send() {
    // A pipe without a reader is ready as well, which writing then tells.
    while sent < backlog.count, descriptor.isReady(for: .writable, within: 0) {
      do {
        let count = try descriptor.write(backlog[sent..<min(backlog.count, sent + Self.pieceLength)])
        if count == 0 { break }
        sent += count
      } catch { return lose(error.code == .brokenPipe ? "is gone" : "cannot be reached: \(error.code)") }
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
    whenLost("the capture's reader \(words); everything else goes on without it")
  }
}
