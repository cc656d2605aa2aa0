/// How distance weakens a signal at 2.4 GHz, in whole numbers so that every machine computes the same.
enum PathLoss {
  /// Free-space loss in dB at powers of two of 125 mm, beginning there; 6 dB each doubling.
  private static let lossAtFirst = 22
  private static let firstMillimetres = 125
  private static let lossPerDoubling = 6
  /// Below this strength in dBm nothing is heard.
  static let sensitivity = -95
  /// All packets, in parts per million.
  private static let allPackets: UInt32 = 1_000_000
  /// Packets lost in a million at 0, 1, … dB above the sensitivity; none above these.
  private static let lossInMargin: [UInt32] = [
    900_000, 700_000, 450_000, 250_000, 120_000, 50_000, 15_000, 3_000,
  ]

  /// Loss in dB over a distance: whole doublings, and between them straight lines.
  static func decibels(millimetres: Int) -> Int {
    var loss = lossAtFirst
    var distance = max(millimetres, firstMillimetres)
    while distance >= 2 * firstMillimetres {
      distance /= 2
      loss += lossPerDoubling
    }
    return loss + lossPerDoubling * (distance - firstMillimetres) / firstMillimetres
  }

  /// Packets lost in a million at this strength.
  static func lossPartsPerMillion(signalStrength: Int) -> UInt32 {
    let margin = signalStrength - sensitivity
    if margin < 0 { return allPackets }
    return margin < lossInMargin.count ? lossInMargin[margin] : 0
  }
}
