import HCI
import Sniffer
import Text
import Timeline
import Trace
import Verdicts

/// Judges a capture, made here or elsewhere, with the interpreter and the monitors of live runs.
///
/// It reads the capture twice, because what an adapter's first packets mean depends on whose they are, what a connection's
/// first packets mean on who is at its other end, and where it ends on what a sniffer heard later. It keeps nothing of it but
/// a piece. What it cannot judge it names.
package enum CaptureJudge {
  /// Adapters that are followed; records of further ones are passed over.
  package static let adapterLimit = 32

  /// Judges a capture. `keys` decrypt what a sniffer heard; `observer` gets every event, in order, and `records`
  /// every record that passed whole. Throws where the format is not known.
  package static func judge(
    _ source: any CaptureSource, keys: SnifferKeys = SnifferKeys(), records: ((CapturedRecord) -> Void)? = nil,
    observer: (ProductEvent) -> Void = { _ in }
  ) throws(CaptureFailure) -> CaptureReport {
    var places = AdapterPlaces()
    var roles = CaptureRoles()
    var links = RecorderLinks()
    var preview = try CapturePackets(source, keys: keys)
    while let item = preview.next() {
      switch item {
      case .packet(let packet):
        guard let place = places.take(packet.adapter) else { continue }
        roles.observe(packet, at: place)
        links.observe(packet, at: place)
      case .end(let ended, let handle, let instant):
        for place in places.places(in: ended) { links.end(at: place, of: handle, instant) }
      }
    }
    let adapters = roles.result
    let viewpoint: TraceSource.Part =
      adapters.contains { $0.source.part == .phone } ? .phone : .recorder

    var packets = try CapturePackets(
      source, keys: keys, unheardEnds: preview.unheardEnds, earlyEnds: preview.endedEarly)
    var findings = CaptureFindings(adapters, from: viewpoint, links)
    var packetCount = 0
    // The last packet before those whose time nobody knows: what came next came at any time since.
    var lastTimed = Instant.zero
    while let item = packets.next() {
      switch item {
      case .packet(let packet):
        packetCount += 1
        if let stepBack = preview.earliestStepBack, packet.instant <= stepBack { lastTimed = packet.instant }
        guard let place = places.place(of: packet.adapter) else {
          packets.omit(.tooManyAdapters)
          continue
        }
        findings.take(packet, at: place, records, observer)
      case .end(let ended, let handle, let instant):
        for place in places.places(in: ended) { findings.end(place, of: handle, at: instant, observer) }
      }
    }
    let doubt = doubt(packets, lastTimed)
    return CaptureReport(
      adapters: adapters, viewpoint: viewpoint, packets: packetCount, events: findings.eventCount,
      span: Instant.zero.duration(to: packets.last), brokenBy: packets.brokenBy?.description,
      findings: findings.finish(at: packets.last).map { finding in
        doubt.map { trusted(finding, until: $0.from, $0.reason) } ?? finding
      },
      // Where packets are missing, what seems open may be done.
      open: doubt == nil ? findings.openObligations(at: packets.last) : [],
      omitted: CaptureOmission.allCases.compactMap { omission in
        packets.omissions[omission].map { "\(Wording.count($0, "packet")) \(omission.rawValue)" }
      },
      notJudged: (doubt.map {
        ["violations from \($0.from) s on, and requirements first met from there on, because \($0.reason) there"]
      } ?? [])
        + findings.notJudged
        + roles.unknown.map { adapter in
          "\(packets.name(of: adapter)): taken for a phone's, because it neither connects nor advertises"
        })
  }

  /// Whether a capture can show that what a monitor watches holds: it needs neither a world nor what only oracles tell.
  package static func canShow(_ declaration: MonitorDeclaration) -> Bool {
    guard declaration.needsWorld == nil else { return false }
    return MonitorSet.everyMonitor.contains { $0.declaration == declaration && $0.interests != .oracle }
  }

  /// From when on neither a violation can be claimed nor that something holds, and why; `nil` where nothing stands against it.
  /// `lastTimed` is the last packet at or before the instant to which the clock goes back, if it does.
  private static func doubt(_ packets: CapturePackets, _ lastTimed: Instant) -> (from: Instant, reason: String)? {
    let gap = packets.firstGap.map { ($0, "packets are missing") }
    let step = packets.earliestStepBack.map { _ in (lastTimed, "the capture's clock goes back") }
    let timeless = packets.timeless.map { ($0, "packets have no time") }
    return [gap, step, timeless].compactMap(\.self).min { $0.0 < $1.0 }
  }

  /// A finding without what a missing packet or a clock may have caused: who seems to owe something may have done it, and what
  /// seems to be the first of its kind may not be.
  private static func trusted(_ finding: MonitorFinding, until doubt: Instant, _ reason: String) -> MonitorFinding {
    let certain = finding.violations.filter { $0.instant < doubt }
    let outcome: RequirementOutcome
    if let first = certain.first {
      outcome = .violated(first.reason)
    } else if finding.violations.isEmpty, finding.outcome != .shown || finding.firstMet.map({ $0 < doubt }) == true {
      return finding
    } else {
      outcome = .notObservable("\(reason) from \(doubt) s on")
    }
    return MonitorFinding(
      declaration: finding.declaration, outcome: outcome, preconditions: finding.preconditions, met: finding.met,
      firstMet: finding.firstMet, violations: certain)
  }
}
