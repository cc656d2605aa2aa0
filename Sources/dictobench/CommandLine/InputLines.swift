import Foundation
import Timeline

/// Lines of standard input as they come, without stopping the loop.
actor InputLines {
  /// Octets of one line; a longer one is cut.
  private static let lineLimit = 4_096

  nonisolated let loop: EventLoop
  private var rest: [UInt8] = []
  private var lines: [String] = []
  private var hasEnded = false
  private var waiting: CheckedContinuation<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(on loop: EventLoop) { self.loop = loop }

  /// The next line; `nil` when nothing follows.
  func next() async -> String? {
    loop.watch(STDIN_FILENO, for: .readable) { [weak self] _ in self?.assumeIsolated { $0.read() } }
    while lines.isEmpty, !hasEnded { await withCheckedContinuation { waiting = $0 } }
    loop.unwatch(STDIN_FILENO)
    return lines.isEmpty ? nil : lines.removeFirst()
  }

  private func read() {
    var block = [UInt8](repeating: 0, count: Self.lineLimit)
    let count = Foundation.read(STDIN_FILENO, &block, block.count)
    if count <= 0 { hasEnded = true }
    rest += block.prefix(max(0, count))
    while let end = rest.firstIndex(of: 0x0A) {
      lines.append(String(decoding: rest[..<end].prefix(Self.lineLimit), as: UTF8.self))
      rest.removeSubrange(...end)
    }
    if rest.count > Self.lineLimit { rest.removeAll() }
    waiting?.resume()
    waiting = nil
  }
}
