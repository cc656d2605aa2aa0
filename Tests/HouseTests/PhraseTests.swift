import Foundation
import Testing

/// Phrases that an English-speaking engineer reads twice, and what to write instead.
private let refused: [(pattern: String, instead: String)] = [
  (#"\bso many\b"#, "the number: \"N packets\", \"this many\""),
  (#"\bso often\b"#, "\"N times\""),
  (#"(?<![Tt]here )\bis no (?!longer)"#, "\"is not a …\""),
  (#"(?<![Tt]here )\bare no (?!longer)"#, "\"are not …\""),
  (#"of which nothing"#, "two sentences"),
  (#"[Nn]othing is known"#, "\"unknown …\""),
  (#"\bspeaks? against"#, "\"counts against\", or who is to blame"),
  (#"[Ww]hatever is no"#, "\"anything but …\""),
  (#"[Ww]hat they are\."#, "what the thing is"),
  (#"has its own reason"#, "the reason"),
  (#"\bis what it is\b"#, "the fact"),
  (#"[Nn]othing to complain about"#, "\"no problems found\""),
  (#"[Nn]obody says"#, "\"not reported\""),
]

/// Lines that may use one of the phrases, each with its reason.
private let exceptions: [(path: String, text: String, reason: String)] = []

@Suite struct Phrases {
  @Test(arguments: refused.indices) func stringsAndCommentsArePlainEnglish(_ index: Int) throws {
    let (pattern, instead) = refused[index]
    let expression = try NSRegularExpression(pattern: pattern)
    for file in SourceTree.sources {
      for (number, line) in file.lines.enumerated() {
        guard let match = expression.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)),
          let found = Range(match.range, in: line)
        else { continue }
        let isException = exceptions.contains { $0.path == file.path && line.contains($0.text) }
        #expect(isException, "\(file.path):\(number + 1): `\(line[found])`; write \(instead)")
      }
    }
  }

  /// A pattern that finds nothing would hold nothing.
  @Test(arguments: [
    "retries so many times", "so often", "is no serial line", "are no records of it", "of which nothing remains",
    "nothing is known of it", "speaks against it", "whatever is no pass", "What they are.", "has its own reason",
    "it is what it is", "nothing to complain about", "nobody says",
  ]) func everyPatternFindsItsPhrase(text: String) throws {
    let found = try refused.filter { pattern, _ in
      try NSRegularExpression(pattern: pattern).firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
        != nil
    }
    #expect(!found.isEmpty, "\(text)")
  }

  @Test(arguments: ["there is no link", "there are no records", "it is no longer connected"])
  func plainEnglishPasses(text: String) throws {
    for (pattern, _) in refused {
      let expression = try NSRegularExpression(pattern: pattern)
      #expect(expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) == nil, "\(pattern)")
    }
  }

  @Test func everyExceptionIsStillNeeded() {
    for (path, text, _) in exceptions {
      let file = SourceTree.sources.first { $0.path == path }
      #expect(file?.lines.contains { $0.contains(text) } == true, "\(path) no longer says `\(text)`")
    }
  }
}
