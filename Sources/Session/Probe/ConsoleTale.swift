import Bench
import Synchronization

/// What the console of a recorder told while it was probed.
package final class ConsoleTale: Sendable {
  /// More lines than this are not kept; a recorder can print any number.
  private static let limit = 100_000
  private let kept = Mutex<(lines: [ConsoleLog], banner: String?)>(([], nil))

  package init() {}

  /// Takes a line of the log. `banner` is the boot banner that the console showed last.
  func take(_ log: ConsoleLog, banner: String?) {
    kept.withLock { kept in
      kept.banner = banner
      if kept.lines.count < Self.limit { kept.lines.append(log) }
    }
  }

  /// The boot banner that came last; `nil` for none.
  var banner: String? { kept.withLock { $0.banner } }

  /// All lines, in order.
  var lines: [ConsoleLog] { kept.withLock { $0.lines } }
}
