import Crypto

/// What a data channel PDU carries.
struct LinkPDU {
  enum Kind: UInt8 {
    case empty
    case start
    case continuation
    case control
  }

  var kind = Kind.empty
  /// Octets of payload, without the integrity check.
  var length = 0
  /// For data: an ACL packet whose header is to be filled in. It moves to the receiver, since a retransmission
  /// only needs the length.
  var octets: [UInt8] = []
  var control: ControlPDU?
}

/// What an end knows of the PDU that it has under way. Trivial, because every packet looks at it several times.
struct PDUUnderWay: BitwiseCopyable {
  var kind = LinkPDU.Kind.empty
  /// Octets of payload, without the integrity check.
  var length = 0
  /// Whether it is the last part of the host's ACL packet, whose buffer becomes free by its acknowledgement.
  var endsPacket = false
  /// With what it is sealed.
  var seal: Seal?
  var isRetransmission = false
}

/// With what a PDU is encrypted. The payload itself stays readable: what would make decryption fail on a real link
/// is exactly a difference in these (Core Specification Vol 6, Part E, 2).
struct Seal: Hashable, BitwiseCopyable {
  var sessionKey: Key128
  var initializationVector: UInt64
  var counter: UInt64
}

/// The state of encryption in one direction at one end.
struct CipherState {
  private let encryption: LinkEncryption
  private var counter: UInt64 = 0

  init(_ encryption: LinkEncryption) { self.encryption = encryption }

  /// The seal of the next PDU; each is used once.
  mutating func next() -> Seal {
    defer { counter += 1 }
    return Seal(
      sessionKey: encryption.sessionKey, initializationVector: encryption.initializationVector, counter: counter)
  }
}
