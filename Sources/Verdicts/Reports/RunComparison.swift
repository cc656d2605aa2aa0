import Timeline
import Trace

/// Compares what happened in two runs, event by event.
///
/// Events are aligned by cause and not by clock: each is compared with the event of the other run that has the same
/// place in its own conversation, which is one host, one connection and one subject.
package struct RunComparison {
  /// How much two events must have in common.
  package enum Strictness: Hashable, Sendable {
    /// The same run except for what is compared: every value counts.
    case exact
    /// Other hardware, another time, another seed: names of records are numbered in the order in which they occur, and
    /// values that depend on clock and air do not count.
    case cause
  }

  /// An event with what of its packet can be compared.
  package struct Entry: Hashable, Sendable {
    /// The event.
    package var event: ReportedEvent
    /// A digest of what a recording's packet holds; `nil` where it is not known.
    package var content: UInt64?

    package init(_ event: ReportedEvent, content: UInt64? = nil) {
      self.event = event
      self.content = content
    }
  }

  /// The events of one attempt at a scenario, as an event log tells them.
  package struct Log: Hashable, Sendable {
    /// Events that a log keeps of one attempt; of further ones it has only the number.
    package static let limit = 20_000

    /// The number of the attempt among all attempts and repetitions of the scenario, from 0.
    package var repetition: Int
    /// What was kept, in order.
    package var entries: [Entry]
    /// The number of events that came after those that were kept.
    package var dropped: Int

    package init(_ entries: [Entry] = [], repetition: Int = 0, dropped: Int = 0) {
      self.repetition = repetition
      self.entries = entries
      self.dropped = dropped
    }

    /// Adds an event, or counts it where the log is full.
    package mutating func append(_ entry: Entry) {
      if entries.count < Self.limit { entries.append(entry) } else { dropped += 1 }
    }

    /// When the log ends although more happened; `nil` for a whole one.
    fileprivate var end: Instant? { dropped > 0 ? entries.last?.event.instant : nil }
  }

  /// The conversation that an event belongs to: two runs are compared within each.
  struct Subject: Hashable, Comparable {
    let source: String
    let link: UInt32
    let topic: String

    static func < (left: Self, right: Self) -> Bool {
      (left.source, left.link, left.topic) < (right.source, right.link, right.topic)
    }
  }

  /// An event with what of it counts.
  struct Line {
    var entry: Entry
    var essence: String
    /// Its place among all events of its run.
    var place: Int
  }

  /// The first place at which one conversation differs.
  struct Mismatch {
    var here: Line?
    var there: Line?

    var instant: Instant { [here, there].compactMap { $0?.entry.event.instant }.min() ?? .zero }

    /// Whether one of both logs has no such event only because it ends before.
    fileprivate func isBeyond(_ logs: (here: Log, there: Log)) -> Bool {
      func ends(_ log: Log, before line: Line?) -> Bool {
        guard let end = log.end, let line else { return false }
        return line.entry.event.instant >= end
      }
      return here == nil && ends(logs.here, before: there) || there == nil && ends(logs.there, before: here)
    }

    /// What happens at one instant has an order too.
    static func precedes(_ left: Self, _ right: Self) -> Bool {
      func place(_ mismatch: Self) -> Int { [mismatch.here, mismatch.there].compactMap { $0?.place }.min() ?? 0 }
      return (left.instant, place(left)) < (right.instant, place(right))
    }
  }

  /// Puts the events of a run into their conversations, one after the other.
  struct Lines {
    private let comparison: RunComparison
    private var names = RecordNumbers()
    private var heard: [Subject: String] = [:]
    private var count = 0

    init(for comparison: RunComparison) { self.comparison = comparison }

    /// The line of the next event; `nil` for what is heard again and again, which counts once.
    mutating func next(_ entry: Entry) -> (subject: Subject, line: Line)? {
      defer { count += 1 }
      let topic = RunComparison.topic(entry.event.name)
      let subject = Subject(source: "\(entry.event.source)", link: entry.event.link, topic: topic)
      let line = Line(entry: entry, essence: comparison.essence(entry, &names), place: count)
      if topic == RunComparison.heardTopic {
        guard heard[subject] != line.essence else { return nil }
        heard[subject] = line.essence
      }
      return (subject, line)
    }
  }

  private static let heardTopic = "advertising.heard"
  private let strictness: Strictness

  package init(_ strictness: Strictness) { self.strictness = strictness }

  /// Returns the first difference; `nil` where every event of one run has its like in the other. `other` says what the
  /// other run is.
  package func firstDifference(_ here: [Entry], _ there: [Entry], other: String) -> FirstDifference? {
    firstDifference(Log(here), Log(there), other: other)
  }

  /// The same of two logs: what one of them was too full to keep is not missed in it.
  package func firstDifference(_ hereLog: Log, _ thereLog: Log, other: String) -> FirstDifference? {
    let (here, there) = (hereLog.entries, thereLog.entries)
    let (own, others) = (subjects(here), subjects(there))
    let common = sorted(own, others)
    let hasOracle = [here, there].map { $0.contains { $0.event.name.hasPrefix("oracle.") } }
    let skipsOracle = strictness == .cause && hasOracle[0] != hasOracle[1]
    let sources = [here, there].map { Set($0.map(\.event.source)) }
    var mismatches: [Mismatch] = []
    for key in common {
      if skipsOracle, key.topic.hasPrefix("oracle.") { continue }
      guard tells(of: key, sources) else { continue }
      if let mismatch = firstMismatch(own[key] ?? [], others[key] ?? []), !mismatch.isBeyond((hereLog, thereLog)) {
        mismatches.append(mismatch)
      }
    }
    guard let first = mismatches.min(by: Mismatch.precedes) else {
      return strictness == .exact ? firstDelay(own, others, common, other) : nil
    }
    return told(first, end: here.last?.event.instant, other)
  }

  /// Whether both runs can tell of a conversation. A bench tells only one end of a link. A run without any event tells that
  /// nothing happened.
  func tells(of subject: Subject, _ sources: [Set<TraceSource>]) -> Bool {
    strictness == .exact || sources.allSatisfy { $0.isEmpty || $0.contains { "\($0)" == subject.source } }
  }

  /// The conversations of two runs, in order.
  func sorted<Value>(_ here: [Subject: Value], _ there: [Subject: Value]) -> [Subject] {
    Set(here.keys).union(there.keys).sorted()
  }

  private func subjects(_ entries: [Entry]) -> [Subject: [Line]] {
    var result: [Subject: [Line]] = [:]
    var lines = Lines(for: self)
    for entry in entries {
      guard let (subject, line) = lines.next(entry) else { continue }
      result[subject, default: []].append(line)
    }
    return result
  }

  /// The part of an event's name that says what it is about.
  private static func topic(_ name: String) -> String {
    if name.hasPrefix("oracle.") || name == heardTopic { return name }
    let subject = String(name.prefix { $0 != "." })
    return ["pairing", "paired", "secured", "encryption", "link"].contains(subject) ? "link" : subject
  }

  private static let volatile: Set<String> = [
    "rssi", "aheadByMilliseconds", "address", "digest", "percent", "supervisionMilliseconds", "intervalMicroseconds",
    "latency", "time", "clock",
  ]

  private func essence(_ entry: Entry, _ names: inout RecordNumbers) -> String {
    var text = entry.event.name
    for detail in Self.sorted(entry.event.details) where detail.name != "rssi" {
      if strictness == .cause {
        if Self.volatile.contains(detail.name) { continue }
        if detail.name.hasPrefix("file"), case .text(let name) = detail.value {
          text += " \(detail.name)=record \(names.number(name))"
          continue
        }
      }
      text += " \(detail)"
    }
    if strictness == .exact, let content = entry.content { text += " content=\(content)" }
    return text
  }

  private func firstMismatch(_ here: [Line], _ there: [Line]) -> Mismatch? {
    for index in 0..<max(here.count, there.count) {
      let own = index < here.count ? here[index] : nil
      let other = index < there.count ? there[index] : nil
      if own?.essence != other?.essence { return Mismatch(here: own, there: other) }
    }
    return nil
  }

  /// Where everything happens in both runs: the first event that happens at another time.
  private func firstDelay(
    _ here: [Subject: [Line]], _ there: [Subject: [Line]], _ common: [Subject], _ other: String
  ) -> FirstDifference? {
    var first: (here: ReportedEvent, there: ReportedEvent)?
    for key in common {
      for (own, other) in zip(here[key] ?? [], there[key] ?? []) {
        let (left, right) = (own.entry.event, other.entry.event)
        guard left.instant != right.instant else { continue }
        let earliest = first.map { min($0.here.instant, $0.there.instant) }
        if earliest.map({ min(left.instant, right.instant) < $0 }) ?? true { first = (left, right) }
        break
      }
    }
    guard let (left, right) = first else { return nil }
    return FirstDifference(
      other: other, until: Self.text(min(left.instant, right.instant)),
      here: "\(Self.sentence(left)) at \(Self.text(left.instant)) s", there: "at \(Self.text(right.instant)) s",
      cause: Self.cause(left, right) + " late", isOfRecorder: left.isOfRecorder)
  }

  /// A mismatch in words; `end` is the last event of this run.
  func told(_ mismatch: Mismatch, end: Instant?, _ other: String) -> FirstDifference {
    let (own, others) = (mismatch.here?.entry.event, mismatch.there?.entry.event)
    // The same words with other octets behind them would say nothing.
    let isSameText = own != nil && own?.words == others?.words
    var texts = [own, others].map { event in event.map(Self.timed) ?? Self.silence(own ?? others) }
    if isSameText {
      let hasContent = mismatch.here?.entry.content != mismatch.there?.entry.content
      texts[0] += hasContent ? ", with other octets of the recording" : " (\(Self.details(own)))"
      if !hasContent { texts[1] += " (\(Self.details(others)))" }
    }
    if own == nil, let end { texts[0] += "; the last event is at \(Self.text(end)) s" }
    return FirstDifference(
      other: other, until: Self.text(mismatch.instant), here: texts[0], there: texts[1],
      cause: Self.cause(own, others), isOfRecorder: (own ?? others)?.isOfRecorder ?? false)
  }

  private static func details(_ event: ReportedEvent?) -> String {
    sorted(event?.details ?? []).map(\.description).joined(separator: " ")
  }

  /// Details by their names: the order in which an object was written says nothing.
  private static func sorted(_ details: [EventDetail]) -> [EventDetail] { details.sorted { $0.name < $1.name } }

  private static func silence(_ event: ReportedEvent?) -> String {
    "\(event.map { $0.who.isEmpty ? "\($0.source)" : $0.who } ?? "nobody"): nothing of the kind follows"
  }

  /// Whose events differ, and of which kinds; a part of a list counts as the list.
  private static func cause(_ here: ReportedEvent?, _ there: ReportedEvent?) -> String {
    let who = (here ?? there).map { $0.who.isEmpty ? "\($0.source)" : $0.who } ?? ""
    let names = [here, there].map { $0?.name.replacing("-part", with: "") ?? "nothing" }
    return "\(who): \(names[0]) for \(names[1])"
  }

  private static func timed(_ event: ReportedEvent) -> String { "\(sentence(event)) at \(text(event.instant)) s" }

  private static func sentence(_ event: ReportedEvent) -> String {
    let words =
      event.words.isEmpty ? ([event.name] + event.details.map(\.description)).joined(separator: " ") : event.words
    return "\(event.who.isEmpty ? "\(event.source)" : event.who): \(words)"
  }

  private static func text(_ instant: Instant) -> String { String(instant.description.dropLast(3)) }
}

/// Numbers for the names of records, in the order in which they occur.
private struct RecordNumbers {
  private var names: [String: Int] = [:]

  mutating func number(_ name: String) -> Int {
    if let known = names[name] { return known }
    names[name] = names.count + 1
    return names.count
  }
}
