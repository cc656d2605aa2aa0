import Timeline

/// Takes every record of a trace, in order: a report, a capture, a ledger.
public protocol TraceSink: AnyObject {
  /// The next record.
  func receive(_ record: TraceRecord)
  /// The next record, an HCI packet, where it stands in memory: for sinks that only look at it. Unless a sink has its own
  /// way, it is given to ``receive(_:)``.
  func receive(
    packet: RawSpan, _ kind: TraceKind, from source: TraceSource, at instant: Instant, sequence: UInt64)
  /// Nothing follows.
  func finish()
}

extension TraceSink {
  /// Gives the packet to ``receive(_:)``.
  public func receive(
    packet: RawSpan, _ kind: TraceKind, from source: TraceSource, at instant: Instant, sequence: UInt64
  ) {
    let payload = packet.withUnsafeBytes { Array($0) }
    receive(TraceRecord(sequence: sequence, instant: instant, source: source, kind: kind, payload: payload))
  }
}

/// Where everything that happens in one run is written.
///
/// Records are numbered, hashed and handed to the sinks as they come; none is kept. It belongs to the thread of the run's
/// event loop.
public final class TraceRecorder {
  /// How many records have been written.
  public private(set) var count: UInt64 = 0

  private var sinks: [any TraceSink] = []
  private var digest = TraceDigest()
  private var isFinished = false

  /// Begins an empty trace.
  public init() {}

  /// Hands every further record to a sink as well; sinks are served in the order they were added.
  public func add(_ sink: any TraceSink) { sinks.append(sink) }

  /// Writes a record. Traps after ``finish()``.
  public func record(_ kind: TraceKind, from source: TraceSource, at instant: Instant, _ payload: [UInt8] = []) {
    precondition(!isFinished, "a finished trace takes no more records")
    let record = TraceRecord(sequence: count, instant: instant, source: source, kind: kind, payload: payload)
    count += 1
    if kind.isHashed { digest.append(record) }
    for sink in sinks { sink.receive(record) }
  }

  /// Writes a record whose payload is text.
  public func record(_ kind: TraceKind, from source: TraceSource, at instant: Instant, _ text: String) {
    record(kind, from: source, at: instant, Array(text.utf8))
  }

  /// Writes an HCI packet with `covered`, which lies within it, zeroed. Traps after ``finish()``.
  ///
  /// What is hashed and what the sinks see is one copy, because this happens for every packet of a run.
  public func record(
    packet: borrowing [UInt8], covering covered: Range<Int>, _ kind: TraceKind, from source: TraceSource,
    at instant: Instant
  ) {
    precondition(!isFinished, "a finished trace takes no more records")
    guard packet.count <= TraceDigest.longestPacket else {
      var payload = copy packet
      payload.replaceSubrange(covered, with: repeatElement(0, count: covered.count))
      return record(kind, from: source, at: instant, payload)
    }
    let seen = digest.append(packet, covering: covered, kind, source, instant)
    let sequence = count
    count += 1
    // By index: the list would be counted by a loop over it.
    for index in sinks.indices {
      sinks[index].receive(packet: seen.bytes, kind, from: source, at: instant, sequence: sequence)
    }
  }

  /// The hash of the trace so far; records may follow.
  public var hash: TraceHash { digest.snapshot() }

  /// Tells the sinks that nothing follows. A second call does nothing.
  public func finish() {
    guard !isFinished else { return }
    isFinished = true
    for sink in sinks { sink.finish() }
  }
}
