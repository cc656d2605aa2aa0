import Text
import Verdicts

extension ReportFolder {
  /// Octets of a capture that are copied at most.
  private static let captureLimit = 1 << 30

  /// Copies the captures of a run from the folder of its reports, which may name anything: only files of its own folder
  /// of captures are read. `number` is that of the run among several parts of one; captures of their benches' health have
  /// it in their names.
  package func copyCaptures(
    of run: RunReport, from folder: String, ofPart number: Int? = nil
  ) throws(ReportFailure) {
    for name in run.scenarioCaptures { try copy(name, of: run, from: folder, as: name) }
    for name in run.healthCaptures {
      try copy(name, of: run, from: folder, as: HealthReport.captureName(name, ofPart: number))
    }
  }

  private func copy(
    _ capture: String, of run: RunReport, from folder: String, as name: String
  ) throws(ReportFailure) {
    try Self.checkCapture(capture)
    let octets = try ReportFile.contents(folder + "/" + capture, limit: Self.captureLimit)
    try makeCaptures()
    let file = try ReportFile(path + "/" + name, isPrivate: run.isUncovered)
    try file.write(octets)
    try file.commit()
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
  /// Every capture of the run and of its benches' health, as the report names them, each once.
  package var captures: [String] {
    var names: [String] = []
    for name in scenarioCaptures + healthCaptures where !names.contains(name) { names.append(name) }
    return names
  }

  fileprivate var scenarioCaptures: [String] { scenarios.compactMap(\.capture) }
  fileprivate var healthCaptures: [String] { benches.flatMap(\.health).compactMap(\.capture) }
}
