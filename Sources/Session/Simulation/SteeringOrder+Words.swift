import Bench
import Runner
import Text

extension SteeringOrder {
  /// The words of the `device:` verbs that a recorder is steered by.
  package static let verbs = DeviceConsole.verbs.filter { !own.contains($0) }
  /// Words that no step has, or that give a fuller answer here.
  package static let own = ["inspect", "reboot", "break", "fault", "place", "write-firmware", "events"]
  /// Those of them that have no value.
  private static let bare = ["inspect", "reboot", "break", "write-firmware"]
  /// All words that an order may begin with.
  package static let words = verbs + own

  /// Reads an order that simulations understand; `nil` for anything else.
  package init?(_ line: String) { self.init(line, knowing: Self.words) }

  /// What is wrong with the order besides its word: a recorder that is not named by text, or what an own word does not
  /// take; `nil` for nothing. What a verb does not take, the language refuses.
  package var complaint: String? {
    if others.contains("as") { return "`as` needs the name of a recorder, such as \"recorder-1\"" }
    guard Self.own.contains(word) else { return nil }
    if let other = others.first {
      let nearest = Spelling.nearest(to: other, among: ["as"]).map { "; did you mean \($0)?" } ?? ""
      return "\(word) has no member \(other); expected only `as` with the name of a recorder\(nearest)"
    }
    guard Self.bare.contains(word), value != nil || step.hasSuffix("}") else { return nil }
    return "\(word) takes no value; `as` names the recorder"
  }
}
