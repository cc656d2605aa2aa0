// Writes a Swift file that lists every type declared as `enum Name: Verb` in the files given.
// Usage: catalogue-verbs OUTPUT FILE...

import Foundation

let paths = CommandLine.arguments.dropFirst(2)
var names: [String] = []
for path in paths {
  for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
    let words = line.split(separator: " ")
    guard words.count >= 4, ["enum", "struct"].contains(words[0]), words[1].hasSuffix(":"), words[2] == "Verb" else {
      continue
    }
    names.append(String(words[1].dropLast()))
  }
}
let text = """
  /// Every verb, in the order of their files. Made from the folder of verbs when the package is built.
  enum VerbCatalogue {
    static let all: [any (Verb & Sendable).Type] = [
  \(names.map { "    \($0).self," }.joined(separator: "\n"))
    ]
  }

  """
try text.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
