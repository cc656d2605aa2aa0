import Bytes

/// The answer to a file info request: the length of a JSON text in two octets, not counting them, and the text.
public struct FileInformation: Hashable, Sendable {
  /// Size of the file in octets, key `s`.
  public var size: UInt32
  /// Samples a second, key `f`; only the firmware's built-in test file system sends it.
  public var sampleRate: UInt32?
  /// Codec number, key `c`; only the firmware's built-in test file system sends it.
  public var codec: UInt32?

  private static let sizeMember = WireMember("s", "size")
  private static let sampleRateMember = WireMember("f", "sample rate")
  private static let codecMember = WireMember("c", "codec")

  private static let head = WireLayout("file info", [WireField("length", .length(octets: 2, countsItself: false))])

  /// The notification.
  public static let layout = WireLayout(
    head.name, head.fields + [WireField("text", .object([sizeMember, sampleRateMember, codecMember]))])

  /// The longest value of the characteristic.
  public static let maximumLength = 32

  /// Describes a file of `size` octets.
  public init(size: UInt32, sampleRate: UInt32? = nil, codec: UInt32? = nil) {
    self.size = size
    self.sampleRate = sampleRate
    self.codec = codec
  }

  /// The octets of the notification.
  public var encoded: [UInt8] {
    let members = [(Self.sizeMember, size), (Self.sampleRateMember, sampleRate), (Self.codecMember, codec)]
    let written = members.compactMap { member, value in value.map { "\"\(member.key)\":\($0)" } }
    let text = "{" + written.joined(separator: ",") + "}"
    var writer = ByteWriter(capacity: Self.maximumLength)
    writer.write(UInt16(text.utf8.count))
    writer.write(Array(text.utf8))
    return writer.bytes
  }

  /// Reads a notification. Throws when the length does not fit, the text is not a flat JSON object of numbers,
  /// a key occurs twice, or `s` is missing. Keys other than `s`, `f` and `c` are passed over.
  public init(decoding octets: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(octets.span)
    _ = try reader.readNumbers(Self.head)
    let members = try FlatObject(octets, from: reader.offset).members
    var found: [[UInt8]: UInt32] = [:]
    for member in members where member.key.count == 1 {
      guard found.updateValue(member.value, forKey: member.key) == nil else {
        throw DecodingFailure(.invalid(value: UInt64(member.key[0])), field: "file info key", offset: member.offset)
      }
    }
    func value(_ member: WireMember) -> UInt32? { found[Array(member.key.utf8)] }
    guard let size = value(Self.sizeMember) else {
      throw DecodingFailure(.truncated(needed: 1, available: 0), field: "file info size", offset: octets.count)
    }
    self.init(size: size, sampleRate: value(Self.sampleRateMember), codec: value(Self.codecMember))
  }
}

/// The JSON that the firmware writes: one object whose members are unsigned decimal numbers.
private struct FlatObject {
  struct Member {
    var key: [UInt8]
    var value: UInt32
    var offset: Int
  }

  private let octets: [UInt8]
  private var position: Int
  private(set) var members: [Member] = []

  init(_ octets: [UInt8], from start: Int) throws(DecodingFailure) {
    self.octets = octets
    position = start
    try expect(UInt8(ascii: "{"))
    if peek() == UInt8(ascii: "}") {
      position += 1
    } else {
      repeat {
        let key = try key()
        try expect(UInt8(ascii: ":"))
        members.append(Member(key: key, value: try number(), offset: position))
      } while try separator()
    }
    skipBlanks()
    guard position == octets.count else { throw unexpected() }
  }

  private mutating func skipBlanks() {
    while position < octets.count, [0x20, 0x09, 0x0A, 0x0D].contains(octets[position]) { position += 1 }
  }

  private mutating func peek() -> UInt8? {
    skipBlanks()
    return position < octets.count ? octets[position] : nil
  }

  private func unexpected() -> DecodingFailure {
    guard position < octets.count else {
      return DecodingFailure(.truncated(needed: 1, available: 0), field: "file info text", offset: position)
    }
    return DecodingFailure(.invalid(value: UInt64(octets[position])), field: "file info text", offset: position)
  }

  private mutating func expect(_ character: UInt8) throws(DecodingFailure) {
    guard peek() == character else { throw unexpected() }
    position += 1
  }

  /// Whether another member follows.
  private mutating func separator() throws(DecodingFailure) -> Bool {
    if peek() == UInt8(ascii: ",") {
      position += 1
      return true
    }
    try expect(UInt8(ascii: "}"))
    return false
  }

  private mutating func key() throws(DecodingFailure) -> [UInt8] {
    try expect(UInt8(ascii: "\""))
    let start = position
    while position < octets.count, octets[position] != UInt8(ascii: "\"") {
      guard octets[position] >= 0x20, octets[position] != UInt8(ascii: "\\") else { throw unexpected() }
      position += 1
    }
    let key = Array(octets[start..<position])
    guard position < octets.count else { throw unexpected() }
    position += 1
    return key
  }

  private mutating func number() throws(DecodingFailure) -> UInt32 {
    guard let first = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { throw unexpected() }
    var value: UInt32 = 0
    while position < octets.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octets[position]) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt32(octets[position] - UInt8(ascii: "0")))
      guard !overflow, !carry else { throw unexpected() }
      value = sum
      position += 1
    }
    return value
  }
}
