/// Text made safe for terminals, logs and captures, wherever it came from.
package enum PlainText {
  /// The text on one line: control characters, direction marks and other invisible characters are spelled out, so that
  /// neither a device nor a file can move the cursor or hide a part of what it says. Cut at `limit` characters.
  package static func escaped(_ text: some StringProtocol, limit: Int = 2_000) -> String {
    if isPlain(text), text.utf8.count <= limit { return String(text) }
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return result + "…" }
      count += 1
      if scalar == "\t" || scalar == "\n" {
        result += " "
      } else if isHarmless(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return result
  }

  /// Whether the text is printable ASCII, as nearly all is: there is nothing to look up and nothing to change.
  private static func isPlain(_ text: some StringProtocol) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(isPlain) ?? Array(text.utf8).withUnsafeBufferPointer(isPlain)
  }

  /// Looks at all of it, which goes sixteen octets at a time.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var strange: UInt8 = 0
    for octet in text { strange |= octet < 0x20 || octet > 0x7E ? 1 : 0 }
    return strange == 0
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }
}
