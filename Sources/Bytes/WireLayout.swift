/// How one part of a message stands on the air.
///
/// Codecs read and write by these descriptions, and what explains captures in other programs is made of them, so that
/// names, sizes and values stand in one place.
public struct WireField: Sendable {
  /// What the part is.
  public enum Kind: Sendable {
    /// A number of 1, 2 or 4 octets, least significant first, in a unit where it has one.
    case number(octets: Int, unit: String)
    /// A number, this many octets long, that counts the octets of the message: all of them, or only those that follow it.
    case length(octets: Int, countsItself: Bool)
    /// One octet that says what follows.
    case choice([WireChoice])
    /// So many octets of ASCII.
    case text(octets: Int)
    /// The same parts again and again, up to the end.
    case repeated([WireField])
    /// A JSON object of numbers, up to the end: its keys, and what they mean.
    case object([WireMember])
    /// Whatever is left.
    case rest
  }

  /// What the part is called.
  public let name: String
  /// What it is.
  public let kind: Kind
  /// The largest number that its specification allows; `nil` for any that fits.
  public let maximum: UInt32?

  /// A part of a message. `maximum` is for numbers.
  public init(_ name: String, _ kind: Kind, maximum: UInt32? = nil) {
    self.name = name
    self.kind = kind
    self.maximum = maximum
  }

  /// A number of 1, 2 or 4 octets.
  public static func number(_ name: String, octets: Int = 1, unit: String = "", maximum: UInt32? = nil) -> WireField {
    WireField(name, .number(octets: octets, unit: unit), maximum: maximum)
  }

  /// Octets of a number; `nil` for what is none.
  var numberWidth: Int? {
    switch kind {
    case .number(let octets, _), .length(let octets, _): octets
    default: nil
    }
  }
}

/// One value of an octet, and what stands behind it.
public struct WireChoice: Sendable {
  /// The octet.
  public let value: UInt8
  /// What the value means.
  public let name: String
  /// What follows it.
  public let fields: [WireField]

  public init(_ value: UInt8, _ name: String, _ fields: [WireField] = []) {
    self.value = value
    self.name = name
    self.fields = fields
  }

  /// A choice that is called like a case: `listFiles` is "list files".
  public init(_ value: some RawRepresentable<UInt8>, _ fields: [WireField] = []) {
    self.init(value.rawValue, Self.words("\(value)"), fields)
  }

  private static func words(_ name: String) -> String {
    var result = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      let follows = index > 0 && characters[index - 1].isLowercase && character.isUppercase
      let isAcronym = index + 1 < characters.count && characters[index + 1].isUppercase
      result += follows ? " " + (isAcronym ? String(character) : character.lowercased()) : String(character)
    }
    return result
  }
}

/// One member of a JSON object.
public struct WireMember: Sendable {
  /// Its key.
  public let key: String
  /// What it means.
  public let name: String

  public init(_ key: String, _ name: String) {
    self.key = key
    self.name = name
  }
}

/// What a whole message is made of.
public struct WireLayout: Sendable {
  /// What the message is called.
  public let name: String
  /// Its parts, in their order.
  public let fields: [WireField]

  public init(_ name: String, _ fields: [WireField]) {
    self.name = name
    self.fields = fields
  }

  /// The octets of a message that is made of numbers only, one for each part; lengths are counted, and the numbers for
  /// them are passed over. Traps where the parts are others.
  public func octets(of numbers: [UInt32]) -> [UInt8] {
    precondition(numbers.count == fields.count, "one number for each part")
    let widths = fields.map { field in
      guard let width = field.numberWidth else { preconditionFailure("\(name): \(field.name) is not a number") }
      return width
    }
    var writer = ByteWriter(capacity: widths.reduce(0, +))
    for (index, field) in fields.enumerated() {
      var number = numbers[index]
      if case .length(_, let countsItself) = field.kind {
        number = UInt32(widths[(countsItself ? index : index + 1)...].reduce(0, +))
      }
      for octet in 0..<widths[index] { writer.write(UInt8(truncatingIfNeeded: number >> UInt32(8 * octet))) }
    }
    return writer.bytes
  }

  /// The numbers of a message that is made of numbers only. Throws where octets are missing or left over, a number is
  /// beyond its maximum, or a length is wrong.
  public func numbers(of octets: [UInt8]) throws(DecodingFailure) -> [UInt32] {
    var reader = ByteReader(octets.span)
    let numbers = try reader.readNumbers(self)
    guard reader.isAtEnd else {
      throw DecodingFailure(.trailing(count: reader.remaining), field: name, offset: reader.offset)
    }
    return numbers
  }
}

extension ByteReader {
  /// Reads the parts of a message, or of its beginning, that are numbers. Throws where octets are missing, a number is
  /// beyond its maximum, or a length is wrong. Traps at a part that is not a number.
  public mutating func readNumbers(_ layout: WireLayout) throws(DecodingFailure) -> [UInt32] {
    var numbers: [UInt32] = []
    for field in layout.fields {
      let (begin, left) = (offset, remaining)
      guard let width = field.numberWidth else { preconditionFailure("\(layout.name): \(field.name) is not a number") }
      let name = "\(layout.name) \(field.name)"
      guard left >= width else {
        throw DecodingFailure(.truncated(needed: width, available: left), field: name, offset: begin)
      }
      var number: UInt32 = 0
      for octet in 0..<width { number |= UInt32(try readUInt8("number")) << UInt32(8 * octet) }
      var isGood = number <= field.maximum ?? .max
      if case .length(_, let countsItself) = field.kind { isGood = Int(number) == (countsItself ? left : remaining) }
      guard isGood else { throw DecodingFailure(.invalid(value: UInt64(number)), field: name, offset: begin) }
      numbers.append(number)
    }
    return numbers
  }
}
