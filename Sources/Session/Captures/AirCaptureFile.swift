import HCI
import Synchronization
import System
import World

/// Collects what a sniffer would have heard of one scenario, and writes it as pcap.
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

  /// Writes the file, which only its owner can read: legacy pairings in it give recordings away.
  package func write(to path: String) throws(SystemCallFailure) {
    let file = try FileDescriptor.open(path, .writing, [.create, .truncate], mode: 0o600)
    try file.writeAll(octets.withLock { $0 })
    try file.finish()
  }
}
