import HCI
import Sniffer
import Text
import Timeline
import Trace
import Verdicts

/// Judges a capture, made here or elsewhere, with the interpreter and the monitors of live runs.
///
/// It reads the capture twice, because what an adapter's first packets mean depends on whose they are, and what a connection's
/// first packets mean on who is at its other end, and keeps nothing of it but a piece. What it cannot judge it names.
package enum CaptureJudge {
  /// Adapters that are followed; records of further ones are passed over.
  package static let adapterLimit = 32

  /// Judges a capture. `keys` decrypt what a sniffer heard; `observer` gets every event, in order, and `records`
  /// every record that passed whole. Throws where the format is not known.
  package static func judge(
    _ source: any CaptureSource, keys: SnifferKeys = SnifferKeys(), records: ((CapturedRecord) -> Void)? = nil,
    observer: (ProductEvent) -> Void = { _ in }
  ) throws(CaptureFailure) -> CaptureReport {
    var roles = CaptureRoles()
    var links = RecorderLinks()
    var preview = try CapturePackets(source, keys: keys)
    while let packet = preview.next() {
      roles.observe(packet)
      links.observe(packet)
    }
    let adapters = roles.result
    let viewpoint: TraceSource.Part =
      adapters.contains { $0.source.part == .phone } ? .phone : .recorder

    var packets = try CapturePackets(source, keys: keys)
    var interpreters = adapters.map { PacketInterpreter($0.source) }
    var collectors = adapters.map { _ in RecordCollector() }
    var monitors = MonitorSet(from: viewpoint, isCapture: true)
    var conversation = Conversation(from: viewpoint)
    var events: [ProductEvent] = []
    var (packetCount, eventCount) = (0, 0)
    var foreign = adapters.map { _ in 0 }
    var beginnings: [(source: TraceSource, reason: UndeterminedReason)] = []
    // The last packet before those whose time nobody knows: what came next came at any time since.
    var lastTimed = Instant.zero
    while let packet = packets.next() {
      packetCount += 1
      if let stepBack = preview.earliestStepBack, packet.instant <= stepBack { lastTimed = packet.instant }
      guard let index = adapters.firstIndex(where: { $0.index == packet.adapter }) else {
        packets.omit(.tooManyAdapters)
        continue
      }
      events.removeAll(keepingCapacity: true)
      _ = interpreters[index].interpret(packet.packet, packet.direction, at: packet.instant, &events)
      eventCount += events.count
      // Both ends of a simulated link are in one capture; a record is taken where it arrives.
      if let records, adapters[index].source.part == viewpoint,
        let record = collectors[index].observe(packet.packet, packet.direction, events)
      {
        records(record)
      }
      for event in events {
        if links.concern(event, of: packet.adapter) {
          monitors.observe(event)
          conversation.observe(event)
        } else if case .linkUp = event.happening {
          foreign[index] += 1
        }
        observer(event)
        if case .undetermined(let reason) = event.happening,
          !beginnings.contains(where: { $0.source == event.source && $0.reason == reason })
        {
          beginnings.append((event.source, reason))
        }
      }
    }
    let doubt = doubt(packets, lastTimed)
    let findings = monitors.finish(at: packets.last).map { finding in
      doubt.map { trusted(finding, until: $0.from, $0.reason) } ?? finding
    }
    return CaptureReport(
      adapters: adapters, viewpoint: viewpoint, packets: packetCount, events: eventCount,
      span: Instant.zero.duration(to: packets.last), brokenBy: packets.brokenBy?.description, findings: findings,
      // Where packets are missing, what seems open may be done.
      open: doubt == nil ? conversation.openObligations(at: packets.last) : [],
      omitted: CaptureOmission.allCases.compactMap { omission in
        packets.omissions[omission].map { "\(Wording.count($0, "packet")) \(omission.rawValue)" }
      },
      notJudged: (doubt.map { ["violations from \($0.from) s on, because \($0.reason) there"] } ?? [])
        + beginnings.map { "a connection of \($0.source): \($0.reason.rawValue)" }
        + zip(adapters, foreign).filter { $0.1 > 0 }.map { adapter, count in
          "\(Wording.count(count, "connection")) of \(adapter.source): no service of a recorder was found there"
        }
        + roles.unknown.map { "adapter \($0): taken for a phone's, because it neither connects nor advertises" })
  }

  /// Whether a capture can show that what a monitor watches holds: it needs neither a world nor what only oracles tell.
  package static func canShow(_ declaration: MonitorDeclaration) -> Bool {
    guard declaration.needsWorld == nil else { return false }
    return MonitorSet.everyMonitor.contains { $0.declaration == declaration && $0.interests != .oracle }
  }

  /// From when on no violation can be claimed, and why; `nil` where nothing stands against it. `lastTimed` is the last packet
  /// at or before the instant to which the clock goes back, if it does.
  private static func doubt(_ packets: CapturePackets, _ lastTimed: Instant) -> (from: Instant, reason: String)? {
    let gap = packets.firstGap.map { ($0, "packets are missing") }
    let step = packets.earliestStepBack.map { _ in (lastTimed, "the capture's clock goes back") }
    return [gap, step].compactMap(\.self).min { $0.0 < $1.0 }
  }

  /// A finding without the violations that a missing packet or a clock may have caused: who seems to owe something may have
  /// done it.
  private static func trusted(_ finding: MonitorFinding, until doubt: Instant, _ reason: String) -> MonitorFinding {
    guard !finding.violations.isEmpty else { return finding }
    let certain = finding.violations.filter { $0.instant < doubt }
    let outcome: RequirementOutcome
    if let first = certain.first {
      outcome = .violated(first.reason)
    } else {
      outcome = .notObservable("\(reason) from \(doubt) s on")
    }
    return MonitorFinding(
      declaration: finding.declaration, outcome: outcome, preconditions: finding.preconditions, met: finding.met,
      violations: certain)
  }
}
