import Testing
import YAML

@testable import ScenarioLanguage

/// A small generator that is the same everywhere.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct HostileInputTests {
  /// Reads bytes and puts whatever is said about them into words; the outcome does not matter.
  func digest(_ bytes: [UInt8]) {
    let library = ScenarioLibrary(
      files: [SourceFile(path: "a.yaml", bytes: bytes)], vocabulary: TestVocabulary.vocabulary)
    _ = library.report.text(limit: 100, colour: true)
    _ = library.report.json
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `no bytes make the reader trap`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let good = try Vectors.names(in: "good").map { try Vectors.file("good", $0).bytes }
    let broken = try Vectors.names(in: "broken").map { try Vectors.file("broken", $0).bytes }
    let seeds = good + broken
    let signs = Array("{}[]:,-#&*!|>'\"%@`$?\n \t0123456789smhVB~<\u{85}é".utf8)
    for _ in 0..<400 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
        switch UInt8.random(in: 0..<4, using: &random) {
        case 0 where !bytes.isEmpty: bytes.remove(at: place)
        case 1 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.insert(signs[Int.random(in: 0..<signs.count, using: &random)], at: min(place, bytes.count))
        default:
          let end = min(bytes.count, place + Int.random(in: 0..<40, using: &random))
          bytes.insert(contentsOf: bytes[min(place, end)..<end], at: min(place, bytes.count))
        }
      }
      digest(bytes)
    }
    for _ in 0..<200 {
      digest((0..<Int.random(in: 0..<64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  @Test(
    arguments: [
      ("", "the file is empty"), ("# nothing\n", "the file is empty"), ("- a\n", "a scenario cannot be a list"),
      (String(repeating: "[", count: 40), "lists and mappings nest deeper than 32"),
      (
        String(repeating: "a: ", count: 3) + "b\n",
        "this is not YAML: this line has a second colon, or is indented wrongly"
      ),
      ("? [a]\n: b\n", "a list cannot be a key"),
      ("a\u{2028}: b\n", "the character U+2028 is not allowed"),
      ("a\u{0}: b\n", "the character U+0 is not allowed"),
      ("scenario: \"\\e[2J\"\n", "the text contains the control character U+1B"),
      ("%YAML 1.1\n---\na: b\n", "directives are not allowed"),
      (String(repeating: " ", count: 1_048_577), "the file has 1048577 bytes"),
      ("\u{FEFF}tilt: 1\n", "a scenario has no key `tilt`"),
      ("a: \u{FEFF}b\n", "the character U+FEFF is not allowed"),
    ] as [(String, String)])
  func `what has no structure gets one clear message first`(text: String, message: String) {
    let library = ScenarioLibrary(
      files: [SourceFile(path: "a.yaml", text: text)], vocabulary: TestVocabulary.vocabulary)
    #expect(library.report.text().contains("error: \(message)"), "\(library.report.text())")
  }

  @Test func `lines and columns are those of an editor, whatever the line ends`() {
    for end in ["\n", "\r\n", "\r"] {
      let text = ["scenario: é𝄞", "id: x", "verifies: DEV-1", "steps:", "  - {phone: sync, é𝄞: 1}", ""].joined(
        separator: end)
      let file = SourceFile(path: "a.yaml", text: text)
      let library = ScenarioLibrary(files: [file], vocabulary: TestVocabulary.vocabulary)
      #expect(library.diagnostics.map(\.location) == [SourceLocation(file: "a.yaml", line: 5, column: 19, length: 2)])
      let hostile = YAMLReader.read(SourceFile(path: "a.yaml", text: text + "x\u{1}")).diagnostics
      #expect(hostile.map(\.location.description) == ["a.yaml:6:2"])
      #expect(file.line(5) == "  - {phone: sync, é𝄞: 1}")
      #expect(file.line(6).isEmpty)
      #expect(file.line(99).isEmpty)
    }
  }
}
