/// Reads the values of DWARF from a part of a section. Every octet comes from a stranger: nothing outside the part is read.
struct DebugCursor {
  /// The part ended within a value, or holds one that DWARF does not have.
  struct Broken: Error {}

  private let octets: [UInt8]
  private(set) var position: Int
  let end: Int

  /// Reads `range` of `octets`, cut to what there is.
  init(_ octets: [UInt8], _ range: Range<Int>) {
    self.octets = octets
    position = min(max(0, range.lowerBound), octets.count)
    end = min(max(position, range.upperBound), octets.count)
  }

  var remaining: Int { end - position }

  mutating func skip(_ count: UInt64) throws(Broken) {
    guard count <= UInt64(remaining) else { throw Broken() }
    position += Int(count)
  }

  mutating func octet() throws(Broken) -> UInt8 {
    guard position < end else { throw Broken() }
    defer { position += 1 }
    return octets[position]
  }

  /// A little-endian number of up to eight octets.
  mutating func number(_ count: Int) throws(Broken) -> UInt64 {
    guard count <= 8, count <= remaining else { throw Broken() }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(octets[position + index]) << UInt64(index * 8) }
    position += count
    return value
  }

  /// An unsigned LEB128 number; bits beyond 64 are dropped.
  mutating func unsigned() throws(Broken) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try octet()
      if shift < 64 { value |= UInt64(next & 0x7F) << shift }
      shift = min(shift + 7, 64)
      if next & 0x80 == 0 { return value }
    }
  }

  /// A signed LEB128 number; bits beyond 64 are dropped.
  mutating func signed() throws(Broken) -> Int64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try octet()
      if shift < 64 { value |= UInt64(next & 0x7F) << shift }
      shift = min(shift + 7, 64)
      guard next & 0x80 == 0 else { continue }
      if shift < 64, next & 0x40 != 0 { value |= UInt64.max << shift }
      return Int64(bitPattern: value)
    }
  }

  /// Skips a text and its final zero; where it began.
  mutating func text() throws(Broken) -> Int {
    let start = position
    while try octet() != 0 {}
    return start
  }
}
