import Bytes
import HCI
import Timeline

/// What a sniffer of the whole air would record about one packet.
package struct AirObservation: Hashable, Sendable {
  /// When the packet began.
  package var instant: Instant
  /// How long it took.
  package var microseconds: Int
  /// Who sent it, by the controller's name.
  package var sender: String
  /// What it was.
  package var content: Content
  /// Its octets; `nil` for advertising, and for data that was sent again after the other end had taken it.
  package var radio: RadioPacket?
  /// With what the checksum of the packet begins, 24 bits.
  package var checksumStart: UInt32 = advertisingChecksumStart

  /// With what the checksum of advertising begins (Core Specification Vol 6, Part B, 3.1.1).
  package static let advertisingChecksumStart: UInt32 = 0x55_5555

  /// What a packet was.
  package enum Content: Hashable, Sendable {
    /// Advertising on a channel, 37 to 39.
    case advertising(LEAdvertisingParameters.Kind, BluetoothAddress, channel: Int)
    /// A question for a scan response.
    case scanRequest(BluetoothAddress, channel: Int)
    /// The answer to one.
    case scanResponse(BluetoothAddress, channel: Int)
    /// The beginning of a connection.
    case connectionRequest(BluetoothAddress, channel: Int)
    /// A packet of a connection.
    case connection(ConnectionPacketObservation)
  }
}

/// What a sniffer of a connection would record about one packet.
package struct ConnectionPacketObservation: Hashable, Sendable {
  /// What a packet of a connection carries.
  package enum Payload: Hashable, Sendable {
    /// Nothing but acknowledgement.
    case empty
    /// Data; with the number of octets.
    case data(Int)
    /// A control PDU of this opcode (Core Specification Vol 6, Part B, 2.4.2).
    case control(UInt8)
  }

  /// Number of the connection event, modulo 65,536.
  package var eventCounter: UInt16
  /// Whether the central sent it.
  package var fromCentral: Bool
  /// What it carries.
  package var payload: Payload
  /// Sequence number, one bit.
  package var sequenceNumber: UInt8
  /// Next expected sequence number, one bit.
  package var nextExpectedSequenceNumber: UInt8
  /// Whether its sender has more data.
  package var hasMoreData: Bool
  /// Whether it is encrypted.
  package var isEncrypted: Bool
  /// Whether it was sent before.
  package var isRetransmission: Bool
  /// How the other end received it.
  package var reception: Reception
}
