/// Puts the fragments of one direction of a link together again (Core Specification Vol 3, Part A, 7.2.2).
struct FrameAssembly {
  /// The frame so far, its L2CAP header first; empty while no frame is begun.
  private(set) var octets: [UInt8] = []
  /// Offset in the frame from which it is covered; `Int.max` for nothing, `nil` while too little is known.
  var coveredFrom: Int?

  /// Octets of header and payload, once the length field is there.
  private var expected: Int? {
    octets.count < 4 ? nil : 4 + Int(UInt16(octets[0]) | UInt16(octets[1]) << 8)
  }

  /// Whether a frame is begun and not whole.
  var isRunning: Bool { !octets.isEmpty }

  /// Whether the frame is whole; `nil` when more octets came than it has.
  var isWhole: Bool? {
    guard let expected else { return false }
    return octets.count > expected ? nil : octets.count == expected
  }

  /// Begins a frame with the payload of an ACL packet.
  mutating func begin(_ fragment: ArraySlice<UInt8>) {
    octets.removeAll(keepingCapacity: true)
    octets.append(contentsOf: fragment)
    coveredFrom = nil
  }

  /// Goes on with the payload of a continuing ACL packet.
  mutating func append(_ fragment: ArraySlice<UInt8>) { octets.append(contentsOf: fragment) }

  /// Forgets what was begun.
  mutating func abandon() { octets.removeAll(keepingCapacity: true) }
}
