/// Captures of what happens in virtual time.
package enum VirtualCapture {
  /// When every run is put to begin, in microseconds since 1970: 2024-01-01 00:00:00 UTC.
  package static let beginning: Int64 = 1_704_067_200_000_000

  /// Microseconds since 1970 of a moment by its nanoseconds since the beginning of its run.
  package static func unixMicroseconds(nanoseconds: UInt64) -> Int64 { beginning + Int64(nanoseconds / 1_000) }
}
