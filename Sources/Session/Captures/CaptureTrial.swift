import HCI
import Requirements
import Sniffer
import Verdicts

/// Judges a capture that a command was given.
package struct CaptureTrial {
  /// Why a capture cannot be judged; the text says what to do.
  package struct Failure: Error, CustomStringConvertible {
    /// What is wrong, beginning with the file.
    package let description: String
  }

  private let path: String
  private let source: any CaptureSource
  private let keys: SnifferKeys

  /// Opens a capture; `keys` are long-term keys of 32 hexadecimal digits. Throws when it cannot be read, and for what is
  /// not a key.
  package init(_ path: String, keys: [String] = []) throws(Failure) {
    guard let keys = SnifferKeys(keys) else {
      throw Failure(description: "--key needs the 32 hexadecimal digits of a long-term key")
    }
    self.path = path
    self.keys = keys
    do { source = try CaptureOpening.open(path) } catch { throw Self.failure(error, path) }
  }

  /// Judges the capture. `records` gets every record that passed whole, and `observer` every event, in order. Throws when
  /// the format is not known.
  package func judge(
    records: ((CapturedRecord) -> Void)? = nil, observer: (ProductEvent) -> Void = { _ in }
  ) throws(Failure) -> CaptureReport {
    do { return try CaptureJudge.judge(source, keys: keys, records: records, observer: observer) } catch {
      throw Self.failure(error, path)
    }
  }

  private static func failure(_ failure: CaptureFailure, _ path: String) -> Failure {
    if case .unreadable(let reason) = failure { return Failure(description: "cannot read \(path): \(reason)") }
    return Failure(description: "\(path): \(failure)")
  }
}
