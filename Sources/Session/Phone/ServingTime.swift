import DictofunProtocol
import Phone
import Synchronization

/// Whether a recorder read the time, and what its newest record says about its clock.
package struct TimeFindings: Sendable {
  /// The newest record that names a date.
  package struct Newest: Sendable {
    /// Which record.
    package var identifier: RecordIdentifier
    /// The date that its identifier names.
    package var date: CivilTime
    /// Seconds by which that date lies before the phone's time; negative for a date in the future.
    package var age: Int64
  }

  /// Seconds that a record may lie in the future, because both clocks count whole seconds.
  private static let tolerance: Int64 = 2

  /// The time that the recorder was given; `nil` where it did not read it.
  package var served: CivilTime?
  /// Whether the phone refused the time, because the recorder's battery is low.
  package var isRefused = false
  /// The newest record that names a date; `nil` where none does.
  package var newest: Newest?
  /// Records that name no date, because the recorder's clock did not answer.
  package var undated = 0
  /// How many records the recorder has.
  package var count = 0

  package init() {}

  /// Whether the newest record lies in the future, so that the recorder's clock was wrong.
  package var isAhead: Bool { newest.map { $0.age < -Self.tolerance } ?? false }

  /// Takes the identifiers of the records, at the phone's time.
  package mutating func take(_ identifiers: [String], at now: LocalSeconds) {
    count = identifiers.count
    for identifier in identifiers.compactMap({ RecordIdentifier($0) }) {
      guard let date = identifier.date else {
        undated += 1
        continue
      }
      guard newest.map({ $0.date < date }) ?? true else { continue }
      newest = Newest(identifier: identifier, date: date, age: now - date.secondsSince2000)
    }
  }
}

extension RecorderConversation {
  /// Connects, gives the recorder `span` to read the time, and looks at its records.
  package func serveTime(for span: Duration) async throws -> TimeFindings {
    let heard = HeardTime()
    await phone.onEvent { heard.take($0) }
    try await connect()
    await phone.wait(span) { heard.isOver }
    let names = try await list()
    var findings = heard.findings
    findings.take(names, at: try await phone.localTime())
    return findings
  }
}

/// What the recorder did about the time.
private final class HeardTime: Sendable {
  private let state = Mutex(TimeFindings())

  var findings: TimeFindings { state.withLock { $0 } }
  var isOver: Bool { state.withLock { $0.served != nil || $0.isRefused } }

  func take(_ event: PhoneEvent) {
    switch event {
    case .timeServed(let time): state.withLock { $0.served = CivilTime(secondsSince2000: time) }
    case .timeRefused: state.withLock { $0.isRefused = true }
    default: break
    }
  }
}
