/// Whole numbers for people.
package enum NumberText {
  /// The number with a comma before each group of three digits: `1,048,576`.
  package static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude).utf8
    var text: [UInt8] = number < 0 ? [UInt8(ascii: "-")] : []
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `1 octet`, `42,000 octets`.
  package static func octets(_ number: some BinaryInteger) -> String {
    "\(grouped(number)) octet\(number == 1 ? "" : "s")"
  }
}
