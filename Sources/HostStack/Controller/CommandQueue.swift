import HCI

/// Sends commands one after the other as the controller allows (Core Specification Vol 4, Part E, 4.4).
///
///     enqueue ─▶ waiting ─▶ (credit, nothing outstanding) ─▶ outstanding ─▶ answer, or none in time
///
/// One command is outstanding at a time, whatever the controller offers: what follows often depends on the answer, and
/// a controller that swallows a command then never takes another one with it. Every Command_Complete and
/// Command_Status tells the credits anew, also those that answer no command (opcode 0x0000).
struct CommandQueue: Sendable {
  private var waiting = Queue<Command>()
  /// The command whose answer is awaited.
  private(set) var outstanding: Command?
  private var credits = 1

  /// Whether a command waits for nothing but a credit.
  var isStarved: Bool { outstanding == nil && credits == 0 && !waiting.isEmpty }

  /// Puts a command behind all others.
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

  /// The outstanding command was not answered in time, or no credit came: one is taken as given back.
  mutating func expire() -> Command? {
    defer { outstanding = nil }
    credits = 1
    return outstanding
  }
}
