import HCI

// ACL data of the host.
extension VirtualController {
  /// The kind of link that Data_Buffer_Overflow names (Core Specification Vol 4, Part E, 7.7.26).
  private static let aclLink: UInt8 = 0x01

  /// Takes an ACL packet into a buffer. Packets of connections that are gone are dropped, as a host may send before it
  /// has heard (4.1.1); one that does not fit is dropped and reported.
  func takeData(_ bytes: consuming [UInt8]) {
    guard bytes.count >= ACLPacket.headerLength else { return }
    let head = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    let length = Int(bytes[2]) | Int(bytes[3]) << 8
    guard length == bytes.count - ACLPacket.headerLength, let end = link(ConnectionHandle(head & 0x0FFF)) else {
      return
    }
    guard length <= Int(profile.bufferOctets), packetsInBuffers < Int(profile.bufferCount) else {
      return emit(.dataBufferOverflow(Self.aclLink))
    }
    guard length > 0, !end.isTerminating else {
      // There is nothing to send, so its buffer is free at once.
      return emit(.numberOfCompletedPackets([CompletedPackets(end.handle, 1)]))
    }
    end.enqueue(bytes, isContinuation: head >> 12 & 0b11 == UInt16(PacketBoundary.continuing.rawValue))
  }
}
