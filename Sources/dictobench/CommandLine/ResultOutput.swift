import Text
import Bytes

/// Shows results in the format that `--format` names.
struct ResultOutput: Sendable {
  let console: Console
  /// Whether results are JSON documents, one a line.
  let isJSON: Bool
  /// What these documents are.
  let schema: DocumentSchema

  /// Shows a result: a JSON document, or lines of text.
  func show(_ document: @autoclosure () -> JSONValue, _ lines: @autoclosure () -> [String]) {
    if isJSON { return console.out(schema.stamped(document()).text) }
    for line in lines() { console.out(PlainText.escaped(line, limit: 100_000)) }
  }

  /// Shows why there is no result, as a JSON document with more members or on standard error.
  func show(failure sentence: String, _ members: [(String, JSONValue)] = []) {
    if isJSON { return console.out(schema.stamped(.object([("failure", .string(sentence))] + members)).text) }
    console.complain(sentence)
  }

  /// Shows that a low battery was read, which lets an application ask for nothing else.
  func showLowBattery(_ percent: UInt8) {
    console.note("the recorder's battery is at \(percent) %: an application would request nothing else")
  }
}
