/// A file in memory, with the name that messages use.
public struct SourceFile: Hashable, Sendable {
  /// The name for messages and reports, normally a path relative to the working folder.
  public let path: String
  /// The contents, whatever they are.
  public let bytes: [UInt8]
  /// The number of the first line; 1 unless this is a part of a longer text.
  package let firstLine: Int

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    firstLine = 1
  }

  /// A part of a longer text, whose first line has another number there.
  package init(path: String, text: String, firstLine: Int) {
    self.path = path
    bytes = Array(text.utf8)
    self.firstLine = firstLine
  }

  /// A file made of text, for tests and documents.
  public init(path: String, text: String) { self.init(path: path, bytes: Array(text.utf8)) }

  /// The text of a line, without its end; invalid UTF-8 is replaced. Empty before the first and beyond the last line.
  public func line(_ number: Int) -> String {
    var current = firstLine
    var start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0D {
        if current == number { break }
        if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
        current += 1
        start = index + 1
      }
      index += 1
    }
    return current == number ? String(decoding: bytes[start..<index], as: UTF8.self) : ""
  }

  /// U+FEFF at the beginning, which is skipped.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
