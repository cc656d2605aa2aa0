import System
import Verdicts

/// The event logs of the shards of a run, put together to the log of the whole run.
package enum MergedEvents {
  /// Writes `events.ndjson` of a merged run: the lines of the scenarios of each folder, in that order and numbered anew.
  /// A folder without a log adds nothing, and where no folder has one no file is written.
  package static func write(_ run: RunReport, from folders: [String], to folder: ReportFolder) throws(ReportFailure) {
    let paths = folders.map { $0 + "/" + EventReport.fileName }.filter { FileSystem.may(.read, $0) }
    guard !paths.isEmpty else { return }
    let file = try ReportFile(folder.path + "/" + EventReport.fileName, isPrivate: run.isUncovered)
    var lines = EventLines()
    try file.write(lines.beginning(of: run))
    for path in paths {
      let octets = try ReportFile.contents(path, limit: RecordedEvents.limit)
      var rests = EventLines.Rests()
      for line in octets.split(separator: 0x0A) {
        if let rest = Self.rest(of: line) { rests.append { $0 += rest } }
      }
      try file.write(lines.numbered(rests))
    }
    try file.write(lines.end(of: run))
    try file.commit()
  }

  /// A line of a scenario without its number and version; `nil` for the lines that begin and end a file.
  private static func rest(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.contains(Self.scenario), let start = line.firstRange(of: Self.time)?.lowerBound else { return nil }
    return line[start...]
  }

  private static let time = Array("\"t_virtual_us\"".utf8)
  private static let scenario = Array("\"scenario\":".utf8)
}
