/// Captures that commands read.
enum CaptureFiles {
  /// The octets of a capture.
  static func octets(_ path: String) throws(UsageFailure) -> [UInt8] { try LimitedFile.octets(path) }
}
