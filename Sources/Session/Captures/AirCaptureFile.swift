import HCI
import Synchronization
import World

/// Collects what a sniffer would have heard of one scenario, as pcap.
package final class AirCaptureFile: Sendable {
  /// Octets beyond which nothing more is collected.
  private static let limit = 256 << 20

  private let octets = Mutex(RadioCaptureWriter.header)

  /// Nothing heard yet.
  package init() {}

  /// Takes the next packet.
  package func take(_ overheard: OverheardPacket) {
    let record = RadioCaptureWriter.record(
      overheard.packet, checksumStart: overheard.checksumStart,
      unixMicroseconds: VirtualCapture.unixMicroseconds(nanoseconds: overheard.instant.nanoseconds))
    octets.withLock { if $0.count + record.count <= Self.limit { $0 += record } }
  }

  /// Everything that was heard, as a file. Legacy pairings in it give recordings away.
  package var content: [UInt8] { octets.withLock { $0 } }
}
