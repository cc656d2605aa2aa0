import Verdicts

/// All reports of one run.
package struct ReportSet: Sendable {
  private let writers: [any RunReportWriter]

  /// Names of all formats, in the order in which they are written.
  package static var names: [String] { RunReportWriterCatalogue.all.map { $0.name } }

  /// The formats among `names` that need a folder.
  package static func needingFolder(among names: [String]) -> [String] {
    RunReportWriterCatalogue.all.filter { $0.needsFolder && names.contains($0.name) }.map { $0.name }
  }

  /// Begins the chosen reports, or those that are written by default where none is chosen.
  package init(_ names: [String], _ beginning: RunReport, in place: ReportPlace) throws(ReportFailure) {
    var writers: [any RunReportWriter] = []
    for format in RunReportWriterCatalogue.all {
      let isPossible = !format.needsFolder || place.folder != nil
      let isChosen = names.isEmpty ? isPossible && format.isDefault(place) : names.contains(format.name)
      if isChosen { writers.append(try format.init(beginning, in: place)) }
    }
    self.writers = writers
  }

  /// Hands on what was logged of a scenario; `number` is its place in the run, from 0. Fails as ``finish(_:)`` does.
  package func take(_ log: ScenarioEventLog, number: Int) throws(ReportFailure) {
    try each { writer throws(ReportFailure) in try writer.take(log, number: number) }
  }

  /// Ends all reports. One that cannot be written keeps no other from being written; the first failure is thrown.
  package func finish(_ report: RunReport) throws(ReportFailure) {
    let story = RunStory(report)
    try each { writer throws(ReportFailure) in try writer.finish(story) }
  }

  private func each(_ write: (any RunReportWriter) throws(ReportFailure) -> Void) throws(ReportFailure) {
    var first: ReportFailure?
    for writer in writers {
      do throws(ReportFailure) { try write(writer) } catch { first = first ?? error }
    }
    if let first { throw first }
  }
}
