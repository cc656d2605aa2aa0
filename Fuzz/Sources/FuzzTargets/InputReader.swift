/// Takes an input apart into what a target does with it; where it ends, zeros follow.
struct InputReader {
  private var rest: ArraySlice<UInt8>

  init(_ octets: [UInt8]) { rest = octets[...] }

  /// Whether nothing is left.
  var isAtEnd: Bool { rest.isEmpty }

  /// The next octet.
  mutating func octet() -> UInt8 { rest.popFirst() ?? 0 }

  /// The next two octets as a number, least significant first.
  mutating func halfword() -> UInt16 { UInt16(octet()) | UInt16(octet()) << 8 }

  /// The next four octets as a number, least significant first.
  mutating func word() -> UInt32 { UInt32(halfword()) | UInt32(halfword()) << 16 }

  /// The next octets, fewer at the end.
  mutating func octets(_ count: Int) -> [UInt8] {
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }

  /// As many octets as the next one says.
  mutating func counted() -> [UInt8] { octets(Int(octet())) }
}
