import Glibc

/// A speed of serial lines that the system knows.
package struct SerialSpeed: Hashable, Sendable {
  /// Bits per second.
  package let bitsPerSecond: UInt32
  let code: speed_t

  private init(_ bitsPerSecond: UInt32, _ code: Int32) {
    self.bitsPerSecond = bitsPerSecond
    self.code = speed_t(code)
  }

  /// The speed with this many bits per second; `nil` where the system has none.
  package init?(_ bitsPerSecond: UInt32) {
    guard let known = Self.all.first(where: { $0.bitsPerSecond == bitsPerSecond }) else { return nil }
    self = known
  }

  /// All speeds, slowest first.
  package static let all = [
    SerialSpeed(9_600, B9600), SerialSpeed(19_200, B19200), SerialSpeed(38_400, B38400), SerialSpeed(57_600, B57600),
    SerialSpeed(115_200, B115200), SerialSpeed(230_400, B230400), SerialSpeed(460_800, B460800),
    SerialSpeed(500_000, B500000), SerialSpeed(576_000, B576000), SerialSpeed(921_600, B921600),
    SerialSpeed(1_000_000, B1000000), SerialSpeed(1_152_000, B1152000), SerialSpeed(1_500_000, B1500000),
    SerialSpeed(2_000_000, B2000000), SerialSpeed(2_500_000, B2500000), SerialSpeed(3_000_000, B3000000),
    SerialSpeed(3_500_000, B3500000), SerialSpeed(4_000_000, B4000000),
  ]

  /// The next speeds below and above one that the system does not have.
  package static func nearest(to bitsPerSecond: UInt32) -> [UInt32] {
    [all.last { $0.bitsPerSecond < bitsPerSecond }, all.first { $0.bitsPerSecond > bitsPerSecond }]
      .compactMap(\.?.bitsPerSecond)
  }
}
