import Foundation

/// An order to a simulated recorder, as a line of a client or of the terminal: a `device:` step of a scenario, or a word that
/// only orders have.
package struct SteeringOrder: Sendable, Equatable {
  /// The verb or word.
  package let word: String
  /// The word's value, where it is text; `nil` where a word has none.
  package let value: String?
  /// The name of the recorder; `nil` for the first.
  package let recorder: String?
  /// The text between the braces of the step.
  package let step: String
  /// Names of the other members, in order; an `as` that is not text is one of them.
  package let others: [String]

  /// Reads an order: `{"press": "2 s", "as": "recorder-1"}` as JSON, or `press: 2 s, as: recorder-1`. Among several fields
  /// of JSON the first of `words` is the order's. `nil` for anything else, and where the step would be more than one line.
  package init?(_ line: String, knowing words: [String]) {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty else { return nil }
    if text.hasPrefix("{") { self.init(json: text, words) } else { self.init(plain: text) }
    guard step.unicodeScalars.allSatisfy(Self.staysOnItsLine) else { return nil }
  }

  /// A step becomes a line of a scenario, and must not bring further lines along (YAML 1.1, 4.2).
  private static func staysOnItsLine(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  private init?(plain text: String) {
    let parts = text.split(separator: ", as: ", maxSplits: 1).map(String.init)
    let halves = parts[0].split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    guard let first = halves.first else { return nil }
    word = first
    value = halves.count > 1 ? halves[1] : nil
    recorder = parts.count > 1 ? parts[1] : nil
    step = parts[0]
    others = []
  }

  private init?(json text: String, _ words: [String]) {
    guard let members = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] else { return nil }
    let fields = members.filter { $0.key != "as" }.sorted { $0.key < $1.key }
    // Among several fields, the known one is the word.
    guard let first = fields.first(where: { words.contains($0.key) }) ?? fields.first else { return nil }
    word = first.key
    value = Self.text(first.value)
    recorder = members["as"] as? String
    let rest = fields.filter { $0.key != first.key }
    others = (members["as"].map { $0 is String } ?? true ? [] : ["as"]) + rest.map(\.key)
    let parts = ([first] + rest).map { name, value in Self.flow(value).map { "\(name): \($0)" } ?? name }
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
