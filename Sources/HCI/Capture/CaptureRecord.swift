/// One record of a capture of any format.
package struct CaptureRecord: Hashable, Sendable {
  /// Which adapter or interface it belongs to.
  package var adapter: UInt16
  /// What it holds.
  package var content: Content
  /// When, in microseconds since 1970 UTC as far as the file tells.
  package var unixMicroseconds: Int64
  /// Packets that the file says were lost since the record before.
  package var dropsBefore: UInt32 = 0
  /// Packets that the file says were lost at some time before this record, besides those whose place it tells.
  package var dropsSomewhere: UInt32 = 0
  /// Whether the file tells when; if not, the time above means nothing.
  package var hasTime = true

  /// What a record holds.
  package enum Content: Hashable, Sendable {
    /// A packet from host to controller.
    case sent(HCIPacket)
    /// A packet from controller to host.
    case received(HCIPacket)
    /// A packet that a sniffer heard.
    case heard(RadioPacket)
    /// Something about the capture itself, such as a note or a new adapter.
    case remark
    /// The adapter was closed or removed: its packets end here.
    case closed
    /// A packet that means nothing here, for this reason.
    case omitted(CaptureOmission)
  }
}

/// Why packets of a capture are not judged; the text follows "12 packets".
package enum CaptureOmission: String, Hashable, Sendable, CaseIterable {
  /// The capture holds only their beginning.
  case cutShort = "cut short when captured"
  /// The capture holds other links too, such as Ethernet.
  case foreignLink = "of a link that is not Bluetooth LE"
  /// The file says that whoever captured lost them.
  case dropped = "lost while capturing, as the file says"
  /// They have an indicator or type that no specification names.
  case unknownKind = "of an unknown kind"
  /// The sniffer does not tell who sent them.
  case noDirection = "without a direction"
  /// The sniffer found or left an error of transmission in them.
  case badChecksum = "received by the sniffer with a wrong checksum"
  /// The sniffer did not undo the whitening.
  case whitened = "still whitened"
  /// The sniffer decrypted them, and did not keep what was on the air.
  case decryptedElsewhere = "decrypted by the sniffer itself"
  /// The sniffer did not hear how their connection began.
  case unknownConnection = "of a connection whose beginning the sniffer missed"
  /// They are encrypted, and no key that is known fits.
  case unknownKey = "encrypted with a key that is not known"
  /// The numbers of other packets show that there were more.
  case missed = "missed by the sniffer"
  /// They follow on a packet that the sniffer missed.
  case afterGap = "that follow on a packet which the sniffer missed"
  /// There are more adapters than are followed.
  case tooManyAdapters = "of further adapters"
  /// They name an interface that the file does not describe.
  case unknownInterface = "of an interface that the file does not describe"

  /// Whether what was said on a link is no longer whole, so that whoever seems to owe something may have done it.
  package var isGap: Bool {
    switch self {
    case .cutShort, .dropped, .noDirection, .whitened, .decryptedElsewhere, .unknownKey, .missed, .afterGap,
      .unknownInterface:
      true
    case .foreignLink, .unknownKind, .badChecksum, .unknownConnection, .tooManyAdapters: false
    }
  }
}

/// A packet of the LE air (Core Specification Vol 6, Part B, 2.1), dewhitened.
package struct RadioPacket: Hashable, Sendable {
  /// The access address: that of advertising, or of a connection.
  package var accessAddress: UInt32
  /// The PDU: two octets of header, payload, and the message integrity check of an encrypted one. No checksum.
  package var octets: [UInt8]
  /// The checksum of 24 bits where it has still to be verified; `nil` where the sniffer did.
  package var checksum: UInt32?
  /// Whether the central of a connection sent it; `nil` where the sniffer does not tell, and for advertising.
  package var isFromCentral: Bool?
  /// The PHY that it is sent on.
  package var layer = PhysicalLayer.le1M

  /// The access address of advertising (Vol 6, Part B, 2.1.2).
  package static let advertisingAddress: UInt32 = 0x8E89_BED6
  /// Octets before the payload.
  package static let headerLength = 2

  /// Takes the parts of a packet.
  package init(accessAddress: UInt32, octets: [UInt8], checksum: UInt32? = nil, isFromCentral: Bool?) {
    self.accessAddress = accessAddress
    self.octets = octets
    self.checksum = checksum
    self.isFromCentral = isFromCentral
  }

  /// The checksum over a PDU (Vol 6, Part B, 3.1.1): `start` is the value of its shift register at the beginning, 0x555555
  /// for advertising and the connection's own otherwise.
  package static func checksum(_ octets: [UInt8], start: UInt32) -> UInt32 {
    // The register is kept mirrored: bits leave at the right, in the order in which the air carries them.
    var register = mirrored(start)
    for octet in octets {
      var octet = octet
      for _ in 0..<8 {
        let isSet = (register ^ UInt32(octet)) & 1 != 0
        register >>= 1
        octet >>= 1
        if isSet { register ^= 0xDA_6000 }
      }
    }
    return register
  }

  private static func mirrored(_ value: UInt32) -> UInt32 {
    (0..<24).reduce(0) { $0 | (value >> $1 & 1) << (23 - $1) }
  }
}
