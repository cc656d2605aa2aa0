import DictofunProtocol

/// The record that is arriving. There is no framing and no end marker: it ends where its size is reached.
struct RecordInbox {
  /// What a notification brought.
  enum Outcome {
    /// More octets must follow.
    case incomplete
    /// More octets must follow, and another percent has arrived.
    case notable
    /// All octets are there.
    case complete
    /// There are more octets than the size that was told.
    case tooMuch
  }

  /// The most room reserved before octets arrive; a told size is only a claim.
  private static let maximumReserve = 1 << 20

  private(set) var identifier = RecordIdentifier.fallback
  /// Octets that the record must have.
  private(set) var size: UInt32 = 0
  /// Whether a record is awaited.
  private(set) var isOpen = false
  private var octets: [UInt8] = []
  private var nextPercent = 0

  /// Whether all octets of the record are here.
  var isComplete: Bool { isOpen && octets.count == Int(size) }
  /// Octets that are here.
  var received: Int { octets.count }

  /// Begins to receive a record of `size` octets.
  mutating func open(_ identifier: RecordIdentifier, size: UInt32) {
    self.identifier = identifier
    self.size = size
    isOpen = true
    octets = []
    octets.reserveCapacity(min(Int(size), Self.maximumReserve))
    nextPercent = Self.octets(ofPercent: 1, of: size)
  }

  /// Takes a notification. A record of no octets is complete with the first, which is empty.
  mutating func append(_ value: [UInt8]) -> Outcome {
    octets.append(contentsOf: value)
    if octets.count < nextPercent { return .incomplete }
    if octets.count > Int(size) { return .tooMuch }
    if octets.count == Int(size) { return .complete }
    nextPercent = Self.octets(ofPercent: octets.count * 100 / Int(size) + 1, of: size)
    return .notable
  }

  /// Hands the octets over; the inbox is then closed.
  mutating func take() -> [UInt8] {
    isOpen = false
    let record = octets
    octets = []
    return record
  }

  /// Closes the inbox and drops what is in it.
  mutating func clear() {
    guard isOpen else { return }
    isOpen = false
    octets = []
  }

  private static func octets(ofPercent percent: Int, of size: UInt32) -> Int { (Int(size) * percent + 99) / 100 }
}
