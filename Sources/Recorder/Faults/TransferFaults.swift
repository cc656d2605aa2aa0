import DictofunProtocol

/// What can be wrong with answers other than the files list, and with the octets of a record on their way.
package struct TransferFaults: Hashable, Sendable {
  /// Octets by which the size of a record is overstated.
  package var sizeExcess = 0
  /// Octets of the longest packet of a record; `nil` for the documented number.
  package var packetLength: Int?
  /// Octets by which the free space is overstated.
  package var freeSpaceExcess = 0
  /// Offset of an octet whose lowest bit is sent inverted; `nil` for none.
  package var flippedOffset: Int?
  /// Offset of a packet that is left out where it begins there and is not the last; `nil` for none.
  package var skippedOffset: Int?
  /// Offset from which nothing more is sent; `nil` for none.
  package var silenceOffset: Int?
  /// Offset at which the recorder ends the link; `nil` for none.
  package var disconnectionOffset: Int?

  /// No fault.
  package init() {}
}

extension RecorderFault {
  /// Where a transfer stops: four blocks have been sent.
  private static let stopOffset = 4 * FileDataLayout.blockLength
  /// An octet in the second block.
  private static let flippedOffset = 300

  /// A tenth less than documented.
  private static let shorterPacket = 180

  static let ofTransfers = [
    RecorderFault("short-packets", "The packets of a record have 180 octets instead of 200.") {
      $0.transfer.packetLength = shorterPacket
    },
    RecorderFault("size-overstated", "The stated size of a record is one frame too long.") {
      $0.transfer.sizeExcess += RecordAudio.octetsPerFrame
    },
    RecorderFault("size-understated", "The stated size of a record is one frame too short.") {
      $0.transfer.sizeExcess -= RecordAudio.octetsPerFrame
    },
    RecorderFault("free-space-overstated", "The free space is overstated by one page.") {
      $0.transfer.freeSpaceExcess = FileSystemGeometry.pageBytes
    },
    RecorderFault("data-byte-flipped", "One bit of a record is wrong.") { $0.transfer.flippedOffset = flippedOffset },
    RecorderFault("skips-packet", "A packet in the middle of a record is never sent.") {
      $0.transfer.skippedOffset = FileDataLayout.blockLength
    },
    RecorderFault("stops-mid-transfer", "A transfer stops without an error.") {
      $0.transfer.silenceOffset = stopOffset
    },
    RecorderFault("disconnects-mid-transfer", "The recorder ends the link in the middle of a transfer.") {
      $0.transfer.disconnectionOffset = stopOffset
    },
  ]
}
