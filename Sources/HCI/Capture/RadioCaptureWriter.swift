/// Makes the octets of a capture of the LE air as sniffers write it, piece by piece: pcap of link type 256
/// (LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR), which Wireshark reads.
package struct RadioCaptureWriter: Sendable {
  /// The octets with which the file begins: version 2.4, times in UTC, records of any length.
  package static let header = [0xA1B2_C3D4, 0x0002_0004, 0, 0, 0xFFFF, 256].flatMap { bigEndian($0) }

  /// The record of a packet. `start` is the value with which the checksum of its connection begins.
  package static func record(_ packet: RadioPacket, checksumStart start: UInt32, unixMicroseconds: Int64) -> [UInt8] {
    var flags: RadioHeader = [.dewhitened, .checksumChecked, .checksumValid]
    if let isFromCentral = packet.isFromCentral { flags.insert(isFromCentral ? .fromCentral : .fromPeripheral) }
    switch packet.layer {
    case .le1M: break
    case .le2M: flags.insert(.on2M)
    case .leCoded: flags.insert(.onCoded)
    }
    // Channel and signal strengths are not stated.
    let header: [UInt8] =
      [0, 0, 0, 0] + littleEndian(packet.accessAddress, 4) + littleEndian(UInt32(flags.rawValue), 2)
    let checksum = RadioPacket.checksum(packet.octets, start: start)
    // A coded packet has its coding indicator there: 0 for eight symbols a bit.
    let indicator: [UInt8] = packet.layer == .leCoded ? [0] : []
    let data = header + littleEndian(packet.accessAddress, 4) + indicator + packet.octets + littleEndian(checksum, 3)
    let (second, microsecond) = unixMicroseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return bigEndian(UInt32(truncatingIfNeeded: second)) + bigEndian(UInt32(truncatingIfNeeded: microsecond))
      + bigEndian(UInt32(data.count)) + bigEndian(UInt32(data.count)) + data
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] { littleEndian(number, 4).reversed() }

  private static func littleEndian(_ number: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (UInt32($0) * 8)) }
  }
}
