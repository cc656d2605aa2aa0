/// A JSON document in the making (RFC 8259); members keep their order.
public indirect enum JSONValue: Sendable {
  /// Text.
  case string(String)
  /// A whole number.
  case integer(Int)
  /// `true` or `false`.
  case boolean(Bool)
  /// Nothing.
  case null
  /// Values in order.
  case array([JSONValue])
  /// Named values in order.
  case object([(String, JSONValue)])

  /// The document on one line.
  public var text: String {
    var writer = JSONTextWriter(isIndented: false)
    writer.write(self)
    return writer.text
  }

  /// The document with two blanks a level.
  public var indentedText: String {
    var writer = JSONTextWriter(isIndented: true)
    writer.write(self)
    return writer.text + "\n"
  }

  /// The strings as an array.
  public static func strings(_ strings: some Sequence<String>) -> JSONValue { .array(strings.map { .string($0) }) }
}

/// Writes JSON text (RFC 8259).
private struct JSONTextWriter {
  let isIndented: Bool
  private(set) var text = ""
  private var level = 0

  init(isIndented: Bool) { self.isIndented = isIndented }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .string(let string): write(string)
    case .integer(let integer): text += "\(integer)"
    case .boolean(let boolean): text += "\(boolean)"
    case .null: text += "null"
    case .array(let values): writeItems("[", values, "]") { $0.write($1) }
    case .object(let members):
      writeItems("{", members, "}") { writer, member in
        writer.write(member.0)
        writer.text += writer.isIndented ? ": " : ":"
        writer.write(member.1)
      }
    }
  }

  private mutating func writeItems<Item>(
    _ open: String, _ items: [Item], _ close: String, _ write: (inout JSONTextWriter, Item) -> Void
  ) {
    text += open
    level += 1
    for (index, item) in items.enumerated() {
      if index > 0 { text += "," }
      breakLine()
      write(&self, item)
    }
    level -= 1
    if !items.isEmpty { breakLine() }
    text += close
  }

  private mutating func breakLine() {
    if isIndented { text += "\n" + String(repeating: "  ", count: level) }
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
