import Bytes
import Testing
import Text
import YAML

@testable import ScenarioLanguage

@Suite struct ValueTests {
  @Test(
    arguments: [
      (.duration, "5 s", 5_000_000_000, "5 s"), (.duration, "250 ms", 250_000_000, "250 ms"),
      (.duration, "1.5 h", 5_400_000_000_000, "90 min"), (.duration, "2 d", 172_800_000_000_000, "2 d"),
      (.duration, "1 w", 604_800_000_000_000, "1 w"), (.duration, "5s", 5_000_000_000, "5 s"),
      (.duration, "0 s", 0, "0 s"), (.duration, "1.5 ns", nil, nil), (.duration, "-1 s", -1_000_000_000, "-1 s"),
      (.duration, "4000 d", nil, nil), (.duration, "999999999999999999 w", nil, nil), (.duration, "5", nil, nil),
      (.duration, "5 sec", nil, nil), (.duration, "5  s", nil, nil), (.duration, "s", nil, nil),
      (.duration, "5. s", nil, nil), (.duration, "1e3 s", nil, nil), (.duration, "٥ s", nil, nil),
      (.voltage, "3.05 V", 3_050, "3.05 V"), (.voltage, "5 mV", 5, "0.005 V"), (.voltage, "3.0005 V", nil, nil),
      (.voltage, "3 V", 3_000, "3 V"),
      (.frequencyError, "-20 ppm", -20_000, "-20 ppm"), (.frequencyError, "+0.5 ppm", 500, "500 ppb"),
      (.bytes, "247 B", 247, "247 B"), (.bytes, "20 KiB", 20_480, "20 KiB"), (.bytes, "1.5 KiB", 1_536, "1536 B"),
      (.bytes, "1 KB", nil, nil), (.share, "84 %", 840_000, "84 %"), (.share, "0.5 %", 5_000, "0.5 %"),
      (.share, "101 %", nil, nil), (.power, "-60 dBm", -6_000, "-60 dBm"), (.power, "-60.5 dBm", -6_050, "-60.5 dBm"),
      (.distance, "5 m", 5_000, "5 m"), (.distance, "", nil, nil),
    ] as [(Dimension, String, Int64?, String?)])
  func `a quantity is read exactly or not at all`(
    dimension: Dimension, text: String, amount: Int64?, written: String?
  ) throws {
    let read = try? dimension.parse(text)
    #expect(read == amount)
    if let read {
      #expect(dimension.text(read) == written)
      #expect(try dimension.parse(dimension.text(read)) == read, "what is written reads back")
    }
  }

  @Test(arguments: ["99999999999999999999 d", "-99999999999999999999.5 s", "4000 d"])
  func `what is too long for any clock is out of range`(text: String) {
    #expect(throws: QuantityFailure.outOfRange) { try Dimension.duration.parse(text) }
  }

  @Test func `unit symbols name one dimension each`() {
    let symbols = Dimension.allCases.flatMap { $0.units.map(\.symbol) }
    #expect(Set(symbols).count == symbols.count)
  }

  @Test(
    arguments: [
      ("2024-12-31 23:59:58", "2024-12-31 23:59:58"), ("2024-02-29", "2024-02-29 00:00:00"),
      ("2023-02-29", nil), ("1900-02-29", nil), ("2000-02-29 12:30", "2000-02-29 12:30:00"), ("2024-13-01", nil),
      ("2024-12-31 24:00:00", nil), ("2024-12-31  23:59:58", nil), ("2024-1-1", nil), ("", nil), (" ", nil),
      ("2024-12-31 23", nil), ("+024-12-31", nil),
    ] as [(String, String?)])
  func `only dates of the calendar are dates`(text: String, written: String?) {
    #expect(CivilDateTime(text)?.description == written)
  }

