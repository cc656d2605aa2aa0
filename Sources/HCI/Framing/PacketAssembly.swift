/// Puts packets of one kind together from the pieces in which USB carries them (Core Specification Vol 4, Part B, 2.1):
/// each endpoint has one kind, and nothing marks where a packet begins but the end of the one before.
public struct PacketAssembly: Sendable {
  /// Kind of the packets on this endpoint: events or ACL data.
  public let kind: HCIPacket.Kind
  private let dataLimit: Int
  private var collected: [UInt8] = []

  /// Nothing collected yet; ACL packets of more than `dataLimit` octets of data are refused.
  public init(_ kind: HCIPacket.Kind, dataLimit: Int = H4Decoder.defaultDataLimit) {
    precondition(kind == .event || kind == .acl, "only events and ACL data come on endpoints of their own")
    self.kind = kind
    self.dataLimit = dataLimit
  }

  /// Whether nothing of a packet is waiting for its end.
  public var isBetweenPackets: Bool { collected.isEmpty }

  /// Takes what one transfer brought and appends the packets that it completes.
  ///
  /// - Throws: ``H4Violation/tooLong(_:length:limit:)`` for a packet that announces more than is accepted; nothing is
  ///   kept then.
  public mutating func feed(_ octets: some Collection<UInt8>, _ packets: inout [HCIPacket]) throws(H4Violation) {
    for octet in octets {
      collected.append(octet)
      guard let needed = try lengthNeeded(), collected.count == needed else { continue }
      packets.append(HCIPacket(kind, collected))
      collected = []
    }
  }

  /// Forgets a packet whose rest will not come, because its endpoint was halted.
  public mutating func discard() { collected.removeAll(keepingCapacity: true) }

  /// Forgets what came in one transfer behind a whole packet and is too short for the header of another. A packet begins
  /// with a transfer, but some controllers (Barrot's) send an octet too many.
  public mutating func discardStrayOctet() {
    if collected.count == 1 { discard() }
  }

  /// Octets of the whole packet, once its header tells.
  private mutating func lengthNeeded() throws(H4Violation) -> Int? {
    if kind == .event { return collected.count < 2 ? nil : 2 + Int(collected[1]) }
    guard collected.count >= ACLPacket.headerLength else { return nil }
    let length = Int(collected[2]) | Int(collected[3]) << 8
    guard length <= dataLimit else {
      discard()
      throw .tooLong(kind, length: length, limit: dataLimit)
    }
    return ACLPacket.headerLength + length
  }
}
