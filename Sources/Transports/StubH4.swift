import HCI
struct H4StreamDecoder {
  enum F: Error, CustomStringConvertible { case bad(UInt8); var description: String { "bad" } }
  var buf: [UInt8] = []
  var isBetweenPackets: Bool { buf.isEmpty }
  mutating func append(_ b: ArraySlice<UInt8>) { buf += b }
  mutating func next() throws(F) -> HCIPacket? {
    guard let t = buf.first else { return nil }
    guard let k = HCIPacket.Kind(rawValue: t) else { throw .bad(t) }
    let h = k == .event ? 2 : k == .acl ? 4 : 3
    guard buf.count > h else { return nil }
    let n = k == .acl ? Int(buf[3]) | Int(buf[4]) << 8 : Int(buf[h])
    guard buf.count >= 1 + h + n else { return nil }
    defer { buf.removeFirst(1 + h + n) }
    return HCIPacket(k, Array(buf[1..<(1 + h + n)]))
  }
}
