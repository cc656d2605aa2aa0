import Bench
import Text

/// Compares what a bench file states of its recorders' firmware with the firmware that is to be qualified. The bench makes
/// sure of what its file states before the first scenario.
enum BenchFirmware {
  /// Why it is not certain that every recorder runs the firmware; `nil` where it is.
  ///
  /// - Throws: ``UsageFailure`` where a recorder runs something else.
  static func doubt(_ firmware: QualifiedFirmware, on target: HardwareTarget) throws(UsageFailure) -> String? {
    var unidentified: [String] = []
    for recorder in target.recorders where try !identifies(firmware, on: recorder) {
      unidentified.append("\(recorder.address)")
    }
    if unidentified.isEmpty, !target.recorders.isEmpty { return nil }
    let names = unidentified.isEmpty ? "a recorder" : "recorder " + Wording.list(unidentified, "and")
    return "nothing identifies the firmware of \(names): the bench file needs `image` under `flash` or `console`"
  }

  /// Whether what the bench file states of a recorder identifies the firmware.
  private static func identifies(
    _ firmware: QualifiedFirmware, on recorder: RecorderPlace
  ) throws(UsageFailure) -> Bool {
    // A file that only the probe can read tells nothing.
    if let path = recorder.flashImage, let flash = try? ImageFiles.file(path) {
      guard firmware.stands(in: flash) == true else {
        throw UsageFailure(
          "the flash of recorder \(recorder.address) gets \(PlainText.escaped(path)), which does not hold \(firmware.name); "
            + "expected the firmware of --firmware at `flash: image` of the bench file")
      }
      return true
    }
    guard let text = recorder.bannerImage, isDigest(text) else { return false }
    guard firmware.names(text) else {
      throw UsageFailure(
        "the console of recorder \(recorder.address) must name \(PlainText.escaped(text)), which is not in "
          + "\(firmware.name); expected what the banner of --firmware names at `console: image` of the bench file")
    }
    return true
  }

  /// Whether a text is a commit or a digest: another word may stand in any firmware.
  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count >= shortestDigest && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  /// Git shows at least this many digits of a commit.
  private static let shortestDigest = 7
}
