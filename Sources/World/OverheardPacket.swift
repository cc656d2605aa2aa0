import HCI
import Timeline

/// A packet as somebody heard it who listens to the air.
package struct OverheardPacket: Sendable {
  /// Its octets.
  package let packet: RadioPacket
  /// With what the checksum of its connection begins, 24 bits.
  package let checksumStart: UInt32
  /// When it began.
  package let instant: Instant
}
