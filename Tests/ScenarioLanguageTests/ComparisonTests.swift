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
