import ScenarioLanguage
import Timeline

/// An event as scenarios speak of it: its name, what is true of it, and whose it is.
struct StageEvent {
  var name: String
  var findings: Findings
  /// Names in `given` of those who took part.
  var subjects: [String]
  var instant: Instant
}

/// The patterns that steps wait for or forbid, each told of every event as it happens; nothing is polled.
final class EventWatch {
  private struct Entry {
    let number: UInt64
    let pattern: EventPattern
    let met: (StageEvent) -> Void
  }

  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0

  /// Calls `met` at the first event that the pattern means; returns a number to take it back by.
  func add(_ pattern: EventPattern, _ met: @escaping (StageEvent) -> Void) -> UInt64 {
    lastNumber += 1
    entries.append(Entry(number: lastNumber, pattern: pattern, met: met))
    return lastNumber
  }

  /// Takes a pattern back.
  func remove(_ number: UInt64) { entries.removeAll { $0.number == number } }

  /// Tells everybody of an event, first come first served.
  func observe(_ event: StageEvent) {
    if entries.isEmpty { return }
    for entry in entries where entry.pattern.matches(event.name, event.findings) {
      if let subject = entry.pattern.subject, !event.subjects.contains(subject) { continue }
      remove(entry.number)
      entry.met(event)
    }
  }
}
