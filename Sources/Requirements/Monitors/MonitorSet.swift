import Timeline
import Trace
import Verdicts

/// All monitors of one run.
///
/// The same events may be seen from both ends of a link. Monitors take what happens on links from one end, the
/// *viewpoint*, and from the other only what the viewpoint cannot see: its advertising, and which time reached it.
/// Monitors that follow a recorder by its number ask for ``EventKinds/otherEnd`` too.
public struct MonitorSet {
  /// Violations kept for each monitor; all are counted.
  public static let violationLimit = 16

  private struct Entry {
    let interests: EventKinds
    let hearsTime: Bool
    var met = 0
    var firstMet: Instant?
    var violations: [MonitorViolation] = []
    var violationCount = 0
  }

  /// A monitor that does not hear some kinds of events, from whichever end of a link.
  private struct Deafness {
    let index: Int
    let kinds: EventKinds
  }

  private let deafness: Deafness?
  private let viewpoint: TraceSource.Part
  private let isCapture: Bool
  private let interests: EventKinds
  // Apart from what is counted about them, because looking at one member of an entry would copy all of it.
  private var watchers: [any Monitor]
  private var deadlines: [Instant?]
  private var entries: [Entry]
  /// For each kind of event, in the order of its bits, who wants to see it.
  private let audiences: [[Int]]
  /// Who wants to see every packet of a record, and to whom the last of a row is enough.
  private let packetAudience: (each: [Int], last: [Int])
  /// The packet that the latter have not seen yet.
  private var lastPacket: PlainPacket?
  private var undetermined: UndeterminedReason?
  private var last: Instant = .zero

  /// The first violation of the run.
  public private(set) var firstViolation: MonitorViolation?
  /// The first violation that ends a scenario's steps.
  public private(set) var firstEndingViolation: MonitorViolation?
  /// Violations since the last call of ``takeViolations()``.
  private var unread: [MonitorViolation] = []
  /// When the set wants to be told the time next.
  public private(set) var deadline: Instant?

  /// Arms monitors. `viewpoint` is the end from which links are seen: the phone's where this house plays the phone.
  public init(
    _ monitors: [any Monitor] = MonitorSet.everyMonitor, from viewpoint: TraceSource.Part = .phone,
    isCapture: Bool = false
  ) {
    self.init(monitors, from: viewpoint, isCapture: isCapture, weakened: nil)
  }

  /// Arms monitors, one of them weakened.
  package init(
    _ monitors: [any Monitor] = MonitorSet.everyMonitor, from viewpoint: TraceSource.Part = .phone,
    isCapture: Bool = false, weakened: MonitorWeakening?
  ) {
    self.viewpoint = viewpoint
    self.isCapture = isCapture
    let isBlind = { (monitor: any Monitor) in
      isCapture && monitor.declaration.needsWorld != nil || viewpoint == .recorder && monitor.needsPlayedPhone
    }
    watchers = monitors.filter { !isBlind($0) }
    deadlines = Array(repeating: nil, count: watchers.count)
    entries = watchers.map { monitor in
      guard let weakened, weakened.concerns(monitor) else {
        return Entry(interests: monitor.interests, hearsTime: true)
      }
      switch weakened.kind {
      case .everything: return Entry(interests: [], hearsTime: false)
      case .events(let kinds, _):
        return Entry(interests: monitor.interests.subtracting(kinds), hearsTime: true)
      case .time: return Entry(interests: monitor.interests, hearsTime: false)
      }
    }
    if let weakened, case .events(let kinds, _) = weakened.kind,
      let index = watchers.firstIndex(where: { weakened.concerns($0) })
    {
      deafness = Deafness(index: index, kinds: kinds)
    } else {
      deafness = nil
    }
    unarmed = monitors.filter(isBlind).map(\.declaration)
    interests = entries.reduce(into: [.links]) { $0.formUnion($1.interests) }
    audiences = (0..<UInt32.bitWidth).map { [entries] bit in
      entries.indices.filter { entries[$0].interests.contains(EventKinds(rawValue: 1 << UInt32(bit))) }
    }
    let packets = audiences[EventKinds.fileData.bit]
    packetAudience = (
      packets.filter { [watchers] in !watchers[$0].isLastPacketEnough },
      packets.filter { [watchers] in watchers[$0].isLastPacketEnough }
    )
  }

  private let unarmed: [MonitorDeclaration]
  /// How reports call those who take part: monitors know numbers only.
  package var parties: PartyNames?

