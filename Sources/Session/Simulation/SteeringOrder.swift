import Foundation
import Runner

/// An order to a simulated recorder: a `device:` step of a scenario, or one of the words below.
package struct SteeringOrder: Sendable, Equatable {
  /// The words of the `device:` verbs that a recorder is steered by.
  package static let verbs = DeviceConsole.verbs.filter { !own.contains($0) }
  /// Words that no step has, or that give a fuller answer here.
  package static let own = ["inspect", "reboot", "break", "fault", "place", "write-firmware", "events"]
  /// All words that an order may begin with.
  package static let words = verbs + own

  /// The verb or word.
  package let word: String
  /// The word's value, where it is text; `nil` where a word has none.
  package let value: String?
  /// The name of the recorder; `nil` for the first.
  package let recorder: String?
  /// The text between the braces of the step.
  package let step: String

  /// Reads an order: `{"press": "2 s", "as": "recorder-1"}` as JSON, or `press: 2 s, as: recorder-1`. `nil` for anything
  /// else.
  package init?(_ line: String) {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty else { return nil }
    if text.hasPrefix("{") { self.init(json: text) } else { self.init(plain: text) }
  }

  private init?(plain text: String) {
    let parts = text.split(separator: ", as: ", maxSplits: 1).map(String.init)
    let halves = parts[0].split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    guard let first = halves.first else { return nil }
    word = first
    value = halves.count > 1 ? halves[1] : nil
    recorder = parts.count > 1 ? parts[1] : nil
    step = parts[0]
  }

  private init?(json text: String) {
    guard let members = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] else { return nil }
    let fields = members.filter { $0.key != "as" }.sorted { $0.key < $1.key }
    // Among several fields, the known one is the word.
    guard let first = fields.first(where: { Self.words.contains($0.key) }) ?? fields.first else { return nil }
    word = first.key
    value = Self.text(first.value)
    recorder = members["as"] as? String
    let others = fields.filter { $0.key != first.key }
    let parts = ([first] + others).map { name, value in Self.flow(value).map { "\(name): \($0)" } ?? name }
    step = parts.joined(separator: ", ")
  }

  /// A value as text; `nil` for none. `true` is like no value.
  private static func text(_ value: Any) -> String? {
    switch value {
    case let text as String: return text
    case let number as NSNumber:
      if number === (true as NSNumber) { return nil }
      return number === (false as NSNumber) ? "false" : "\(number)"
    default: return nil
    }
  }

  /// A value as YAML writes it in a flow: a number or a word as it is, a time in quotes, an object in braces.
  private static func flow(_ value: Any) -> String? {
    if let members = value as? [String: Any] {
      let fields = members.sorted { $0.key < $1.key }
      return "{" + fields.map { name, value in "\(name): \(flow(value) ?? "null")" }.joined(separator: ", ") + "}"
    }
    guard let text = text(value) else { return nil }
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " .-_/+%".contains($0)) }
    if isPlain, !text.isEmpty { return text }
    return "'" + text.replacing("'", with: "''") + "'"
  }
}
