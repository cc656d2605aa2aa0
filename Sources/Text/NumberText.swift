/// Whole numbers for people.
package enum NumberText {
  /// The number with a comma before each group of three digits: `1,048,576`.
  package static func grouped(_ number: some BinaryInteger) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// `1 octet`, `42,000 octets`.
  package static func octets(_ number: some BinaryInteger) -> String {
    "\(grouped(number)) octet\(number == 1 ? "" : "s")"
  }
}
