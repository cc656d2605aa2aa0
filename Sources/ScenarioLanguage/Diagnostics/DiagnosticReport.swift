import Bytes
import Text
import YAML

/// Problems put into words, the most useful first.
public struct DiagnosticReport: Sendable {
  private let diagnostics: [Diagnostic]
  private let files: [String: SourceFile]

  /// Orders the problems; `files` are those whose lines may be shown.
  public init(_ diagnostics: [Diagnostic], files: [SourceFile]) {
    self.diagnostics = diagnostics.sorted(by: Diagnostic.precedes)
    self.files = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// How many errors there are, with those that are not kept.
  public var errorCount: Int { count(.error) }
  /// How many warnings there are, with those that are not kept.
  public var warningCount: Int { count(.warning) }

  private func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.filter { $0.severity == severity }.reduce(0) { $0 + 1 + $1.others }
  }

  /// The text for people: place, line, caret, what was expected, the nearest spelling. Safe for a terminal.
  public func text(limit: Int = LanguageLimits.shownDiagnostics, colour: Bool = false) -> String {
    var lines = diagnostics.prefix(limit).flatMap { self.lines(of: $0, colour) + [""] }
    let rest = errorCount + warningCount - min(limit, diagnostics.count)
    if rest > 0 { lines += ["\(rest) more not shown", ""] }
    if !diagnostics.isEmpty { lines.append(summary) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The most useful problem alone, as ``text(limit:colour:)`` has it; empty where there is none.
  package func firstText(colour: Bool = false) -> String {
    diagnostics.first.map { lines(of: $0, colour).joined(separator: "\n") } ?? ""
  }

  /// `2 errors, 1 warning`.
  public var summary: String {
    let counts = [(errorCount, "error"), (warningCount, "warning")].filter { $0.0 > 0 }
    return counts.isEmpty ? "no problems" : counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  /// All problems that are kept as one JSON array for editors and scripts.
  public var json: String { jsonValue.text }

  /// All problems that are kept as one JSON array.
  package var jsonValue: JSONValue {
    .array(
      diagnostics.map { diagnostic in
        let place = Self.members(of: diagnostic.location)
        let texts = [("expected", diagnostic.expected), ("suggestion", diagnostic.suggestion)]
        let notes = diagnostic.notes.map {
          JSONValue.object(Self.members(of: $0.location) + [("message", .string($0.message))])
        }
        return .object(
          place + [("severity", .string(diagnostic.severity.rawValue)), ("message", .string(diagnostic.message))]
            + texts.compactMap { name, text in text.map { (name, JSONValue.string($0)) } }
            + (notes.isEmpty ? [] : [("notes", .array(notes))]))
      })
  }

  private static func members(of location: SourceLocation) -> [(String, JSONValue)] {
    [
      ("file", .string(location.file)), ("line", .integer(location.line)), ("column", .integer(location.column)),
      ("length", .integer(location.length)),
    ]
  }

  private func lines(of diagnostic: Diagnostic, _ colour: Bool) -> [String] {
    let paint = Paint(isOn: colour)
    let severity = diagnostic.severity
    let word = paint(severity == .error ? .error : .warning, severity.rawValue + ":")
    let place = PlainText.escaped(diagnostic.location.description)
    var lines = [paint(.bold, place + ":") + " \(word) " + paint(.bold, PlainText.escaped(diagnostic.message))]
    lines += excerpt(of: diagnostic.location, paint)
    if let expected = diagnostic.expected { lines.append("  expected: " + PlainText.escaped(expected)) }
    if let suggestion = diagnostic.suggestion {
      lines.append("  did you mean " + paint(.help, "`" + PlainText.escaped(suggestion) + "`") + "?")
    }
    lines += diagnostic.notes.map { "  " + PlainText.escaped("\($0.location): note: \($0.message)") }
    return lines
  }

  /// The line of the file with a caret under the place.
  private func excerpt(of location: SourceLocation, _ paint: Paint) -> [String] {
    guard let file = files[location.file], let excerpt = SourceExcerpt(file, at: location) else { return [] }
    return ["  " + excerpt.line, "  " + excerpt.indent + paint(.help, excerpt.caret)]
  }
}

/// Terminal colours, or none.
private struct Paint {
  enum Style: String {
    case bold = "1"
    case error = "1;31"
    case warning = "1;35"
    case help = "1;32"
  }

  let isOn: Bool

  func callAsFunction(_ style: Style, _ text: String) -> String {
    isOn ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
