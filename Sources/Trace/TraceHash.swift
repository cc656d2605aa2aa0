import Bytes
import Crypto

/// The first sixteen octets of the SHA-256 over the canonical encoding of a trace, or over other hashes.
///
/// Equal hashes mean equal runs: it is compared across repetitions, job counts, debug and release, and machines.
public struct TraceHash: Hashable, Sendable, CustomStringConvertible {
  /// Octets of a hash.
  public static let length = 16

  /// The sixteen octets.
  public let octets: [UInt8]

  /// Cuts a SHA-256 digest. Traps when there are fewer octets than a hash has.
  init(digest: [UInt8]) {
    precondition(digest.count >= Self.length, "a digest is longer than a hash")
    octets = Array(digest.prefix(Self.length))
  }

  /// Reads the 32 hexadecimal digits of ``description``. `nil` for any other text.
  public init?(_ text: String) {
    guard text.utf8.count == 2 * Self.length, let octets = Hexadecimal.bytes(text), octets.count == Self.length else {
      return nil
    }
    self.octets = octets
  }

  /// One scenario's part of the hash of a whole run.
  public struct Part: Hashable, Sendable {
    /// The scenario's id.
    public var id: String
    /// The matrix cell as text; empty without one.
    public var cell: String
    /// The scenario's own hash.
    public var hash: TraceHash

    public init(id: String, cell: String, hash: TraceHash) {
      self.id = id
      self.cell = cell
      self.hash = hash
    }
  }

  /// The hash of a run: over (id, cell, hash) of its scenarios in order of id, then cell, whatever order they ran in,
  /// so that merged shards and one run agree.
  public static func ofRun(_ parts: [Part]) -> TraceHash {
    let sorted = parts.sorted {
      ($0.id, $0.cell, $0.hash.description) < ($1.id, $1.cell, $1.hash.description)
    }
    var writer = ByteWriter(capacity: 64 * (sorted.count + 1))
    writer.write(TraceRecord.schema)
    for part in sorted {
      for text in [part.id, part.cell] {
        writer.write(UInt32(text.utf8.count))
        writer.write(Array(text.utf8))
      }
      writer.write(part.hash.octets)
    }
    return TraceHash(digest: SHA256.digest(writer.bytes))
  }

  /// 32 hexadecimal digits.
  public var description: String { Hexadecimal.string(octets) }
}

/// A hash is written as its text.
extension TraceHash: Codable {
  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }

  /// Reads ``description``. Throws for any other text.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let hash = TraceHash(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "expected 32 hexadecimal digits")
    }
    self = hash
  }
}
