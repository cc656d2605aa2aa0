import Testing
import YAML

@testable import ScenarioLanguage

/// Comparisons that would hold, or fail, whatever was found, and what lint says instead.
@Suite struct ComparisonTests {
  private func library(_ body: String, _ vocabulary: Vocabulary = TestVocabulary.vocabulary) -> ScenarioLibrary {
    let text = "scenario: x\nid: x\nverifies: DEV-1\n\(body)\n"
    return ScenarioLibrary(files: [SourceFile(path: "a.yaml", text: text)], vocabulary: vocabulary)
  }

  private func octets(_ text: String) throws -> Value { .octets(try #require(Octets(text))) }

  @Test(arguments: [
    ("$away == 7", "`when` cannot compare a duration with a number"),
    ("$away != 7", "`when` cannot compare a duration with a number"),
    ("$loss == 5", "`when` cannot compare a share with a number"),
    ("$away == 3 days", "`when` cannot compare a duration with text"),
    ("$away != $loss", "`when` cannot compare a duration with a share"),
  ])
  func `values of two kinds are neither equal nor different`(condition: String, message: String) {
    let library = library("matrix: {away: [1 h, 3 d], loss: 5 %}\nsteps:\n  - wait: 1 s\n    when: \(condition)")
    #expect(library.diagnostics.first?.message == message)
  }

  @Test(arguments: [
    (#"$power == "off""#, [1, 0]), (#"$power != "off""#, [0, 1]), (#"$power != 'off'"#, [0, 1]),
    (#""$power == 'off'""#, [1, 0]),
  ])
  func `a word in quotes is the word`(condition: String, steps: [Int]) {
    let library = library("matrix: {power: [\"off\", \"on\"]}\nsteps:\n  - wait: 1 s\n    when: \(condition)")
    #expect(library.scenarios.map(\.steps.count) == steps)
  }

  @Test(arguments: [
    (#"$v == "x>=y""#, [1, 0]), (#"'"x>=y" == $v'"#, [1, 0]), (#"$v != "<""#, [1, 1]),
  ])
  func `a relation in quotes is text`(condition: String, steps: [Int]) {
    let library = library("matrix: {v: [\"x>=y\", \"on\"]}\nsteps:\n  - wait: 1 s\n    when: \(condition)")
    #expect(library.scenarios.map(\.steps.count) == steps)
  }

  @Test(arguments: [
    ("downloaded: {at-least: 10, at-most: 1}", "`at least 10 and at most 1` holds of no `downloaded`"),
    ("downloaded: {more-than: 3, less-than: 4}", "`more than 3 and less than 4` holds of no `downloaded`"),
    ("downloaded: {at-least: 3, at-most: 3, not: 3}", "`at least 3 and at most 3 and not 3` holds of no `downloaded`"),
    ("downloaded: {one-of: [1, 2], more-than: 2}", "`one of [1, 2] and more than 2` holds of no `downloaded`"),
    ("downloaded: {less-than: 0}", "`less than 0` holds of no `downloaded`"),
    ("downloaded: {at-least: 0}", "`at least 0` holds of every `downloaded`"),
    ("took: {at-least: 0 s}", "`at least 0 s` holds of every `took`"),
    ("downloaded: {not: -3}", "`-3` is out of range for `downloaded`"),
    ("downloaded: -1", "`-1` is out of range for `downloaded`"),
    ("downloaded: {one-of: [1, -1]}", "`-1` is out of range for `downloaded`"),
    ("took: {more-than: -1 s}", "`-1 s` is out of range for `took`"),
    (#"note: {contains: ""}"#, "`contains` for `note` has nothing to look for"),
    (#"note: {contains-not: ""}"#, "`contains-not` for `note` has nothing to look for"),
  ])
  func `a comparison depends on what is found`(comparison: String, message: String) {
    #expect(library("steps:\n  - phone: sync\n    expect: {\(comparison)}").diagnostics.map(\.message) == [message])
  }

  @Test(arguments: [
    "downloaded: {at-least: 0, at-most: 1}", "downloaded: {more-than: 0}", "downloaded: {at-least: 2, at-most: 2}",
    "downloaded: {more-than: 3, less-than: 5}", "downloaded: {not: 0}", "took: {more-than: 1 s, less-than: 1001 ms}",
    #"note: """#, #"note: {not: ""}"#, #"records: {not: ["0000240131120000"]}"#, "records: []",
  ])
  func `a comparison that can hold and fail is taken`(comparison: String) {
    #expect(library("steps:\n  - phone: sync\n    expect: {\(comparison)}").diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("level: {at-least: 0 %}", "`at least 0 %` holds of every `level`"),
    ("level: {more-than: 84 %, at-most: 24 %}", "`more than 84 % and at most 24 %` holds of no `level`"),
  ])
  func `an event's comparison depends on what is found`(comparison: String, message: String) {
    #expect(
      library("steps: [{never: {battery: {\(comparison)}}, for: 1 s}]").diagnostics.map(\.message) == [message])
  }

  @Test(arguments: ["at-least: $least", "at-least: $least, at-most: 7"])
  func `what a matrix states may hold of every value in one cell`(comparison: String) {
    let steps = "steps:\n  - phone: sync\n    expect: {downloaded: {\(comparison)}}"
    #expect(library("matrix: {least: [0, 3]}\n" + steps).diagnostics.isEmpty)
  }

  @Test func `what a matrix makes part of a value may hold of every value too`() {
    let steps = "steps:\n  - phone: sync\n    expect: {took: {at-least: $least s}}"
    #expect(library("matrix: {least: [0, 3]}\n" + steps).diagnostics.isEmpty)
  }

  @Test func `what a matrix states can hold in every cell`() {
    let steps = "steps:\n  - phone: sync\n    expect: {downloaded: {at-least: $least, at-most: 2}}"
    #expect(
      library("matrix: {least: [0, 3]}\n" + steps).diagnostics.map(\.message)
        == ["`at least 3 and at most 2` holds of no `downloaded`"])
  }

  @Test(arguments: ["at-least", "at-most", "more-than", "less-than"])
  func `a word has no place in an order`(relation: String) {
    #expect(
      library("steps: [{never: {fts.request: {file: {\(relation): deleted}}}, for: 1 s}]").diagnostics.map(\.message)
        == ["`file` cannot be `deleted`"])
  }

  @Test(
    arguments: [
      (.dateTime, "2024-12-31 23:59:59", "2025-01-01 00:00:00", false),
      (.dateTime, "2024-02-28 23:59:59", "2024-02-29 00:00:01", nil),
      (.offset, "+01:00", "+01:01", false), (.offset, "-00:01", "+00:01", nil),
      (.record, "0000240131120000", "0000240131120001", false), (.record, "0000240131120009", "0000240131120011", nil),
      (.integer, "-3", "-2", false), (.integer, "-3", "-1", nil),
    ] as [(ValueType, String, String, Bool?)])
  func `between neighbours there is nothing`(type: ValueType, low: String, high: String, answer: Bool?) throws {
    let field: FieldDeclaration =
      switch type {
      case .dateTime: Field<CivilDateTime>("a", "").declaration
      case .offset: Field<UTCOffset>("a", "").declaration
      case .record: Field<RecordName>("a", "").declaration
      default: Field<Int>("a", "").declaration
      }
    let place = SourceLocation(file: "a.yaml", line: 1, column: 1)
    var decoder = ValueDecoder()
    let ends = [low, high].compactMap { decoder.value(Node(.scalar($0, .plain), at: place), type, called: "a") }
    try #require(ends.count == 2)
    let comparisons = [
      FieldMatcher.Comparison(relation: .moreThan, operand: ends[0]), .init(relation: .lessThan, operand: ends[1]),
    ]
    #expect(FieldMatcher(field: field, comparisons: comparisons, location: place).foregoneAnswer == answer)
  }

  private static let instead = "`contains: \"0000240131120000\"`, or lists such as `one-of: [[\"0000240131120000\"]]`"

  @Test(arguments: [
    (
      "{not: \"0000240131120000\"}",
      "`contains-not: \"0000240131120000\"`, or `not: [\"0000240131120000\"]` for exactly this list"
    ),
    ("{one-of: [\"0000240131120000\", \"0000240131120001\"]}", instead),
    ("{one-of: \"0000240131120000\"}", instead),
  ])
  func `a list is not compared with one value`(comparison: String, expected: String) {
    let steps = "steps:\n  - phone: sync\n    expect: {records: \(comparison)}"
    #expect(library(steps).diagnostics.map(\.expected) == [expected])
  }

  @Test(arguments: [
    "{not: [\"0000240131120000\"]}", "{one-of: [[], [\"0000240131120000\"]]}", "{contains-not: \"0000240131120000\"}",
  ])
  func `a list is compared with lists, and its items with one value`(comparison: String) {
    #expect(library("steps:\n  - phone: sync\n    expect: {records: \(comparison)}").diagnostics.isEmpty)
  }

  @Test(arguments: [("a", false), ("b", false), ("c", true)])
  func `a list contains what is in it, and not what is not`(item: String, holds: Bool) {
    let comparison = FieldMatcher.Comparison(relation: .containsNot, operand: .text(item))
    #expect(comparison.isMet(by: .list([.text("a"), .text("b")])) == holds)
  }

  @Test(arguments: [
    ("64 69 63 74", "64696374"), ("ADBE", "ad be"), ("", " "),
  ])
  func `octets are the same in every spelling`(one: String, other: String) throws {
    let comparison = FieldMatcher.Comparison(relation: .not, operand: try octets(one))
    #expect(!comparison.isMet(by: try octets(other)))
  }

  @Test(arguments: [("02 03", true), ("03", true), ("", true), ("20", false), ("0301", false)])
  func `octets contain whole octets`(part: String, holds: Bool) throws {
    let comparison = FieldMatcher.Comparison(relation: .contains, operand: try octets(part))
    #expect(comparison.isMet(by: try octets("010203")) == holds)
  }

  @Test func `octets are written in small letters without spaces`() throws {
    #expect(try octets("AD 0B").description == "ad0b")
  }
}
