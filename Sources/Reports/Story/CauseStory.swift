import Text
import Verdicts

/// Scenarios that did not pass for what seems to be one cause.
///
/// Failures have the same cause where their runs first left the way of a passing run in the same manner. Where that is not
/// known, they have it where they broke the same requirement in the same words. Numbers do not count. A scenario that
/// fails in the same words in a later repetition fails for the same cause.
package struct CauseStory: Sendable {
  /// Scenarios that are named besides the first.
  private static let namedLimit = 5

  /// The scenario that is told in full.
  package let first: ScenarioStory
  /// All of them, in the order of their weight.
  package let members: [ScenarioStory]

  /// Groups scenarios; the groups and their members keep the order of `stories`.
  static func grouped(_ stories: [ScenarioStory]) -> [CauseStory] {
    var keys: [String] = []
    var members: [String: [ScenarioStory]] = [:]
    var known: [String: String] = [:]
    for story in stories {
      let words = FailureCause.key(of: story.report)
      let key = difference(story) ?? known[story.name + words] ?? words
      known[story.name + words] = key
      if members[key] == nil { keys.append(key) }
      members[key, default: []].append(story)
    }
    return keys.compactMap { key in
      members[key].flatMap { group in group.first.map { CauseStory(first: $0, members: group) } }
    }
  }

  /// How its run first left the way of a passing run; `nil` where that is not known.
  private static func difference(_ story: ScenarioStory) -> String? {
    story.report.account?.difference.map { "\(story.kind.rawValue) difference \($0.cause)" }
  }

  /// The number of the others in words; `nil` where there is only one.
  var more: String? {
    guard members.count > 1 else { return nil }
    let isRepeated = members.allSatisfy { $0.name == first.name }
    return Wording.count(members.count - 1, isRepeated ? "more repetition" : "more scenario")
  }

  /// The other scenarios in a sentence; `nil` where there is only one.
  package var others: String? {
    guard members.count > 1 else { return nil }
    let names = members.dropFirst().prefix(Self.namedLimit).map(\.attemptName)
    let more = members.count - 1 - names.count
    return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