  @Test(
    arguments: [
      ("+01:00", 60), ("-03:30", -210), ("+14:00", 840), ("+14:01", nil), ("+1:00", nil), ("01:00", nil),
      ("+01:60", nil), ("+٠١:٠٠", nil),
    ] as [(String, Int?)])
  func `an offset from UTC has a sign and four digits`(text: String, minutes: Int?) {
    #expect(UTCOffset(text)?.minutes == minutes)
    if let minutes { #expect(UTCOffset(minutes: minutes)?.description == text) }
  }

  @Test func `arguments are read by the field that declared them`() throws {
    let place = SourceLocation(file: "a.yaml", line: 1, column: 1)
    let stated = Arguments([.init(name: "rate", value: .quantity(.share, 300_000), location: place)])
    #expect(stated[Lose.rate] == Share(percent: 30))
    #expect(stated[Lose.span] == nil)
    #expect(stated[Lose.direction] == .both)
    #expect(stated.states(Lose.rate))
    #expect(!stated.states(Lose.span))
    #expect(Press.hold.declaration.defaultText == "2 s")
    #expect(Press.hold.declaration.minimum == .quantity(.duration, 10_000_000))
    #expect(Lose.rate.declaration.isRequired)
    #expect(!Lose.span.declaration.isRequired)
  }

  @Test func `an expectation names what it expected and what was found`() {
    let place = SourceLocation(file: "a.yaml", line: 1, column: 1)
    let expectation = Expectation(matchers: [
      FieldMatcher(
        field: Sync.downloaded.declaration, comparisons: [.init(relation: .atLeast, operand: .integer(3))],
        location: place)
    ])
    var findings = Findings()
    #expect(
      expectation.mismatches(in: findings).map(\.description) == ["downloaded: expected at least 3, found nothing"])
    findings.set(Sync.downloaded, 2)
    #expect(expectation.mismatches(in: findings).map(\.description) == ["downloaded: expected at least 3, found 2"])
    findings.set(Sync.downloaded, 3)
    #expect(expectation.mismatches(in: findings).isEmpty)
  }

  @Test func `free text is told in quotes`() {
    let place = SourceLocation(file: "a.yaml", line: 1, column: 1)
    let expectation = Expectation(matchers: [
      FieldMatcher(
        field: Sync.note.declaration, comparisons: [.init(relation: .contains, operand: .text("a "))], location: place)
    ])
    var findings = Findings()
    findings.set(Sync.note, "")
    #expect(expectation.mismatches(in: findings).map(\.description) == [#"note: expected contains "a ", found """#])
  }

  @Test(
    arguments: [
      (.equal, 3, [false, true, false]), (.not, 3, [true, false, true]), (.atLeast, 3, [false, true, true]),
      (.atMost, 3, [true, true, false]), (.moreThan, 3, [false, false, true]), (.lessThan, 3, [true, false, false]),
      (.oneOf, 3, [false, true, false]), (.contains, 3, [false, true, false]),
      (.containsNot, 3, [true, false, true]),
    ] as [(FieldMatcher.Relation, Int, [Bool])])
  func `a comparison holds of the values it names`(relation: FieldMatcher.Relation, operand: Int, holds: [Bool]) {
    let comparison = FieldMatcher.Comparison(relation: relation, operand: .integer(operand))
    #expect([2, 3, 4].map { comparison.isMet(by: .integer($0)) } == holds)
    let matcher = FieldMatcher(
      field: Sync.downloaded.declaration, comparisons: [comparison],
      location: SourceLocation(file: "a.yaml", line: 1, column: 1))
    #expect(!matcher.matches([]), "nothing is found for the field")
    let isMet = matcher.matches([.integer(2), .integer(3), .integer(4)])
    #expect(isMet != relation.isNegation, "any, or by a negation all")
  }

  @Test func `a word that YAML would read otherwise is shown in quotes`() {
    #expect(ValueType.choice([.init("off"), .init("held")]).sentence == "one of `\"off\"`, `held`")
    #expect(Value.word("on").description == "\"on\"")
  }

  @Test(
    arguments: [
      ("sinc", "sync"), ("snyc", "sync"), ("dowloaded", "downloaded"), ("x", nil), ("", nil), ("entirely", nil),
    ] as [(String, String?)])
  func `the nearest spelling is near`(word: String, nearest: String?) {
    #expect(Spelling.nearest(to: word, among: ["sync", "delete", "downloaded"]) == nearest)
  }
}
