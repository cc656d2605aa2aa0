import Text
import Bytes
import Session

/// Shows on standard error how far a pull is: a line that is redrawn on a terminal, else a line for each record.
struct PullScreen: Sendable {
  private let console: Console
  private let isJSON: Bool

  init(_ output: ResultOutput) {
    console = output.console
    isJSON = output.isJSON
  }

  private var isAnimated: Bool { !isJSON && console.style.isAnimated }

  /// Takes what a pull tells.
  func show(_ event: PullEvent) {
    switch event {
    case .progress(let progress): if isAnimated { console.progress("\r\u{1B}[K" + Self.line(progress)) }
    case .stored(let identifier, let octets, let count):
      if !isJSON, !isAnimated {
        console.note("\(PlainText.escaped(identifier))  \(octets) octets, record \(count) of this pull")
      }
    case .connectionEnded: if isAnimated { console.progress("\r\u{1B}[K") }
    case .retrying(let failure, let attempt, let attempts):
      console.note("\(PlainText.escaped(failure.sentence)); attempt \(attempt) of \(attempts)")
    case .gaveUp(let totals): if !isJSON { console.note(Self.sentence(totals)) }
    }
  }

  private static func line(_ progress: TransferProgress) -> String {
    let speed = progress.octetsPerSecond.map { "  \($0) octets a second" } ?? ""
    return
      "\(PlainText.escaped(progress.identifier))  \(progress.percent) %  \(progress.received) of \(progress.total) "
      + "octets\(speed)"
  }

  /// What was fetched and written.
  static func sentence(_ totals: PullTotals) -> String {
    let rate = totals.octetsPerSecond.map { " at \($0) octets a second" } ?? ""
    let stuck = totals.interrupted.map { progress in
      "; \(PlainText.escaped(progress.identifier)) stopped at \(progress.received) of \(progress.total) octets"
    }
    return "\(totals.downloaded) fetched, \(totals.octets) octets\(rate); \(totals.written.count) files written"
      + (stuck ?? "")
  }
}
