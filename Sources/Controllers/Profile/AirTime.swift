import HCI

/// How long packets take on the air (Core Specification Vol 6, Part B, 2.1 and 2.4).
package enum AirTime {
  /// Nanoseconds between two packets of one exchange (Vol 6, Part B, 4.1.1).
  static let interFrameSpace: UInt64 = 150_000

  /// Access address, header and CRC.
  private static let overheadOctets = 4 + 2 + 3
  fileprivate static let integrityCheckOctets = 4
  /// Microseconds of a coded packet's preamble, access address, coding indicator and two terminators.
  private static let codedOverhead = 80 + 256 + 16 + 24 + 24
  /// Microseconds of an octet at eight symbols a bit.
  private static let codedOctet = 64
  /// Octets of header and CRC, which a coded packet sends as its payload.
  private static let codedPayloadOverhead = 2 + 3

  /// Microseconds of a packet with this many octets of payload; a message integrity check is counted only where there
  /// is a payload. A coded packet is taken at eight symbols a bit.
  package static func microseconds(_ phy: PhysicalLayer, payload: Int, integrityCheck: Bool) -> Int {
    let check = integrityCheck && payload > 0 ? integrityCheckOctets : 0
    switch phy {
    case .le1M: return (1 + overheadOctets + payload + check) * 8
    case .le2M: return (2 + overheadOctets + payload + check) * 4
    case .leCoded: return codedOverhead + (codedPayloadOverhead + payload + check) * codedOctet
    }
  }

  static func nanoseconds(_ phy: PhysicalLayer, payload: Int, integrityCheck: Bool) -> UInt64 {
    UInt64(microseconds(phy, payload: payload, integrityCheck: integrityCheck)) * 1000
  }

  /// The most octets of payload that fit, with their integrity check, into this many microseconds; at least 27.
  static func payloadLimit(_ phy: PhysicalLayer, microseconds limit: Int) -> Int {
    let room: Int
    switch phy {
    case .le1M: room = limit / 8 - 1 - overheadOctets
    case .le2M: room = limit / 4 - 2 - overheadOctets
    case .leCoded: room = (limit - codedOverhead) / codedOctet - codedPayloadOverhead
    }
    return max(Int(LEDataLength.shortest.octets), room - integrityCheckOctets)
  }
}

/// How long packets take on one PHY, worked out once: a link asks for it many times in every connection event.
struct AirRate: BitwiseCopyable {
  private let emptyPacket: UInt64
  private let octet: UInt64

  init(_ phy: PhysicalLayer) {
    emptyPacket = AirTime.nanoseconds(phy, payload: 0, integrityCheck: false)
    octet = AirTime.nanoseconds(phy, payload: 1, integrityCheck: false) - emptyPacket
  }

  /// As ``AirTime/microseconds(_:payload:integrityCheck:)``, in nanoseconds.
  @inline(__always)
  func nanoseconds(_ payload: Int, integrityCheck: Bool) -> UInt64 {
    let check = integrityCheck && payload > 0 ? AirTime.integrityCheckOctets : 0
    return emptyPacket + UInt64(payload + check) * octet
  }
}
