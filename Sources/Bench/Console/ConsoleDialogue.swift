/// The client's end of the recorder's console: types a command, waits for its echo, and takes the lines up to the
/// next prompt for the answer. Logs may come between any two of these, and may be missing.
package struct ConsoleDialogue: DialogueMachine {
  private enum State: Hashable {
    case idle
    /// The command was typed and is not echoed yet.
    case typed(Question)
    /// The echo is complete.
    case answering(Question, [String])
    case failed(DialogueFailure)
  }

  /// Lines of one answer; every command of the firmware has fewer.
  private static let lineLimit = 16

  private var text = ConsoleText()
  private var state = State.idle
  /// Something that no console of a recorder says, for the message.
  private var oddity: String?

  package init() {}

  package mutating func handle(_ input: DialogueInput, _ effects: inout [DialogueEffect]) {
    switch input {
    case .ask(let question):
      if case .failed(let failure) = state {
        effects.append(.answer(.failure(failure)))
        return
      }
      state = .typed(question)
      oddity = nil
      effects += [.send(Array(question.text.utf8) + [0x0D]), .startPatience(question.patience)]
    case .octets(let octets):
      for piece in text.take(octets) { take(piece, &effects) }
    case .patienceEnded:
      switch state {
      case .typed(let question) where question.maySilenceAnswer:
        state = .idle
        effects.append(.answer(.failure(.silence(question: question.text, patience: question.patience))))
      case .typed(let question), .answering(let question, _):
        fail(oddity.map { .nonsense($0) } ?? .silence(question: question.text, patience: question.patience), &effects)
      case .idle, .failed: break
      }
    case .closed(let reason): fail(.closed(reason), &effects)
    }
  }

  private mutating func take(_ piece: ConsoleText.Piece, _ effects: inout [DialogueEffect]) {
    switch (piece, state) {
    case (.garbage(let text), _): oddity = text
    case (.line(let line), _) where ConsoleLog(line) != nil: effects.append(.heard(line))
    case (.line(let line), _) where line.hasPrefix(ConsoleText.lostLogs): break
    case (.line(let line), .typed(let question)):
      if line == question.text {
        state = .answering(question, [])
      } else {
        // The rest of what somebody typed before us, or no console at all.
        oddity = line
      }
    case (.line(let line), .answering(let question, let lines)) where lines.count < Self.lineLimit:
      state = .answering(question, lines + [line])
    // A log that came before the answer shows the prompt too, so a prompt without an answer ends nothing.
    case (.prompt, .answering(_, let lines)) where !lines.isEmpty:
      state = .idle
      effects += [.stopPatience, .answer(.success(lines))]
    default: break
    }
  }

  private mutating func fail(_ failure: DialogueFailure, _ effects: inout [DialogueEffect]) {
    let isWaiting: Bool
    switch state {
    case .failed: return
    case .idle: isWaiting = false
    case .typed, .answering: isWaiting = true
    }
    state = .failed(failure)
    if isWaiting { effects += [.stopPatience, .answer(.failure(failure))] }
  }
}
