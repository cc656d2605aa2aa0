/// What a record tells. The numbers are part of the canonical encoding and never change their meaning.
public enum TraceKind: UInt8, Hashable, Sendable, CaseIterable {
  /// A host sent an HCI command; the payload is the packet without its H4 indicator, covered.
  case hciCommand = 0x01
  /// A host sent ACL data; the payload is the packet without its H4 indicator, covered.
  case hciDataToController = 0x02
  /// A host got ACL data; the payload is the packet without its H4 indicator, covered.
  case hciDataToHost = 0x03
  /// A host got an HCI event; the payload is the packet without its H4 indicator, covered.
  case hciEvent = 0x04
  /// A host sent a packet of another kind; the payload begins with its H4 indicator.
  case hciOtherToController = 0x05
  /// A host got a packet of another kind; the payload begins with its H4 indicator.
  case hciOtherToHost = 0x06

  /// A step begins; the payload is its sentence in UTF-8.
  case stepStarted = 0x10
  /// A step ended; the payload is its outcome in UTF-8.
  case stepEnded = 0x11
  /// A local expectation was judged; the payload is what was expected and found, in UTF-8.
  case expectation = 0x12
  /// A requirement or the scenario got its verdict; the payload is the verdict's text in UTF-8.
  case verdict = 0x13

  /// A simulated world states what no packet tells; the payload is the event's text in UTF-8.
  case oracleEvent = 0x20

  /// Something worth reading; the payload is UTF-8 and the same in every run of this seed.
  case note = 0x30
  /// The clock base slipped because the machine was late; the payload is eight octets of nanoseconds.
  case slip = 0x31

  /// Whether the record counts for the hash. A slip is real time.
  @inlinable public var isHashed: Bool { self != .slip }
  /// Whether a packet went from host to controller.
  @inlinable public var isFromHost: Bool {
    self == .hciCommand || self == .hciDataToController || self == .hciOtherToController
  }
}
