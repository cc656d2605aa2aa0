import Bytes
import HCI
import Text
import Timeline
import Trace

/// Streams a trace into a btsnoop file of data link 2001, which `btmon` and `tshark` read: packets of phone and
/// recorder as two adapters, and remarks between the packets they explain.
///
/// Phones are the even adapters and recorders the odd ones, so that with one of each the phone is `hci0` and the
/// recorder `hci1`. Times are those of the run; its beginning is put at a fixed date, and the first note says so.
package final class CaptureSink: TraceSink {
  private let file: any CaptureOutput
  private let writer: BtsnoopWriter
  /// For each adapter up to the highest that was announced, whether it was.
  private var isAnnounced: [Bool] = []
  private var addresses: [(source: TraceSource, address: BluetoothAddress)]
  /// Records that were not handed over yet.
  private var output: [UInt8] = []
  /// The first thing that went wrong; nothing is written after it.
  private var failure: ReportFailure?

  /// Begins a capture. `note` is the first remark: seed, profile, and the machine's time where that may be told.
  /// `addresses` are shown for the adapters. With `isPrivate`, for captures that are not covered, the file is readable
  /// by its owner alone and says what it holds.
  package convenience init(
    _ path: String, note: String, addresses: [(source: TraceSource, address: BluetoothAddress)] = [],
    isPrivate: Bool = false
  ) throws(ReportFailure) {
    let file = try ReportFile(path, isPrivate: isPrivate)
    try self.init(to: file, .btsnoop, note: note, addresses: addresses, isPrivate: isPrivate)
  }

  /// Begins a capture that goes somewhere else than into a file of its own, framed as its reader wants it.
  package init(
    to output: any CaptureOutput, _ framing: BtsnoopWriter.Framing, note: String,
    addresses: [(source: TraceSource, address: BluetoothAddress)] = [], isPrivate: Bool = false
  ) throws(ReportFailure) {
    file = output
    writer = BtsnoopWriter(framing)
    self.addresses = addresses
    try file.write(writer.header)
    var remarks = ["\(note); time 0 of the run is shown as 2024-01-01 00:00:00 UTC"]
    if isPrivate { remarks.append("warning: this capture contains keys and recordings") }
    for remark in remarks {
      append(.systemNote(PlainText.escaped(remark)), adapter: BtsnoopRecord.noAdapter, at: .zero)
    }
  }

  /// Writes a remark between the packets; a place such as `file:line` comes first, because viewers cut long lines.
  /// Remarks are system notes: Wireshark misreads the other kind, which has a priority.
  package func annotate(_ text: String, at instant: Instant) {
    append(.systemNote(PlainText.escaped(text)), adapter: BtsnoopRecord.noAdapter, at: instant)
  }

  package func receive(_ record: TraceRecord) {
    switch record.kind {
    case .hciCommand, .hciDataToController, .hciDataToHost, .hciEvent:
      append(packet: record.payload.span.bytes, record.kind, from: record.source, at: record.instant)
    case .verdict: annotate(record.text, at: record.instant)
    case .note, .oracleEvent: annotate("\(record.source): \(record.text)", at: record.instant)
    case .slip: annotate("LATE the machine was late; the run's clock skipped the delay", at: record.instant)
    // Steps and expectations are annotated by those who know their places; packets of other kinds never occur in a run.
    case .hciOtherToController, .hciOtherToHost, .stepStarted, .stepEnded, .expectation: break
    }
  }

  package func receive(
    packet: RawSpan, _ kind: TraceKind, from source: TraceSource, at instant: Instant, sequence: UInt64
  ) {
    append(packet: packet, kind, from: source, at: instant)
  }

  private func append(packet: RawSpan, _ traceKind: TraceKind, from source: TraceSource, at instant: Instant) {
    let kind: HCIPacket.Kind =
      switch traceKind {
      case .hciCommand: .command
      case .hciEvent: .event
      default: .acl
      }
    let adapter = Self.adapter(source)
    if adapter >= isAnnounced.count || !isAnnounced[Int(adapter)] {
      isAnnounced += Array(repeating: false, count: max(0, Int(adapter) + 1 - isAnnounced.count))
      isAnnounced[Int(adapter)] = true
      let address = addresses.first { $0.source == source }?.address.littleEndian
      let name = (source.part == .phone ? "phone" : "rec") + String(source.index)
      let information = BtsnoopAdapter(address: address ?? Array(repeating: 0, count: 6), name: name)
      append(.newIndex(information), adapter: adapter, at: instant)
    }
    guard failure == nil else { return }
    writer.append(
      packet: packet, kind, isSent: traceKind.isFromHost, adapter: adapter,
      unixMicroseconds: Self.unixMicroseconds(instant), to: &output)
    if output.count >= file.pieceLength { handOver() }
  }

  private static func unixMicroseconds(_ instant: Instant) -> Int64 {
    VirtualCapture.unixMicroseconds(nanoseconds: instant.nanoseconds)
  }

  /// The adapter number of a host.
  static func adapter(_ source: TraceSource) -> UInt16 {
    UInt16(source.index) * 2 + (source.part == .recorder ? 1 : 0)
  }

  private func append(_ content: BtsnoopRecord.Content, adapter: UInt16, at instant: Instant) {
    guard failure == nil else { return }
    writer.append(content, adapter: adapter, unixMicroseconds: Self.unixMicroseconds(instant), to: &output)
    if output.count >= file.pieceLength { handOver() }
  }

  private func handOver() {
    do { try file.write(output) } catch { failure = error }
    output.removeAll(keepingCapacity: true)
  }

  /// The trace has ended; whether the capture is kept is decided by ``close(keeping:)``.
  package func finish() {}

  /// Keeps the capture under its name, or removes it. Throws the first failure that occurred while it was written.
  package func close(keeping isKept: Bool) throws(ReportFailure) {
    if isKept, failure == nil { handOver() }
    if let failure {
      file.abandon()
      throw failure
    }
    if isKept { try file.commit() } else { file.abandon() }
  }
}
