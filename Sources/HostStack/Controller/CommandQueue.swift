import HCI

/// Sends commands one after the other as the controller allows (Core Specification Vol 4, Part E, 4.4).
///
///     enqueue ─▶ waiting ─▶ (credit, nothing outstanding) ─▶ outstanding ─▶ answer, or none in time
///
/// One command is outstanding at a time, however many the controller would take: the next one often depends on the
/// answer, and a controller that loses a command then loses only one. Every Command_Complete and Command_Status states
/// the credits again, including those that answer no command (opcode 0x0000).
struct CommandQueue: Sendable {
  private var waiting = Queue<Command>()
  /// The command whose answer is awaited.
  private(set) var outstanding: Command?
  private var credits = 1

  /// Whether a command waits only for a credit.
  var isStarved: Bool { outstanding == nil && credits == 0 && !waiting.isEmpty }

  /// Appends a command.
  mutating func enqueue(_ command: Command) { waiting.append(command) }

  /// The next command to be sent, where one may be.
  mutating func next() -> Command? {
    guard outstanding == nil, credits > 0, let command = waiting.popFirst() else { return nil }
    outstanding = command
    credits -= 1
    return command
  }

  /// Takes the credits and opcode of an answer; returns the command that it answers.
  mutating func answered(_ opcode: Opcode, credits told: Int) -> Command? {
    credits = told
    guard let command = outstanding, command.opcode == opcode else { return nil }
    outstanding = nil
    return command
  }

  /// The outstanding command timed out, or no credit came: one credit is assumed to be returned.
  mutating func expire() -> Command? {
    defer { outstanding = nil }
    credits = 1
    return outstanding
  }
}
