import Foundation
import Runner

/// What somebody wants of a simulated recorder: a `device:` step of a scenario, or one of our own words.
struct SteeringOrder: Sendable, Equatable {
  /// The words of the `device:` verbs that a recorder is steered by.
  static let verbs = DeviceConsole.verbs.filter { !own.contains($0) }
  /// The words that no step has, or that answer more here.
  static let own = ["inspect", "reboot", "break", "fault", "place", "events"]
  static let words = verbs + own

  /// The word that it is about.
  let word: String
  /// The word's value, where it is text; `nil` where a word has none.
  let value: String?
  /// The recorder that is meant.
  let recorder: String?
  /// What stands between the braces of the step.
  let step: String

  /// Reads an order: `{"press": "2 s", "as": "recorder-1"}` as JSON, or `press: 2 s, as: recorder-1`. `nil` for anything
  /// else.
  init?(_ line: String) {
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
    // Of several fields, the word is the one that is known.
    guard let first = fields.first(where: { Self.words.contains($0.key) }) ?? fields.first else { return nil }
    word = first.key
    value = Self.text(first.value)
    recorder = members["as"] as? String
    let others = fields.filter { $0.key != first.key }
    let parts = ([first] + others).map { name, value in Self.flow(value).map { "\(name): \($0)" } ?? name }
    step = parts.joined(separator: ", ")
  }

  /// A value as text; `nil` for none. A boolean says that a word is meant, as the absence of a value does.
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
