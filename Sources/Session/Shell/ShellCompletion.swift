import ScenarioLanguage

/// What the key Tab does to a line of the shell.
package struct ShellCompletion {
  /// What may stand at the end of a line.
  package struct Proposal: Hashable, Sendable {
    /// What is put after the line: as much as all words have in common, and what follows the only one.
    package var addition: String
    /// The words to choose from; empty where there is no choice.
    package var choices: [String]
  }

  private let steps: StepCompletion
  private let topics: [String]

  /// Completes lines in the words of a vocabulary.
  package init(_ vocabulary: Vocabulary) {
    steps = StepCompletion(vocabulary)
    topics = vocabulary.topics
  }

  /// What may follow a line.
  package func proposal(for line: String) -> Proposal {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let first = words.first ?? ""
    if words.count == 1 {
      let own = ShellLine.words.map(\.word).filter { $0.hasPrefix(first) }
      let leads = steps.proposal(for: line).words
      if leads.isEmpty || !own.isEmpty {
        return Self.proposal(own + leads, after: first, then: own.isEmpty ? ": " : " ")
      }
    }
    switch first {
    case "fts" where words.count == 2:
      return Self.proposal(ShellLine.requests.map(\.0).filter { $0.hasPrefix(words[1]) }, after: words[1], then: " ")
    case "help" where words.count > 1:
      let topic = words.dropFirst().joined(separator: " ")
      return Self.proposal(topics.filter { $0.hasPrefix(topic) }, after: topic, then: "")
    default:
      let step = steps.proposal(for: line)
      return Self.proposal(step.words, after: step.beginning, then: step.areKeys ? ": " : "")
    }
  }

  private static func proposal(_ words: [String], after beginning: String, then ending: String) -> Proposal {
    guard let first = words.first else { return Proposal(addition: "", choices: []) }
    guard words.count > 1 else { return Proposal(addition: first.dropFirst(beginning.count) + ending, choices: []) }
    let common = words.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    return Proposal(addition: String(common.dropFirst(beginning.count)), choices: words)
  }
}

extension String {
  /// What two words begin with.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
