/// A structure in guest memory, read as a whole. Fields are named by their offsets, all below the size it was read with.
struct GuestStructure {
  let octets: [UInt8]

  func u8(_ offset: Int) -> UInt8 { octets[offset] }
  func u16(_ offset: Int) -> UInt16 { UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8 }
  func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }
  func part(_ offset: Int, _ count: Int) -> [UInt8] { Array(octets[offset..<offset + count]) }
}

/// A structure for guest memory, filled field by field; what is not filled is zero.
struct GuestFields {
  private(set) var octets: [UInt8]

  init(_ size: Int) { octets = Array(repeating: 0, count: size) }

  mutating func put(_ value: UInt8, at offset: Int) { octets[offset] = value }
  mutating func put(_ value: UInt16, at offset: Int) {
    octets[offset] = UInt8(truncatingIfNeeded: value)
    octets[offset + 1] = UInt8(value >> 8)
  }
  mutating func put(_ value: UInt32, at offset: Int) {
    put(UInt16(truncatingIfNeeded: value), at: offset)
    put(UInt16(value >> 16), at: offset + 2)
  }
  mutating func put(_ value: [UInt8], at offset: Int) {
    octets.replaceSubrange(offset..<offset + value.count, with: value)
  }
}
