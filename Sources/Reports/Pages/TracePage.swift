import Bytes
import Crypto
import Foundation
import Text
import Timeline
import Verdicts

/// One scenario as one HTML file that needs neither server nor network.
///
/// What it shows stands in it as JSON, which the script puts on the page as text and never as markup. The policy in its
/// head lets no other script run and nothing be fetched.
struct TracePage {
  /// The scenario's log.
  let log: ScenarioEventLog
  /// The scenario as reports tell it.
  let story: ScenarioStory
  /// The run.
  let run: RunReport
  /// The link from the page to a file that a scenario names; `nil` where there is none.
  var link: (String) -> String? = { _ in nil }

  /// The name of the file of one repetition of a scenario.
  static func fileName(of report: ScenarioReport) -> String {
    ReportFolder.fileName(report.name) + (report.repetition == 0 ? "" : ".\(report.repetition)") + ".html"
  }

  /// The octets of the file.
  var octets: [UInt8] { Self.page(title: story.name, script: TracePageScript.text, data: document) }

  /// How every page begins, whatever program wrote it.
  static let beginning = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-
    """

  /// A page around a script that finds its data as JSON.
  static func page(
    title: String, script: String, data: JSONValue, style: String = TracePageStyle.text, drawn: String = ""
  ) -> [UInt8] {
    func hash(_ text: String) -> String { Data(SHA256.digest(Array(text.utf8))).base64EncodedString() }
    let head = """
      \(beginning)\(hash(script))'; \
      style-src 'sha256-\(hash(style))'; media-src data:; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <title>\(XMLText.content(PlainText.escaped(title, limit: 200)))</title>
      <style>\(style)</style>
      </head>
      <body>
      <div id="page"></div>
      \(drawn)
      <noscript><p>This page needs JavaScript to show the trace.</p></noscript>
      <script type="application/json" id="data">
      """
    let tail = "</script>\n<script>\(script)</script>\n</body>\n</html>\n"
    return Array(head.utf8) + escaped(data.line) + Array(tail.utf8)
  }

  /// JSON without what would end its element: inside of texts, where alone it can stand, it is written as an escape.
  private static func escaped(_ json: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(json.count + 64)
    for octet in json {
      if octet == UInt8(ascii: "<") { output += "\\u003C".utf8 } else { output.append(octet) }
    }
    return output
  }

  private var document: JSONValue {
    let lanes = TraceLanes(log.pageEvents)
    var table = EventTable()
    for event in log.pageEvents { table.append(event) }
    let report = story.report
    return .object([
      "name": .string(story.name), "title": .string(report.title), "verdict": .string(story.kind.rawValue),
      "facts": .array(facts.map { .strings([$0.label, $0.text]) }),
      "excerpt": .strings(report.account?.excerpt ?? []),
      "end": .integer(Self.microseconds(Instant.zero.advanced(by: report.virtualDuration))),
      "steps": .array(steps), "texts": .strings(table.texts),
      "whos": .strings(table.whos), "events": .array(table.numbers.map { .integer($0) }),
      "dropped": .integer(log.droppedPageEvents), "lanes": lanes.document, "sounds": .array(sounds),
    ])
  }

  private var facts: [ScenarioStory.Line] {
    var lines = story.failure + story.notes
    lines.append(ScenarioStory.Line("replay", story.report.replay))
    let profile = run.profile.map { ", profile \($0)" } ?? ""
    let fault = run.fault.map { ", fault \($0)" } ?? ""
    lines.append(ScenarioStory.Line("run", "\(run.tool), \(run.target), seed \(run.seed)\(profile)\(fault)"))
    if let caveat = run.caveat { lines.append(ScenarioStory.Line("note", caveat)) }
    return lines
  }

  private var steps: [JSONValue] {
    story.report.steps.map { step in
      .object([
        "text": .string(step.sentence), "file": .string(step.file), "line": .integer(step.line),
        "link": .optional(link(step.file)),
        "from": .integer(Self.microseconds(step.began)), "to": .integer(Self.microseconds(step.ended)),
        "outcome": .string(step.outcome.word), "reason": .optional(step.outcome.reason),
        "observed": .optional(step.observed),
      ])
    }
  }

  private var sounds: [JSONValue] {
    log.sounds.map { clip in
      let wave = WaveSound(clip.sound)
      return .object([
        "name": .string(clip.name), "spoken": .boolean(clip.isSpoken),
        "from": .integer(Self.microseconds(clip.instant)),
        "milliseconds": .integer(wave.milliseconds),
        "cut": .boolean(wave.isCut),
        "outline": .array(wave.outline.map { .integer($0) }), "wav": .string(wave.base64),
      ])
    }
  }

  private static func microseconds(_ instant: Instant) -> Int { Int(clamping: instant.nanoseconds / 1_000) }
}

/// The events of a page: four numbers each, and every text once.
private struct EventTable {
  private(set) var texts: [String] = []
  private(set) var whos: [String] = []
  /// Microseconds, who, text, and 1 for what a recorder's end tells of a link that the phone's end tells too.
  private(set) var numbers: [Int] = []
  private var textIndices: [String: Int] = [:]
  private var whoIndices: [String: Int] = [:]

  mutating func append(_ event: ReportedEvent) {
    let who = Self.index(of: event.who, &whos, &whoIndices)
    let text = Self.index(of: event.words.isEmpty ? event.name : event.words, &texts, &textIndices)
    let isSecondEnd = event.source.part == .recorder && event.link != 0
    numbers += [Int(clamping: event.instant.nanoseconds / 1_000), who, text, isSecondEnd ? 1 : 0]
  }

  private static func index(of text: String, _ list: inout [String], _ indices: inout [String: Int]) -> Int {
    if let known = indices[text] { return known }
    indices[text] = list.count
    list.append(text)
    return list.count - 1
  }
}
