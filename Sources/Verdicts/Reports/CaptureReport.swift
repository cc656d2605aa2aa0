import Trace

/// What a capture shows.
package struct CaptureReport: Sendable {
  /// One adapter of the capture and what its host turned out to be.
  package struct Adapter: Hashable, Sendable {
    /// Its number in the capture.
    package var index: UInt16
    /// The host behind it: a phone where it made connections, a recorder where it was connected to.
    package var source: TraceSource

    package init(index: UInt16, source: TraceSource) {
      self.index = index
      self.source = source
    }
  }

  /// The adapters that had packets, in order of their first.
  package var adapters: [Adapter]
  /// The end from which links were judged.
  package var viewpoint: TraceSource.Part
  /// HCI packets read.
  package var packets: Int
  /// Product events found.
  package var events: Int
  /// Time from the first to the last packet.
  package var span: Duration
  /// Why reading stopped before the end of the file; what came before is judged.
  package var brokenBy: String?
  /// What the monitors found.
  package var findings: [MonitorFinding]
  /// What somebody still owed when the packets ended, a sentence each, oldest first.
  package var open: [String]
  /// Packets that mean nothing here and why, a sentence for each reason.
  package var omitted: [String]
  /// What could not be judged and why, a sentence each; what was omitted comes first.
  package var notJudged: [String]

  /// Whether a requirement was violated.
  package var isViolated: Bool { findings.contains { !$0.violations.isEmpty } }

  package init(
    adapters: [Adapter], viewpoint: TraceSource.Part, packets: Int, events: Int, span: Duration, brokenBy: String?,
    findings: [MonitorFinding], open: [String] = [], omitted: [String] = [], notJudged: [String] = []
  ) {
    self.adapters = adapters
    self.viewpoint = viewpoint
    self.packets = packets
    self.events = events
    self.span = span
    self.brokenBy = brokenBy
    self.findings = findings
    self.open = open
    self.omitted = omitted
    self.notJudged = omitted + notJudged
  }
}
