import Bytes
import Timeline

/// One thing that happened in a run, in the order in which it happened.
///
/// The canonical encoding is what hashes are made of and has one number, ``schema``, for all records together:
///
/// | Octets | Field |
/// |---|---|
/// | 8 | sequence, from 0 |
/// | 8 | nanoseconds since the loop began |
/// | 1 | part of the source |
/// | 1 | kind |
/// | 2 | index of the source |
/// | 4 | number of payload octets |
/// | n | payload |
///
/// Numbers are little-endian. Wall time, paths and job numbers stand in no record.
public struct TraceRecord: Hashable, Sendable {
  /// Number of the canonical encoding; it changes whenever the same run would be encoded differently.
  public static let schema: UInt16 = 1
  /// Octets before the payload.
  public static let headerLength = 24

  /// Position in the trace, from 0.
  public let sequence: UInt64
  /// When it happened.
  public let instant: Instant
  /// Who wrote it.
  public let source: TraceSource
  /// What it tells.
  public let kind: TraceKind
  /// Octets whose meaning the kind gives.
  public let payload: [UInt8]

  /// A record as it stands in a trace.
  @inlinable public init(
    sequence: UInt64, instant: Instant, source: TraceSource, kind: TraceKind, payload: [UInt8]
  ) {
    self.sequence = sequence
    self.instant = instant
    self.source = source
    self.kind = kind
    self.payload = payload
  }

  /// The payload as text, for kinds whose payload is text; anything that is not UTF-8 is replaced.
  public var text: String { String(decoding: payload, as: UTF8.self) }

  public func encode(into writer: inout ByteWriter) {
    writer.write(sequence)
    writer.write(instant.nanoseconds)
    writer.write(source.part.rawValue)
    writer.write(kind.rawValue)
    writer.write(source.index)
    writer.write(UInt32(payload.count))
    writer.write(payload)
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: Self.headerLength + payload.count)
    encode(into: &writer)
    return writer.bytes
  }
}
