/// A decimal number at the beginning of a text, exact.
struct DecimalNumber {
  private var isNegative: Bool
  /// What stands before the decimal point; `nil` for more digits than fit any limit.
  private var whole: Int64?
  private var decimals: [UInt8]
  /// What follows the number.
  let rest: Substring

  /// More digits before the decimal point, without leading zeros, cannot fit any limit.
  private static let maximumWholeDigits = 18
  private static let maximumDecimals = 12

  /// Reads a sign, digits and decimals; `nil` when `text` begins otherwise or has absurdly many decimals.
  init?(prefixOf text: String) {
    var rest = text[...]
    isNegative = rest.first == "-"
    if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
    let wholeDigits = rest.prefix(while: Self.isDigit)
    guard !wholeDigits.isEmpty else { return nil }
    let counted = wholeDigits.drop { $0 == "0" }
    whole = counted.utf8.count <= Self.maximumWholeDigits ? Int64(wholeDigits) : nil
    rest = rest.dropFirst(wholeDigits.count)
    decimals = []
    if rest.first == "." {
      let digits = rest.dropFirst().prefix(while: Self.isDigit)
      guard !digits.isEmpty, digits.utf8.count <= Self.maximumDecimals else { return nil }
      decimals = digits.utf8.map { $0 - UInt8(ascii: "0") }
      rest = rest.dropFirst(1 + digits.count)
    }
    self.rest = rest
  }

  /// Whether nothing but zeros stands behind a decimal point.
  var isWhole: Bool { decimals.allSatisfy { $0 == 0 } }

  /// The number times `factor`; exact, or a failure.
  func scaled(by factor: Int64) throws(QuantityFailure) -> Int64 {
    let denominator = decimals.reduce(Int128(1)) { product, _ in product * 10 }
    let fraction = decimals.reduce(Int128(0)) { $0 * 10 + Int128($1) }
    let (parts, remainder) = (fraction * Int128(factor)).quotientAndRemainder(dividingBy: denominator)
    guard let whole else { throw .outOfRange }
    guard remainder == 0 else { throw .tooFine }
    guard let amount = Int64(exactly: Int128(whole) * Int128(factor) + parts) else { throw .outOfRange }
    return isNegative ? -amount : amount
  }

  /// Writes `amount` base units as a decimal number of units of `factor` base units, without idle zeros.
  static func text(_ amount: Int64, perUnit factor: Int64) -> String {
    let whole = amount.magnitude / factor.magnitude
    var remainder = amount.magnitude % factor.magnitude
    var digits = ""
    while remainder != 0, digits.utf8.count < maximumDecimals {
      remainder *= 10
      digits += "\(remainder / factor.magnitude)"
      remainder %= factor.magnitude
    }
    return (amount < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
  }

  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
