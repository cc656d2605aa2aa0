/// A JSON document in the making (RFC 8259). Members keep their order, so that the same document is the same octets
/// everywhere.
package enum JSONValue: Sendable {
  /// Nothing.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A whole number that fits 64 bits with a sign.
  case integer(Int)
  /// A whole number beyond the range of signed ones, such as a seed.
  case unsigned(UInt64)
  /// Seconds with six decimals, rounded down; negative durations are written as zero.
  case seconds(Duration)
  /// A share in millionths, as a decimal number.
  case millionths(Int)
  /// Text, of whatever origin.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Named values in order. A name that occurs twice is the caller's mistake.
  case object([(String, JSONValue)])

  /// An object of these members, in this order.
  package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { ($0.key, $0.value) })
  }

  /// Strings as an array.
  package static func strings(_ strings: some Sequence<String>) -> JSONValue { .array(strings.map { .string($0) }) }

  /// Text, or `null` where there is none.
  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// The document on one line, in UTF-8.
  package var line: [UInt8] {
    var octets: [UInt8] = []
    append(to: &octets)
    return octets
  }

  /// Writes the document on one line behind `octets`.
  package func append(to octets: inout [UInt8]) {
    var writer = JSONTextWriter(isIndented: false)
    swap(&writer.octets, &octets)
    writer.write(self)
    swap(&writer.octets, &octets)
  }

  /// The document over several lines, two blanks a level, with a line feed at its end, in UTF-8.
  package var document: [UInt8] {
    var writer = JSONTextWriter(isIndented: true)
    writer.write(self)
    return writer.octets + [0x0A]
  }

  /// The document over several lines as it stands inside another, indented by `level` times two blanks but for its first
  /// line, without a line feed at its end.
  package func part(level: Int) -> [UInt8] {
    var writer = JSONTextWriter(isIndented: true, level: level)
    writer.write(self)
    return writer.octets
  }

  /// The document on one line.
  package var text: String { String(decoding: line, as: UTF8.self) }

  /// The document over several lines.
  package var indentedText: String { String(decoding: document, as: UTF8.self) }
}

/// Durations as decimal seconds, without floating point.
package enum DecimalSeconds {
  /// Seconds with six decimals, rounded down to the microsecond; negative durations are zero.
  package static func text(_ duration: Duration) -> String {
    guard duration > .zero else { return "0.000000" }
    let (seconds, attoseconds) = duration.components
    let fraction = String(attoseconds / 1_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }
}

/// Writes JSON text (RFC 8259).
private struct JSONTextWriter {
  let isIndented: Bool
  var octets: [UInt8] = []
  private var level: Int

  init(isIndented: Bool, level: Int = 0) {
    self.isIndented = isIndented
    self.level = level
  }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: octets += "null".utf8
    case .boolean(let boolean): octets += (boolean ? "true" : "false").utf8
    case .integer(let number):
      if number < 0 { octets.append(UInt8(ascii: "-")) }
      write(number.magnitude)
    case .unsigned(let number): write(UInt(number))
    case .seconds(let duration): octets += DecimalSeconds.text(duration).utf8
    case .millionths(let number): octets += DecimalSeconds.text(.microseconds(number)).utf8
    case .string(let string): write(string)
    case .array(let values): writeItems("[", values, "]") { $0.write($1) }
    case .object(let members):
      writeItems("{", members, "}") { writer, member in
        writer.write(member.0)
        writer.octets.append(UInt8(ascii: ":"))
        if writer.isIndented { writer.octets.append(UInt8(ascii: " ")) }
        writer.write(member.1)
      }
    }
  }

  private mutating func writeItems<Item>(
    _ open: Unicode.Scalar, _ items: [Item], _ close: Unicode.Scalar, _ write: (inout JSONTextWriter, Item) -> Void
  ) {
    octets.append(UInt8(ascii: open))
    level += 1
    for (index, item) in items.enumerated() {
      if index > 0 { octets.append(UInt8(ascii: ",")) }
      breakLine()
      write(&self, item)
    }
    level -= 1
    if !items.isEmpty { breakLine() }
    octets.append(UInt8(ascii: close))
  }

  /// Digits from the last to the first, without text in between.
  private mutating func write(_ number: UInt) {
    let start = octets.count
    var rest = number
    repeat {
      octets.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    octets[start...].reverse()
  }

  private mutating func breakLine() {
    guard isIndented else { return }
    octets.append(0x0A)
    octets.append(contentsOf: repeatElement(0x20, count: 2 * level))
  }

  /// Whether text is printable ASCII without quotation mark and backslash. It looks at all of it, which goes sixteen octets
  /// at a time.
  private static func needsNoEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var escapes: UInt8 = 0
    for octet in text {
      escapes |= octet < 0x20 || octet > 0x7E || octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") ? 1 : 0
    }
    return escapes == 0
  }

  private mutating func write(_ string: String) {
    octets.append(UInt8(ascii: "\""))
    defer { octets.append(UInt8(ascii: "\"")) }
    // Nearly all text goes in as it is.
    let isWritten = string.utf8.withContiguousStorageIfAvailable { text in
      guard Self.needsNoEscape(text) else { return false }
      octets.append(contentsOf: text)
      return true
    }
    if isWritten == true { return }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": octets += "\\\"".utf8
      case "\\": octets += "\\\\".utf8
      case "\n": octets += "\\n".utf8
      case "\r": octets += "\\r".utf8
      case "\t": octets += "\\t".utf8
      // Line separators end a line for some readers of line-by-line JSON; delete and C1 controls move terminals.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": writeEscape(UInt16(scalar.value))
      // Format characters turn text round or hide some of it, for whoever looks at the document. Those that would need two
      // escapes are left: none of them turns text round, and readers of YAML do not know such pairs.
      case "\u{A0}"..."\u{FFFF}" where scalar.properties.generalCategory == .format: writeEscape(UInt16(scalar.value))
      default: octets += UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter
      }
    }
  }

  private mutating func writeEscape(_ unit: UInt16) { octets += ("\\u" + Hexadecimal.digits(unit)).utf8 }
}
