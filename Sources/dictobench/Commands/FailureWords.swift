/// The words that stand at the beginning of the lines of a failure, and what each line says.
enum FailureWords {
  /// The word under which `explain` lists all of them.
  static let topic = "failure"

  /// The words, in the order in which a failure has them.
  static let all: [(word: String, meaning: String)] = [
    ("at", "Where the step, the scenario or the rule is written: file, line and column."),
    (
      "who",
      "Who failed: the recorder, the phone, the recorder or the phone where either may be at fault, or the bench. A step "
        + "that is marked with `shows:` names whom its requirement judges."
    ),
    ("what", "What was tried: the step, or the requirement that was violated while it ran."),
    ("step", "The step that ran, where `what` does not name it."),
    ("expected", "What the step expects, or what the requirement asks for."),
    ("found", "What was seen instead."),
    ("violated", "The requirements that are violated."),
    ("also violated", "What else was violated in the same scenario, with the instant."),
    ("judges", "Whom the requirement judges."),
    ("reason", "Why it did not pass, where no step or requirement tells more."),
    ("virtual time", "When it failed, in seconds since the scenario began. It passes only in a simulated run."),
    ("attempts", "The verdict of each attempt, where `--retries` asked for more than one."),
    ("open", "What somebody still owed when the scenario ended, such as an answer."),
    ("first difference", "Where the run first went another way than one that passes."),
    ("here", "What happened in this run at the first difference."),
    ("there", "What happened in the run that passes at the first difference."),
    ("the same in", "Other scenarios that failed for the same cause."),
    ("capture", "The packets, for Wireshark and `dictobench check`."),
    ("replay", "The command that runs the scenario again in the same way."),
  ]

  /// What one word means, or all of them for ``topic``; `nil` for another word.
  static func explanation(of words: [String]) -> String? {
    let word = words.joined(separator: " ")
    if word == topic { return all.map { "\($0.word): \($0.meaning)" }.joined(separator: "\n") }
    guard let known = all.first(where: { $0.word == word }) else { return nil }
    return "\(known.word), a line of a failure: \(known.meaning)"
  }
}
