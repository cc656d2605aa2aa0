import Foundation
import Testing

/// Declarations that may stand although their name occurs nowhere else, each with its reason. A path stands for itself
/// or for every file in its folder; without names, all of its declarations are meant.
private let allowances: [(path: String, names: [String], reason: String)] = [
  ("Sources/Runner/Verbs", [], "the build plugin names each verb"),
  ("Sources/HCI/ErrorCode.swift", [], "numbers of the specification, kept complete"),
  ("Sources/HCI/Events/AdvertisingReports.swift", [], "bits of the specification, kept complete"),
  ("Sources/HCI/Values/LEFeatures.swift", [], "bits of the specification, kept complete"),
  ("Sources/Packets", [], "numbers of the specification, kept complete"),
  ("Sources/ScenarioLanguage/Diagnostics/DiagnosticReport.swift", ["callAsFunction"], "called without its name"),
  ("Sources/dictobench-benchmark/Benchmark.swift", ["Benchmark"], "the entry point"),
  ("Sources/Requirements/Monitors", [], "the build plugin names each monitor"),
  ("Sources/Verdicts/Reports/FailureAccount.swift", ["CodingKeys"], "asked for by Encoder"),
  ("Sources/Reports/Text/JSONValue+Encodable.swift", ["userInfo"], "asked for by Encoder"),
  ("Sources/SoftDevice/Guest/ErrorNumber.swift", [], "numbers of the SoftDevice, kept complete"),
  ("Sources/SoftDevice/State/ChipState.swift", ["flashFailed"], "numbers of the SoftDevice, kept complete"),
  ("Sources/Processor/Exceptions/Priorities.swift", ["debugMonitor"], "numbers of the architecture, kept complete"),
]

/// Names that are declared and occur nowhere else. It is a search by words: it misses a declaration that shares its name
/// with another one, but nobody uses what it finds.
@Suite struct UnusedDeclarations {
  private struct Declaration {
    let path: String
    let line: Int
    let name: String
  }

  /// Declarations of the product whose name occurs once in sources, tests, fuzz targets and examples.
  private static let unused: [Declaration] = {
    var counts: [String: Int] = [:]
    // The names in the list above are not uses.
    let readers = SourceTree.tests.filter { !$0.path.hasSuffix("UnusedTests.swift") } + SourceTree.others
    for file in SourceTree.sources + readers {
      for line in file.lines where !line.isComment { line.eachWord { word, _ in counts[word, default: 0] += 1 } }
    }
    return SourceTree.sources.flatMap { file in
      file.code.enumerated().flatMap { number, line in
        line.declaredNames.filter { counts[$0] == 1 }.map { Declaration(path: file.path, line: number + 1, name: $0) }
      }
    }
  }()

  private static func allows(_ allowance: (path: String, names: [String], reason: String), _ found: Declaration) -> Bool
  {
    let isThere = found.path == allowance.path || found.path.hasPrefix(allowance.path + "/")
    return isThere && (allowance.names.isEmpty || allowance.names.contains(found.name))
  }

  @Test func everyDeclarationIsUsed() {
    for found in Self.unused where !allowances.contains(where: { Self.allows($0, found) }) {
      Issue.record("\(found.path):\(found.line): nobody uses `\(found.name)`; remove it, or give a reason here")
    }
  }

  @Test func everyAllowanceIsStillNeeded() {
    for allowance in allowances {
      let names = Self.unused.filter { Self.allows(allowance, $0) }.map(\.name)
      #expect(!names.isEmpty, "\(allowance.path) declares nothing that nobody uses")
      for name in allowance.names { #expect(names.contains(name), "\(allowance.path): `\(name)` is used or gone") }
    }
  }

  @Test(arguments: [
    ("  public static let limit = 3", ["limit"]), ("  func take(_ input: Int) -> Bool {", ["take"]),
    ("  case list, info(Int), data", ["list", "info", "data"]), ("    case .list: 3", []),
    ("    case let x where x > 3: 3", ["x"]), ("  indirect case `default`(Int)", ["default"]),
    ("  guard let self, var line else { return }", ["self", "line"]), ("struct Sample<Value> {", ["Sample"]),
    ("  let (left, right) = pair", []), ("  subscript(index: Int) -> Int {", []),
  ])
  func declarationsAreFound(_ line: String, _ names: [String]) {
    #expect(line.declaredNames == names)
  }
}

extension String {
  private static let keywords: Set<String> = [
    "func", "var", "let", "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  /// Whether nothing but a comment stands on the line.
  fileprivate var isComment: Bool {
    let trimmed = utf8.drop { $0 == UInt8(ascii: " ") }
    return trimmed.starts(with: "//".utf8)
  }

  /// Calls `body` with each word of the line and with the octet before it.
  fileprivate func eachWord(_ body: (String, UInt8) -> Void) {
    var word: [UInt8] = []
    var (before, last) = (UInt8(ascii: " "), UInt8(ascii: " "))
    func end() {
      if !word.isEmpty { body(String(decoding: word, as: UTF8.self), before) }
      word.removeAll(keepingCapacity: true)
    }
    for octet in utf8 {
      if octet | 0x20 >= UInt8(ascii: "a") && octet | 0x20 <= UInt8(ascii: "z") || octet == UInt8(ascii: "_")
        || (octet >= UInt8(ascii: "0") && octet <= UInt8(ascii: "9"))
      {
        if word.isEmpty { before = last }
        word.append(octet)
      } else {
        end()
      }
      last = octet
    }
    end()
  }

  /// The names that a line of code declares.
  fileprivate var declaredNames: [String] {
    var words: [(text: String, before: UInt8)] = []
    eachWord { words.append(($0, $1)) }
    var names: [String] = []
    for (word, next) in zip(words, words.dropFirst()) where Self.keywords.contains(word.text) {
      if [UInt8(ascii: " "), UInt8(ascii: "`")].contains(next.before) { names.append(next.text) }
    }
    return names + declaredCases
  }

  /// The names of an enumeration's cases; none for the cases of a switch.
  private var declaredCases: [String] {
    var rest = self[...].drop { $0 == " " }
    if rest.hasPrefix("indirect ") { rest = rest.dropFirst("indirect ".count) }
    guard rest.hasPrefix("case ") else { return [] }
    var (depth, plain) = (0, "")
    for character in rest.dropFirst("case ".count) {
      if character == "(" { depth += 1 }
      if depth == 0 { plain.append(character) }
      if character == ")" { depth -= 1 }
    }
    guard !plain.contains(":") else { return [] }
    return plain.split(separator: ",").compactMap { part in
      let name = part.drop { " `".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return name.isEmpty ? nil : String(name)
    }
  }
}
