import Bench
import Timeline

/// A claim of a scenario about events of which only the interval is known in which they happened.
///
/// It holds or is violated only where every instant of the interval says so. Where the interval straddles a limit, and
/// where a sensor that may miss an event saw none, nothing can be told: neither a pass nor a failure.
struct SensedClaim {
  /// What is claimed.
  enum Kind: Hashable {
    /// The event happens from `since` to `deadline`.
    case eventually(since: Instant, deadline: Instant)
    /// The event does not happen from `since` on, before `end`; an `end` that is not known yet comes with an event.
    case never(since: Instant, end: Instant)
  }

  /// What is known of the claim.
  enum Outcome: Hashable {
    case pending
    /// It holds, as far as was seen; who saw it.
    case holds(by: [Sensor])
    case violated(String)
    /// It cannot be told here; why.
    case unobservable(String)
  }

  /// What is claimed.
  private(set) var kind: Kind
  /// What the event is called.
  private let name: String
  /// The time after which an event must have been seen; `nil` where it may be missed.
  private let patience: Duration?
  /// Why a claim that waits cannot be told to have failed; `nil` for no reason.
  private var doubt: String?
  /// Who watches, for a claim that holds because nothing was seen.
  private let watchers: [Sensor]
  /// By how much earlier a ban may begin and end than stated: it counts from an event that a sensor told late.
  private let lateness: Duration

  init(
    _ kind: Kind, of name: String, patience: Duration?, watchedBy watchers: [Sensor], lateness: Duration = .zero
  ) {
    self.kind = kind
    self.lateness = lateness
    self.name = name
    self.patience = patience
    self.watchers = watchers
  }

  /// When nothing that is seen later can change the outcome, or when it must be told that nothing was seen.
  var lastInstant: Instant {
    switch kind {
    case .eventually(_, let deadline): deadline.advanced(by: patience ?? .zero)
    case .never(_, let end): end.advanced(by: patience ?? .zero)
    }
  }

  /// The ban ends here after all.
  mutating func end(at instant: Instant) {
    if case .never(let since, _) = kind { kind = .never(since: since, end: instant) }
  }

  /// Takes a matching event that happened between two instants; `sensor` is `nil` for one whose instant is known.
  func take(from earliest: Instant, to latest: Instant, by sensor: Sensor?) -> Outcome {
    switch kind {
    case .eventually(let since, let deadline):
      if latest < since { return .pending }
      if latest <= deadline { return .holds(by: sensor.map { [$0] } ?? []) }
      if earliest > deadline {
        return .violated("\(name): did not happen by \(deadline) s, but \(Self.span(earliest, latest))")
      }
      return .unobservable(
        "\(name) happened \(Self.span(earliest, latest)), by \(sensor?.name ?? "the phone"), and the limit is \(deadline) s"
      )
    case .never(let since, let end):
      if latest < since || earliest >= end { return .pending }
      if earliest >= since, latest < end.advanced(by: .zero - lateness) {
        return .violated("\(name): happened \(Self.span(earliest, latest)), seen by \(sensor?.name ?? "the phone")")
      }
      return .unobservable(
        "\(name) happened \(Self.span(earliest, latest)), by \(sensor?.name ?? "the phone"), and the limits are \(since) s "
          + "and \(end) s")
    }
  }

  /// Takes an event that may have happened between two instants, or not at all. A claim that waits for it goes on; when it
  /// ends without a certain one, nothing can be told.
  mutating func takeDoubtful(from earliest: Instant, to latest: Instant, by sensor: Sensor?) -> Outcome {
    let who = sensor?.name ?? "the phone"
    let sentence = "\(who) cannot tell whether \(name) happened \(Self.span(earliest, latest))"
    switch kind {
    case .eventually(let since, let deadline):
      if latest >= since, earliest <= deadline { doubt = doubt ?? sentence }
      return .pending
    case .never(let since, let end): return latest < since || earliest >= end ? .pending : .unobservable(sentence)
    }
  }

  /// Takes that nothing was seen until ``lastInstant``.
  func conclude() -> Outcome {
    if let doubt { return .unobservable(doubt) }
    switch (kind, patience) {
    case (.never, _?): return .holds(by: watchers)
    case (.eventually(_, let deadline), _?): return .violated("\(name): did not happen by \(deadline) s")
    case (_, nil):
      let who = watchers.map(\.name).joined(separator: " and ")
      return .unobservable("\(who) did not tell of \(name), and may have missed it")
    }
  }

  private static func span(_ earliest: Instant, _ latest: Instant) -> String {
    earliest == latest ? "at \(latest) s" : "between \(earliest) s and \(latest) s"
  }
}
