/// A sound of a run, as it came: most are never listened to, and restoring a record's samples takes longer than its transfer.
public enum Sound: Hashable, Sendable {
  /// Samples, 16,000 a second.
  case samples([Int16])
  /// A record, compressed.
  case record([UInt8])

  /// Its samples, 16,000 a second.
  public var samples: [Int16] {
    switch self {
    case .samples(let samples): samples
    case .record(let octets): RecordAudio.samples(of: octets)
    }
  }
}