  /// Takes the next event.
  public mutating func observe(_ event: ProductEvent) {
    var kind = event.happening.kind
    let isFromViewpoint = event.source.part == viewpoint || !event.source.isHost
    if !isFromViewpoint, kind.isDisjoint(with: [.advertising, .time]) {
      guard !kind.isDisjoint(with: [.links, .security, .battery, .services, .fileTransfer, .firmwareUpdate]) else {
        return
      }
      kind = .otherEnd
    }
    guard !interests.isDisjoint(with: kind) else { return }
    if let deadline, deadline <= event.instant { reach(event.instant) }
    last = event.instant
    if let packet = event.plainPacket {
      if lastPacket?.isOfRow(event) == false { showLastPacket() }
      lastPacket = packet
      return show(event, kind, to: packetAudience.each)
    }
    showLastPacket()
    if isFromViewpoint, case .undetermined(let reason) = event.happening { undetermined = undetermined ?? reason }
    show(event, kind, to: audiences[kind.bit])
  }

  private mutating func showLastPacket() {
    guard let packet = lastPacket else { return }
    lastPacket = nil
    show(packet.event, .fileData, to: packetAudience.last)
  }

  private mutating func show(_ event: ProductEvent, _ kind: EventKinds, to audience: [Int]) {
    var hasMoved = false
    // By place: the list would be counted by a loop over it.
    for place in audience.indices {
      let index = audience[place]
      if let deafness, deafness.index == index, !deafness.kinds.isDisjoint(with: event.happening.kind) { continue }
      let (observation, deadline) = Self.show(event, to: &watchers[index])
      if observation != .pending { take(observation, index, event.instant) }
      // Octets never bring a deadline forward, and one that was dropped does no harm.
      guard kind.isDisjoint(with: [.fileData, .firmwareData]), entries[index].hearsTime else { continue }
      if deadlines[index] != deadline {
        deadlines[index] = deadline
        hasMoved = true
      }
    }
    if hasMoved { findDeadline() }
  }

  /// Returns the violations since the last call, for live output.
  public mutating func takeViolations() -> [MonitorViolation] {
    defer { unread = [] }
    return unread
  }

  /// Takes the time.
  public mutating func reach(_ instant: Instant) {
    showLastPacket()
    last = max(last, instant)
    for index in deadlines.indices {
      // One call settles one obligation; a monitor may have several that are due.
      var turns = 0
      while let due = deadlines[index], due <= instant, turns < 64 {
        take(watchers[index].reach(due), index, due)
        deadlines[index] = watchers[index].deadline
        turns += 1
      }
    }
    findDeadline()
  }

  /// Asks for the deadline where the monitor stands: reading it from the array would copy the monitor.
  private static func show(_ event: ProductEvent, to monitor: inout some Monitor) -> (Observation, deadline: Instant?) {
    (monitor.observe(event), monitor.deadline)
  }

  private mutating func findDeadline() {
    deadline = nil
    for case let candidate? in deadlines { deadline = min(deadline ?? candidate, candidate) }
  }

  private mutating func take(_ observation: Observation, _ index: Int, _ instant: Instant) {
    switch observation {
    case .pending: break
    case .met:
      if entries[index].met == 0 { entries[index].firstMet = instant }
      entries[index].met += 1
    case .violated(let reason):
      let declaration = watchers[index].declaration
      let violation = MonitorViolation(
        requirement: declaration.requirement, judges: declaration.judges, instant: instant,
        reason: parties?.told(reason) ?? reason)
      entries[index].violationCount += 1
      if entries[index].violations.count < Self.violationLimit {
        entries[index].violations.append(violation)
        unread.append(violation)
      }
      if firstViolation == nil { firstViolation = violation }
      if firstEndingViolation == nil, watchers[index].endsSteps { firstEndingViolation = violation }
    }
  }

  /// Ends the run and returns the findings, in the order in which the monitors were armed.
  public mutating func finish(at instant: Instant) -> [MonitorFinding] {
    reach(instant)
    var findings: [MonitorFinding] = []
    for index in entries.indices {
      take(watchers[index].finish(at: instant), index, instant)
      findings.append(finding(entries[index], of: watchers[index]))
    }
    for declaration in unarmed {
      findings.append(
        MonitorFinding(
          declaration: declaration, outcome: .notObservable("needs \(declaration.needsWorld ?? "a simulated world")"),
          preconditions: 0, met: 0, violations: []))
    }
    return findings
  }

  private func finding(_ entry: Entry, of monitor: any Monitor) -> MonitorFinding {
    let outcome: RequirementOutcome
    if let first = entry.violations.first {
      outcome = .violated(first.reason)
    } else if entry.met > 0 {
      outcome = .shown
    } else if let undetermined, entry.interests.contains(.links) {
      outcome = .notObservable("undetermined: \(undetermined.rawValue)")
    } else {
      outcome = .notExercised
    }
    return MonitorFinding(
      declaration: monitor.declaration, outcome: outcome, preconditions: monitor.preconditionCount,
      met: entry.met, firstMet: entry.firstMet, violations: entry.violations)
  }
}

extension MonitorSet {
  /// A new instance of every monitor, in the order of their files.
  public static var everyMonitor: [any Monitor] { MonitorCatalogue.all.map { $0.init() } }
}
