import DictofunProtocol

/// The progress of sending a record.
struct FileDataTransfer: Hashable, Sendable {
  /// How a deliberate fault disturbs a transfer at this point.
  enum Interference {
    case none
    case silence
    case disconnection
  }

  /// Index of the record in the table.
  let index: Int
  /// Octets of the record.
  let size: Int
  /// Octets sent.
  private(set) var offset = 0
  /// Whether the one empty notification of an empty record, or the last of another, was handed over.
  private(set) var isComplete = false

  init(index: Int, size: Int) {
    self.index = index
    self.size = size
  }

  /// Whether the next packet begins a block, which must be read from flash first.
  var needsBlock: Bool { offset % FileDataLayout.blockLength == 0 }

  /// The next packet, at most 200 octets and never beyond the current block: a part of the content, where it lies.
  func packet(of content: [UInt8], _ faults: TransferFaults) -> ArraySlice<UInt8> {
    let blockEnd = min(offset - offset % FileDataLayout.blockLength + FileDataLayout.blockLength, size)
    let end = min(offset + (faults.packetLength ?? FileDataLayout.maximumPacketLength), blockEnd)
    var packet = content[offset..<end]
    if let flipped = faults.flippedOffset, (offset..<end).contains(flipped) { packet[flipped] ^= 1 }
    return packet
  }

  /// Notes that `octets` were handed over.
  mutating func advance(by octets: Int) {
    offset += octets
    isComplete = offset >= size
  }

  /// What the faults do before the next packet; a packet that is left out is passed over here.
  mutating func interference(_ faults: TransferFaults) -> Interference {
    if let end = faults.disconnectionOffset, offset >= end { return .disconnection }
    if let end = faults.silenceOffset, offset >= end { return .silence }
    if offset == faults.skippedOffset, offset + FileDataLayout.maximumPacketLength < size {
      offset += FileDataLayout.maximumPacketLength
    }
    return .none
  }
}
