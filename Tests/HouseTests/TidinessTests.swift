import Foundation
import Testing

/// Calls that would let real time, chance or order into a run, and what to use instead.
private let bannedCalls: [(pattern: String, instead: String)] = [
  (#"\bDate\(\)"#, "the loop's `now`"),
  (#"ContinuousClock|SuspendingClock|DispatchTime\.now|clock_gettime"#, "the loop's `now`"),
  (#"\bTask ?(\(.*\) ?)?\{|Task\.detached|Task\.immediate"#, "a task group below the loop's root task"),
  (#"Task\.sleep|Thread\.sleep|\busleep\(|\bsleep\("#, "`schedule(after:)`"),
  (#"SystemRandomNumberGenerator|\.random\(in:|\.randomElement\(|\.shuffled\(\)|\barc4random"#, "`choices.stream(_:)`"),
  (#"\bUUID\(\)"#, "a value derived from the seed"),
  (#"@unchecked Sendable|nonisolated\(unsafe\)"#, "confinement to a loop"),
  (#"\btry!|\bas!"#, "a typed failure"),
  (#"(?<!debug)\bprint\("#, "the caller's output"),
  (#"\bHasher\(\)|\.hashValue\b"#, "`Seed.derive`"),
  (#"\b(sin|cos|log|log10|pow|exp)\("#, "integer tables"),
  (#"\bfatalError\("#, "`preconditionFailure` with a reason"),
]

/// Files that may break one of the rules above, each with its reason.
private let allowances: [(path: String, pattern: String, reason: String)] = [
  ("Sources/Timeline/EventLoop.swift", "@unchecked Sendable", "tasks carry their executor between threads"),
  ("Sources/Timeline/RootTask.swift", "Task", "the root task from which all structured ones descend"),
  ("Sources/Runner/Running/ScenarioRun.swift", "nonisolated(unsafe)", "world and stage share the loop's one thread"),
  ("Sources/Runner/Running/OpenRun.swift", "nonisolated(unsafe)", "world and stage share the loop's one thread"),
  ("Sources/World/Rehearsal.swift", "nonisolated(unsafe)", "the world of a rehearsal lives on its loop's one thread"),
  (
    "Sources/Session/Simulation/SimulationSession.swift", "nonisolated(unsafe)",
    "recorders and console share the loop's one thread"
  ),
  ("Sources/Crypto/P256/P256Arithmetic.swift", "nonisolated(unsafe)", "a group of libcrypto, never changed once made"),
  ("Sources/Crypto/AES128.swift", "nonisolated(unsafe)", "algorithms of libcrypto, fetched once and never changed"),
  ("Sources/Processor/Memory/Page.swift", "@unchecked Sendable", "a page is written only while one memory holds it"),
  (
    "Sources/Processor/Memory/MemoryStorage.swift", "@unchecked Sendable",
    "tables are written only while one memory holds them"
  ),
  (
    "Sources/Processor/Core/CodeCache.swift", "@unchecked Sendable",
    "decoded code is made only while one processor holds it"
  ),
  ("Sources/Phone/Library/LibraryStock.swift", "@unchecked Sendable", "no library has a database that lies there"),
  ("Sources/Timeline/MachineClock.swift", "clock_gettime", "how long a run took is outside the run"),
]

/// Walks over sets and dictionaries whose order cannot reach a trace, each with its reason.
private let orderless: [(path: String, text: String, reason: String)] = [
  ("Sources/Phone/Library/Database.swift", "in prepared.values", "statements are finalised in any order")
]

/// Limits on what one file and one function may hold, in lines.
private let fileLimit = 500
private let functionLimit = 70

@Suite struct Tidiness {
  /// Whoever trusts a certificate must be able to read the whole checker.
  @Test func theCheckerOfCertificatesIsShort() throws {
    let checker = SourceTree.sources.filter { $0.path == "Sources/Proof/Certificate/CertificateChecker.swift" }
    #expect(checker.count == 1)
    #expect(checker.allSatisfy { $0.lines.count <= 150 })
  }

  @Test(arguments: bannedCalls.indices) func nothingLetsTimeChanceOrOrderIn(_ index: Int) throws {
    let (pattern, instead) = bannedCalls[index]
    let expression = try NSRegularExpression(pattern: pattern)
    for file in SourceTree.sources {
      for (number, line) in file.code.enumerated() {
        let range = NSRange(line.startIndex..., in: line)
        guard let match = expression.firstMatch(in: line, range: range), let found = Range(match.range, in: line) else {
          continue
        }
        let isAllowed = allowances.contains {
          (file.path == $0.path || file.path.hasPrefix($0.path + "/")) && line[found].contains($0.pattern)
        }
        #expect(isAllowed, "\(file.path):\(number + 1): `\(line[found])`; use \(instead)")
      }
    }
  }

  @Test func everyAllowanceIsStillNeeded() {
    for (path, pattern, _) in allowances {
      let files = SourceTree.sources.filter { $0.path == path || $0.path.hasPrefix(path + "/") }
      #expect(files.contains { $0.code.contains { $0.contains(pattern) } }, "\(path) no longer needs `\(pattern)`")
    }
  }

  /// Sets and dictionaries have another order in every process. What a file declares as one may be asked in that file,
  /// and walked only where the line sorts it or makes another set or dictionary of it.
  @Test func nothingWalksInAnOrderThatIsNone() throws {
    for file in SourceTree.sources {
      let names = file.unorderedNames
      guard !names.isEmpty else { continue }
      let name = "(?<![\\w.])(?:self\\.)?(?:\(names.joined(separator: "|")))(?:\\.keys|\\.values)?"
      let walk = try NSRegularExpression(pattern: "\\bin \(name)(?: \\{| where)|\(name)\\.(?:map|forEach)\\b")
      for (number, line) in file.code.enumerated() where names.contains(where: { line.contains($0) }) {
        guard walk.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) != nil else { continue }
        let isAllowed =
          ["sorted", "Set(", "Dictionary("].contains { line.contains($0) }
          || orderless.contains { $0.path == file.path && line.contains($0.text) }
        #expect(isAllowed, "\(file.path):\(number + 1): walks a set or dictionary; sort it, or use an array")
      }
    }
  }

  @Test func filesAndFunctionsAreOfHumanSize() {
    for file in SourceTree.sources + SourceTree.tests {
      #expect(file.lines.count <= fileLimit + 1, "\(file.path): \(file.lines.count) lines")
      for function in file.functions {
        #expect(function.length <= functionLimit, "\(file.path):\(function.line): \(function.length) lines")
      }
    }
  }

  @Test func everyPublicSymbolIsDocumented() {
    let protocols = SourceTree.sources.flatMap(\.documentedProtocols)
    for file in SourceTree.sources {
      let witnessed = protocols.filter { file.names($0.name) }.flatMap(\.members)
      for line in file.undocumentedPublicLines where !witnessed.contains(file.memberName(line)) {
        Issue.record("\(file.path):\(line): seen by other rooms, but without a doc comment")
      }
    }
  }

  @Test func nothingIsLeftForLater() throws {
    for file in SourceTree.sources + SourceTree.tests
    where !file.path.hasPrefix("Tests/HouseTests") {
      for (number, line) in file.lines.enumerated() {
        for word in ["TODO", "FIXME", "XXX", "HACK", "not implemented"] where line.contains(word) {
          Issue.record("\(file.path):\(number + 1): \(word)")
        }
      }
    }
  }
}

extension SourceFile {
  struct Function {
    let line: Int
    let length: Int
  }

  /// Names that this file declares as sets or dictionaries.
  var unorderedNames: [String] {
    code.compactMap { line in
      guard line.contains("Set") || line.contains("[") || line.contains("Dictionary") else { return nil }
      let words = line.split { !$0.isLetter && !$0.isNumber }
      guard let keyword = words.firstIndex(where: { $0 == "let" || $0 == "var" }), keyword + 1 < words.count else {
        return nil
      }
      let name = words[keyword + 1]
      let rest = line[name.endIndex...].drop { ": =".contains($0) }
      let isDictionary = rest.hasPrefix("[") && rest.prefix { !"](".contains($0) }.contains(": ")
      return isDictionary || rest.hasPrefix("Set") || rest.hasPrefix("Dictionary") ? String(name) : nil
    }
  }

  /// Functions and initialisers with their length from the signature to the closing brace.
  var functions: [Function] {
    var result: [Function] = []
    for (index, line) in code.enumerated() {
      let words = line.split { !$0.isLetter }
      guard words.contains("func") || words.first(where: { !["public", "package", "private"].contains($0) }) == "init"
      else {
        continue
      }
      var depth = 0
      var hasOpened = false
      scan: for end in index..<min(code.count, index + 400) {
        for character in code[end] {
          if character == "{" {
            depth += 1
            hasOpened = true
          }
          if character == "}" {
            depth -= 1
            if depth < 0 { break scan }
          }
          if hasOpened, depth == 0 {
            result.append(Function(line: index + 1, length: end - index + 1))
            break scan
          }
        }
        if !hasOpened, end > index + 12 { break }
      }
    }
    return result
  }

  /// Lines that declare something public, or visible in the package, without a doc comment above. Members that only satisfy a well-known
  /// protocol, and initialisers that only store their arguments, speak for themselves.
  var undocumentedPublicLines: [Int] {
    var result: [Int] = []
    var publicEnumDepths: [Int] = []
    var depth = 0
    for (index, line) in code.enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      while let last = publicEnumDepths.last, depth <= last { publicEnumDepths.removeLast() }
      let isCase = trimmed.hasPrefix("case ") && publicEnumDepths.last == depth - 1
      let declares = Self.isPublicDeclaration(trimmed)
      if declares || isCase, !isDocumented(index), isCase || !Self.speaksForItself(trimmed) { result.append(index + 1) }
      if declares, trimmed.contains("enum ") { publicEnumDepths.append(depth) }
      depth += line.count { $0 == "{" } - line.count { $0 == "}" }
    }
    return result
  }

  /// The protocols that this file declares, with the members that have a doc comment there: who conforms to them need
  /// not say it again.
  var documentedProtocols: [(name: String, members: [String])] {
    var result: [(name: String, members: [String])] = []
    for (index, line) in code.enumerated() {
      let words = line.split(separator: " ")
      if words.count > 2, ["public", "package"].contains(words[0]), words[1] == "protocol" {
        result.append((String(words[2].prefix { $0.isLetter }), []))
      } else if line.hasPrefix("}") {
        if let last = result.last, last.members.isEmpty { result.removeLast() }
      } else if !result.isEmpty, isDocumented(index) {
        result[result.count - 1].members.append(memberName(index + 1))
      }
    }
    return result
  }

  /// Whether a declaration of this file names a protocol among what it conforms to.
  func names(_ protocolName: String) -> Bool {
    code.contains { line in
      guard let colon = line.firstIndex(of: ":"), line.hasSuffix("{") || line.hasSuffix("{}") else { return false }
      return line[colon...].split { !$0.isLetter }.contains { $0 == protocolName }
    }
  }

  /// What the declaration on a line, from 1, is called: `func press`, `var name`.
  func memberName(_ line: Int) -> String {
    let words = code[line - 1].split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let keyword = words.firstIndex(where: { ["func", "var", "let"].contains($0) }), keyword + 1 < words.count
    else { return "" }
    return (words[keyword] == "let" ? "var" : words[keyword]) + " " + words[keyword + 1]
  }

  private static func isPublicDeclaration(_ line: String) -> Bool {
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
    return ["public", "package"].contains(words.first) && !["extension", "import"].contains(words.dropFirst().first)
  }

  private static func speaksForItself(_ line: String) -> Bool {
    if line.contains("init(") {
      return !line.contains("throws") && !line.contains("init?(") || line.contains("rawValue")
    }
    return [
      "var description", "var debugDescription", "let rawValue", "var rawValue", "func hash(into", "static func ==",
      "static func <", "static func ==", "typealias RawValue", "var errorDescription", "func enqueue(",
      "func asUnowned",
      "func checkIsolated", "func advanced(by ", "func duration(to", "func encode(into", "var encoded",
      "unownedExecutor",
      "func fire(_", "func receive(_", "func pipeClosed(",
    ].contains { line.contains($0) }
  }

  private func isDocumented(_ index: Int) -> Bool {
    var above = index - 1
    while above >= 0 {
      let text = lines[above].trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("///") { return true }
      guard text.hasPrefix("@") else { return false }
      above -= 1
    }
    return false
  }
}
