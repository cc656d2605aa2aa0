import Text
import Verdicts

extension ReportFolder {
  /// Octets of a capture that are copied at most.
  private static let captureLimit = 1 << 30

  /// Copies the captures of a run from the folder of its reports, which may name anything: only files of its own folder
  /// of captures are read.
  package func copyCaptures(of run: RunReport, from folder: String) throws(ReportFailure) {
    for capture in run.captures {
      try Self.checkCapture(capture)
      let octets = try ReportFile.contents(folder + "/" + capture, limit: Self.captureLimit)
      try makeCaptures()
      let file = try ReportFile(path + "/" + capture, isPrivate: run.isUncovered)
      try file.write(octets)
      try file.commit()
    }
  }
  /// Throws unless a name of a report is that of a file in its own folder of captures.
  package static func checkCapture(_ name: String) throws(ReportFailure) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "captures", !parts[1].isEmpty, !parts[1].hasPrefix(".") else {
      throw ReportFailure(operation: "copy the capture", path: PlainText.escaped(name), code: .invalidArgument)
    }
  }
}

extension RunReport {
  /// Every capture of the run and of its bench's health, as the report names them, each once.
  package var captures: [String] {
    var names: [String] = []
    let all = scenarios.compactMap(\.capture) + (bench?.health.compactMap(\.capture) ?? [])
    for name in all where !names.contains(name) { names.append(name) }
    return names
  }
}
