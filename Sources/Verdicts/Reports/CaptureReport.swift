import Trace

/// What a capture shows.
public struct CaptureReport: Sendable {
  /// One adapter of the capture and what its host turned out to be.
  public struct Adapter: Hashable, Sendable {
    /// Its number in the capture.
    public var index: UInt16
    /// The host behind it: a phone where it made connections, a recorder where it was connected to.
    public var source: TraceSource

    public init(index: UInt16, source: TraceSource) {
      self.index = index
      self.source = source
    }
  }

  /// The adapters that had packets, in order of their first.
  public var adapters: [Adapter]
  /// The end from which links were judged.
  public var viewpoint: TraceSource.Part
  /// HCI packets read.
  public var packets: Int
  /// Product events found.
  public var events: Int
  /// Time from the first to the last packet.
  public var span: Duration
  /// Why reading stopped before the end of the file; what came before is judged.
  public var brokenBy: String?
  /// What the monitors found.
  public var findings: [MonitorFinding]

  /// Whether a requirement was violated.
  public var isViolated: Bool { findings.contains { !$0.violations.isEmpty } }

  public init(
    adapters: [Adapter], viewpoint: TraceSource.Part, packets: Int, events: Int, span: Duration, brokenBy: String?,
    findings: [MonitorFinding]
  ) {
    self.adapters = adapters
    self.viewpoint = viewpoint
    self.packets = packets
    self.events = events
    self.span = span
    self.brokenBy = brokenBy
    self.findings = findings
  }
}
