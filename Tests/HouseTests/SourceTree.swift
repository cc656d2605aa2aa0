import Foundation

/// The repository as text: what the house rules are held against.
enum SourceTree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The text of one file of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Every Swift file of the product, in order of paths.
  static let sources = swiftFiles(below: "Sources")

  /// Every Swift file of the tests, in order of paths.
  static let tests = swiftFiles(below: "Tests")

  /// Every Swift file that uses the product from outside, in order of paths.
  static let others = (swiftFiles(below: "Fuzz") + swiftFiles(below: "Examples")).filter {
    !$0.path.contains("/.build/")
  }

  private static func swiftFiles(below folder: String) -> [SourceFile] {
    let base = root.appending(path: folder).path
    guard let walker = FileManager.default.enumerator(atPath: base) else { return [] }
    return walker.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
      (try? String(contentsOfFile: base + "/" + name, encoding: .utf8)).map { SourceFile(folder + "/" + name, $0) }
    }
  }
}

/// One Swift file: its lines as written, and with comments and the insides of strings blanked.
struct SourceFile: Sendable {
  let path: String
  let lines: [String]
  let code: [String]

  init(_ path: String, _ text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var isInMultilineString = false
    code = lines.map { line in Self.blank(line, &isInMultilineString) }
  }

  /// The module this file belongs to.
  var module: String { String(path.split(separator: "/")[1]) }

  private static func blank(_ line: String, _ isInMultilineString: inout Bool) -> String {
    if line.contains("\"\"\"") {
      defer {
        isInMultilineString =
          line.components(separatedBy: "\"\"\"").count % 2 == 0 ? !isInMultilineString : isInMultilineString
      }
      return isInMultilineString ? "" : String(line.prefix { $0 != "\"" })
    }
    if isInMultilineString { return "" }
    var result = ""
    var isInString = false
    var previous: Character = " "
    for character in line {
      if isInString {
        if character == "\"", previous != "\\" { isInString = false }
      } else {
        if character == "/", previous == "/" { return String(result.dropLast()) }
        if character == "\"" { isInString = true } else { result.append(character) }
      }
      previous = previous == "\\" && character == "\\" ? " " : character
    }
    return result
  }
}
