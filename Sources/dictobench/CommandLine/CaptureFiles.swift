import Foundation

/// Captures that commands read.
enum CaptureFiles {
  /// The octets of a capture.
  static func octets(_ path: String) throws(UsageFailure) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else { throw UsageFailure("cannot read \(path)") }
    return Array(data)
  }
}
