import Bytes
import Synchronization
import Verdicts

/// A trace page for each scenario that did not pass, or for all, and an index of them.
final class TraceReport: RunReportWriter {
  static let name = "trace"
  static let needsFolder = true
  static func isDefault(_ place: ReportPlace) -> Bool { place.pages != .none }

  /// Folder of the pages, below that of the reports.
  static let folderName = "pages"
  /// Pages that are written; the index says how many are missing.
  static let pageLimit = 200

  private let folder: ReportFolder
  private let place: ReportPlace
  private let beginning: RunReport
  /// The names of the pages' files, by their numbers in the run.
  private let written = Mutex<[Int: String]>([:])

  init(_ beginning: RunReport, in place: ReportPlace) throws(ReportFailure) {
    guard let folder = place.folder else { throw ReportFailure.withoutFolder(Self.name) }
    self.folder = try ReportFolder(folder.path + "/" + Self.folderName)
    // A page of an older failure would be taken for one of this run.
    self.folder.removeFiles(endingWith: ".html")
    self.place = place
    self.beginning = beginning
  }

  func take(_ log: ScenarioEventLog, number: Int) throws(ReportFailure) {
    guard let report = log.report, place.pages == .all || !report.verdict.isExpected else { return }
    let file = ReportFolder.fileName(report.name) + (report.repetition == 0 ? "" : ".\(report.repetition)") + ".html"
    let isWanted = written.withLock { written in
      guard written.count < Self.pageLimit else { return false }
      written[number] = file
      return true
    }
    guard isWanted else { return }
    let story = ScenarioStory(report, isSimulated: beginning.isSimulated)
    let page = TracePage(log: log, story: story, run: beginning, filePrefix: place.filePrefix)
    try folder.write(file, page.octets)
  }

  func finish(_ story: RunStory) throws(ReportFailure) {
    let pages = written.withLock { written in written.sorted { $0.key < $1.key }.map(\.value) }
    try folder.write("index.html", IndexPage(story: story, pages: pages).octets)
  }
}
