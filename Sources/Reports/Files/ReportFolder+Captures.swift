import Text
import Verdicts

extension ReportFolder {
  /// Octets of a capture that are copied at most.
  private static let captureLimit = 1 << 30

  /// Copies the captures of a run from the folder of its reports, which may name anything: only files of its own folder
  /// of captures are read.
  package func copyCaptures(of run: RunReport, from folder: String) throws(ReportFailure) {
    let health = run.bench?.health.compactMap(\.capture) ?? []
    for capture in run.scenarios.compactMap(\.capture) + health {
      let parts = capture.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == "captures", !parts[1].isEmpty, !parts[1].hasPrefix(".") else {
        throw ReportFailure(operation: "copy the capture", path: PlainText.escaped(capture), code: .invalidArgument)
      }
      let octets = try ReportFile.contents(folder + "/" + capture, limit: Self.captureLimit)
      try makeCaptures()
      let file = try ReportFile(path + "/" + capture, isPrivate: run.isUncovered)
      try file.write(octets)
      try file.commit()
    }
  }
}
