import Testing
import Text

@Suite struct Texts {
  @Test func countsAgreeWithTheirNouns() {
    #expect(Wording.count(0, "record") == "0 records")
    #expect(Wording.count(1, "record") == "1 record")
    #expect(Wording.count(UInt64(2), "entry", plural: "entries") == "2 entries")
    #expect(Wording.count(1, "entry", plural: "entries") == "1 entry")
  }

  @Test func listsReadLikeSentences() {
    #expect(Wording.list([]) == "")
    #expect(Wording.list(["a"]) == "a")
    #expect(Wording.list(["a", "b"]) == "a or b")
    #expect(Wording.list(["a", "b", "c"], "and") == "a, b and c")
  }

  @Test func choicesBeyondTwelveAreCounted() {
    #expect(Wording.choices(["a", "b"]) == "`a`, `b`")
    let fourteen = (1...14).map(String.init)
    #expect(Wording.choices(fourteen).hasSuffix("`12` or one of 2 more"))
  }

  @Test func longTextIsShortened() {
    let sixty = String(repeating: "x", count: 60)
    #expect(Wording.shortened(sixty) == sixty)
    #expect(Wording.shortened(sixty + "y") == String(repeating: "x", count: 57) + "…")
  }

  @Test(
    arguments: [
      (0, "0 s"), (7, "7 ns"), (250_000, "250 µs"), (1_250_000, "1.25 ms"), (2_000_000_000, "2 s"),
      (158_565_541_540, "2 min 38.565541 s"), (60_000_000_000, "1 min"), (90_061_000_000_000, "1 d 1 h 1 min 1 s"),
      (-3_000_000_000, "-3 s"),
    ] as [(Int64, String)])
  func durationsAreWrittenAsPeopleWriteThem(nanoseconds: Int64, text: String) {
    #expect(DurationText.precise(.nanoseconds(nanoseconds)) == text)
  }

  @Test func longNumbersAreGrouped() {
    #expect(NumberText.grouped(0) == "0")
    #expect(NumberText.grouped(999) == "999")
    #expect(NumberText.grouped(-1_048_576) == "-1,048,576")
    #expect(NumberText.octets(1) == "1 octet")
    #expect(NumberText.octets(UInt32(42_000)) == "42,000 octets")
  }

  @Test func blanksAreTrimmedAtBothEnds() {
    #expect(" \t a b \n".trimmingBlanks == "a b")
    #expect("   ".trimmingBlanks == "")
  }

  @Test(arguments: [
    ("sync", "snyc", 1), ("", "abc", 3), ("press", "presss", 1), ("same", "same", 0), ("connect", "disconnect", 3),
  ]) func distanceCountsEditsAndSwaps(left: String, right: String, distance: Int) {
    #expect(Spelling.distance(left, right) == distance)
    #expect(Spelling.distance(right, left) == distance)
  }

  @Test func onlyANearWordIsSuggested() {
    #expect(Spelling.nearest(to: "snyc", among: ["scan", "sync"]) == "sync")
    #expect(Spelling.nearest(to: "verify", among: ["verifies"]) == "verifies")
    #expect(Spelling.nearest(to: "xyz", among: ["scan", "sync"]) == nil)
    #expect(Spelling.nearest(to: "fone", among: ["bench", "phone", "never"]) == "phone")
    #expect(Spelling.nearest(to: "", among: ["a"]) == nil)
    #expect(Spelling.nearest(to: "a", among: ["b", "c"]) == nil, "another letter is another name")
    #expect(Spelling.nearest(to: String(repeating: "a", count: 65), among: [String(repeating: "a", count: 64)]) == nil)
    #expect(Spelling.question(about: "snyc", among: ["sync"], quote: "`") == "; did you mean `sync`?")
    #expect(Spelling.question(about: "qqqq", among: ["sync"]) == "")
  }

  /// A slip is nearer than a name that begins with the word, that than one which holds it, and that than a few edits.
  @Test(
    arguments: [
      ("recorder:list-count", ["recorder:light-stays", "recorder:list-count-off-by-one"], 1),
      ("list-count-off-by-one", ["recorder:list-starts", "recorder:list-count-off-by-one"], 1),
      ("version", ["session", "--version"], 1), ("records", ["records-are-kept", "record"], 1),
      ("list", ["hold-lists", "listens", "lists-all"], 1), ("or", ["recorder:deaf"], nil),
    ] as [(String, [String], Int?)])
  func aNameThatHoldsTheWordIsNear(word: String, candidates: [String], nearest: Int?) {
    #expect(Spelling.nearest(to: word, among: candidates) == nearest.map { candidates[$0] })
  }

  @Test(arguments: [
    (Duration.milliseconds(449), "0.4 s"), (.seconds(245), "4 min 05 s"), (.seconds(12_000), "3 h 20 min"),
    (.seconds(615_600), "7 d 03 h"), (.milliseconds(-300), "0.0 s"), (.milliseconds(59_999), "59.9 s"),
  ]) func durationsAreCutToWhatMatters(duration: Duration, text: String) {
    #expect(DurationText.text(duration) == text)
  }

  @Test func exactDurationsAreWrittenAsScenariosDo() {
    #expect(DurationText.exact(.seconds(2)) == "2 s")
    #expect(DurationText.exact(.milliseconds(1_300)) == "1300 ms")
    #expect(DurationText.exact(.zero) == "0 s")
  }

  @Test func hostileTextCannotMoveACursor() {
    #expect(PlainText.escaped("a\u{1B}[2Jb") == "a\\u{1B}[2Jb")
    #expect(PlainText.escaped("a\nb\tc") == "a b c")
    #expect(PlainText.escaped("\u{202E}") == "\\u{202E}")
    #expect(PlainText.escaped("größer", limit: 3) == "grö…")
  }
}
