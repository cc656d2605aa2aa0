// Writes a Swift file that lists every type declared to conform to a protocol, such as `struct Name: Protocol {`, in the
// files given.
// Usage: catalogue-folder OUTPUT PROTOCOL FILE...

import Foundation

let conformance = CommandLine.arguments[2]
let keywords: Set<Substring> = ["enum", "struct", "class"]
var names: [String] = []
for path in CommandLine.arguments.dropFirst(3) {
  for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") where !line.hasPrefix(" ") {
    let words = line.split { $0 == " " || $0 == "," || $0 == "{" }
    guard let keyword = words.firstIndex(where: keywords.contains), keyword + 2 < words.count,
      words[keyword + 1].hasSuffix(":"), words[(keyword + 2)...].contains(Substring(conformance))
    else { continue }
    names.append(String(words[keyword + 1].dropLast()))
  }
}
let text = """
  /// Every \(conformance), in the order of their files. Made from their folder when the package is built.
  enum \(conformance)Catalogue {
    static let all: [any (\(conformance) & Sendable).Type] = [
  \(names.map { "    \($0).self," }.joined(separator: "\n"))
    ]
  }

  """
// A list that is right is left as it is: of a new file, even an equal one, everything above it would be built again.
let output = CommandLine.arguments[1]
if (try? String(contentsOfFile: output, encoding: .utf8)) != text {
  try text.write(toFile: output, atomically: true, encoding: .utf8)
}
