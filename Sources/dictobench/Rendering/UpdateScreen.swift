import SecureDFU
import Synchronization

/// Shows on standard error how far an update is: a line that is redrawn on a terminal, else each new phase.
final class UpdateScreen: Sendable {
  private let console: Console
  private let isJSON: Bool
  private let phase = Mutex<UpdateState.Phase?>(nil)

  init(_ output: ResultOutput) {
    console = output.console
    isJSON = output.isJSON
  }

  /// Takes the state of an update.
  func show(_ state: UpdateState) {
    guard !isJSON else { return }
    let isNews = phase.withLock { last in
      defer { last = state.phase }
      return last != state.phase
    }
    if console.style.isAnimated {
      console.progress("\r\u{1B}[K" + UpdateText.line(state))
    } else if isNews {
      console.note(UpdateText.line(state))
    }
  }

  /// Clears the line.
  func finish() { if !isJSON, console.style.isAnimated { console.progress("\r\u{1B}[K") } }
}
