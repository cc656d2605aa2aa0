import Bytes
import FirmwareImages

/// Images that a build left: Intel HEX, ELF with symbols, and the lines of its source.
enum FirmwareImageTarget {
  /// Octets of an image that are written as Intel HEX to be read again.
  private static let copyLimit = 1 << 16

  static func image(_ octets: [UInt8]) -> Bool {
    guard let image = try? FirmwareImage(octets, name: "input") else { return false }
    check(image)
    _ = try? image.check(start: 0x2_6000, flashSize: 0x8_0000, ramSize: 0x1_0000)
    for symbol in image.symbols.functions.prefix(64) {
      precondition(!image.symbols.place(symbol.address &+ 2).isEmpty, "a place has no words")
      _ = image.symbols.isCode(symbol.address)
    }
    guard image.segments.reduce(0, { $0 + $1.octets.count }) <= copyLimit else { return true }
    let copy = try? FirmwareImage(hex(image), name: "copy")
    precondition(copy?.digest == image.digest, "an image changes on its way through Intel HEX")
    return true
  }

  private static func check(_ image: FirmwareImage) {
    precondition(!image.segments.isEmpty, "an image without octets is accepted")
    for (one, other) in zip(image.segments, image.segments.dropFirst()) {
      precondition(UInt64(one.address) + UInt64(one.octets.count) < UInt64(other.address), "segments overlap")
    }
    for segment in image.segments {
      let end = UInt64(segment.address) + UInt64(segment.octets.count)
      precondition(end <= 1 << 32, "a segment leaves the address space")
      precondition(image.holds(segment.address), "an image does not hold what it begins with")
      _ = image.halfWord(at: segment.address)
      _ = image.symbols.lines.line(at: segment.address)
    }
  }

  /// The image as Intel HEX.
  private static func hex(_ image: FirmwareImage) -> [UInt8] {
    var text = ""
    for segment in image.segments {
      for start in stride(from: 0, to: segment.octets.count, by: 16) {
        let address = segment.address + UInt32(start)
        let piece = segment.octets[start..<min(start + 16, segment.octets.count)]
        text += record(4, 0, [UInt8(truncatingIfNeeded: address >> 24), UInt8(truncatingIfNeeded: address >> 16)])
        text += record(0, UInt16(truncatingIfNeeded: address), Array(piece))
      }
    }
    return Array((text + record(1, 0, [])).utf8)
  }

  private static func record(_ kind: UInt8, _ address: UInt16, _ content: [UInt8]) -> String {
    let octets =
      [UInt8(content.count), UInt8(address >> 8), UInt8(truncatingIfNeeded: address), kind] + content
    let sum = octets.reduce(UInt8(0)) { $0 &+ $1 }
    return ":" + Hexadecimal.string(octets + [0 &- sum]).uppercased() + "\n"
  }
}
