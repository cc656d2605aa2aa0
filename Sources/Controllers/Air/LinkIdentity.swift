import Bytes
import HCI

/// By what the packets of one connection are known on the air (Core Specification Vol 6, Part B, 2.1.2 and 3.1.1).
///
/// Real centrals choose both at random. Here they count connections: only listeners depend on them, and a draw would
/// change runs.
struct LinkIdentity: Hashable {
  /// The access address of its packets.
  let accessAddress: UInt32
  /// With what the checksum of its packets begins, 24 bits.
  let checksumStart: UInt32

  /// The identity of a connection by its number on its air.
  init(number: UInt32) {
    accessAddress = 0x5065_5A6C &+ number &* 0x0001_0003
    checksumStart = (0x12_3456 &+ number &* 0x00_0101) & 0xFF_FFFF
  }

  /// The CONNECT_IND that begins the connection (2.3.3.1). Transmit window, channels and hop are not modelled.
  func request(
    from initiator: BluetoothAddress, to advertiser: BluetoothAddress, _ parameters: LELinkParameters
  ) -> RadioPacket {
    var writer = ByteWriter(capacity: 36)
    let kinds = UInt8(initiator.kind == .random ? 0x40 : 0) | UInt8(advertiser.kind == .random ? 0x80 : 0)
    writer.write([0x05 | kinds, 34])
    writer.write(initiator)
    writer.write(advertiser)
    writer.write(accessAddress)
    writer.write((0..<3).map { UInt8(truncatingIfNeeded: checksumStart >> (UInt32($0) * 8)) })
    writer.write([1, 0, 0])
    parameters.encode(into: &writer)
    writer.write([0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x05])
    return RadioPacket(accessAddress: RadioPacket.advertisingAddress, octets: writer.bytes, isFromCentral: nil)
  }
}
