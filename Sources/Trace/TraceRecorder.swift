import Timeline

/// Takes every record of a trace, in order: a report, a capture, a ledger.
public protocol TraceSink: AnyObject {
  /// The next record.
  func receive(_ record: TraceRecord)
  /// Nothing follows.
  func finish()
}

/// Where everything that happens in one run is written.
///
/// Records are numbered, hashed and handed to the sinks as they come. None is kept but the last few, which a
/// failure prints. It belongs to the thread of the run's event loop.
public final class TraceRecorder {
  /// How many records are kept where the caller does not say otherwise.
  public static let defaultRingCapacity = 512

  /// How many records have been written.
  public private(set) var count: UInt64 = 0

  private let capacity: Int
  private var ring: [TraceRecord] = []
  private var sinks: [any TraceSink] = []
  private var digest = TraceDigest()
  private var isFinished = false

  /// Begins an empty trace that keeps the last `ringCapacity` records; traps if that is less than one.
  public init(ringCapacity: Int = TraceRecorder.defaultRingCapacity) {
    precondition(ringCapacity > 0, "a ring holds at least one record")
    capacity = ringCapacity
    ring.reserveCapacity(ringCapacity)
  }

  /// Hands every further record to a sink as well; sinks are served in the order they were added.
  public func add(_ sink: any TraceSink) { sinks.append(sink) }

  /// Writes a record. Traps after ``finish()``.
  public func record(_ kind: TraceKind, from source: TraceSource, at instant: Instant, _ payload: [UInt8] = []) {
    precondition(!isFinished, "a finished trace takes no more records")
    let record = TraceRecord(sequence: count, instant: instant, source: source, kind: kind, payload: payload)
    if ring.count < capacity {
      ring.append(record)
    } else {
      ring[Int(count % UInt64(capacity))] = record
    }
    count += 1
    if kind.isHashed { digest.append(record) }
    for sink in sinks { sink.receive(record) }
  }

  /// Writes a record whose payload is text.
  public func record(_ kind: TraceKind, from source: TraceSource, at instant: Instant, _ text: String) {
    record(kind, from: source, at: instant, Array(text.utf8))
  }

  /// The last records, oldest first.
  public var recent: [TraceRecord] {
    guard ring.count == capacity else { return ring }
    let oldest = Int(count % UInt64(capacity))
    return Array(ring[oldest...] + ring[..<oldest])
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
