import DictofunProtocol

/// The record that is arriving. It has neither framing nor an end marker: it is complete when its size is reached.
struct RecordInbox {
  /// The effect of a notification.
  enum Outcome {
    /// More octets must follow.
    case incomplete
    /// More octets must follow, and another percent has arrived.
    case notable
    /// All octets are there.
    case complete
    /// More octets arrived than announced.
    case tooMuch
  }

  /// The most room reserved before octets arrive; an announced size is only a claim.
  private static let maximumReserve = 1 << 20

  private(set) var identifier = RecordIdentifier.fallback
  /// Octets that the record must have.
  private(set) var size: UInt32 = 0
  /// Whether a record is awaited.
  private(set) var isOpen = false
  private var octets: [UInt8] = []
  private var nextPercent = 0

  /// Whether all octets of the record have arrived.
  var isComplete: Bool { isOpen && octets.count == Int(size) }
  /// Its state in words. Of the octets a sum stands for them.
  var outline: String {
    guard isOpen else { return "closed" }
    let sum = octets.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
    return "\(identifier) \(octets.count)/\(size) sum \(sum) next \(nextPercent)"
  }

  /// Octets that have arrived.
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
  mutating func append(_ value: ArraySlice<UInt8>) -> Outcome {
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

  /// Closes the inbox and drops its content.
  mutating func clear() {
    guard isOpen else { return }
    isOpen = false
    octets = []
  }

  private static func octets(ofPercent percent: Int, of size: UInt32) -> Int { (Int(size) * percent + 99) / 100 }
}
