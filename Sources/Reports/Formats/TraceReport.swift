import Bytes
import Synchronization
import System
import Text
import Verdicts

/// A trace page for each scenario that did not pass, or for all, and an index of them.
final class TraceReport: RunReportWriter {
  static let name = "trace"
  static let needsFolder = true
  static func isDefault(_ place: ReportPlace) -> Bool { place.pages != .none }

  /// Folder of the pages, below that of the reports.
  static let folderName = "pages"
  /// Pages of scenarios that passed, or failed as declared: the first ones of the run have one. What did not pass always
  /// has its page.
  static let passLimit = 200

  private let folder: ReportFolder
  private let place: ReportPlace
  private let beginning: RunReport
  private let pages = Mutex(Pages())

  /// The names of pages' files, by the numbers of their scenarios in the run. Scenarios end in any order.
  private struct Pages {
    var deviant: [Int: String] = [:]
    var passed: [Int: String] = [:]
    /// Of further passes. Some of them may have been written before an earlier scenario ended.
    var left: [String] = []

    /// Takes the page of a pass. Returns whether it belongs to the first ones so far.
    mutating func takesPass(_ number: Int, _ file: String) -> Bool {
      passed[number] = file
      guard passed.count > TraceReport.passLimit, let last = passed.keys.max() else { return true }
      if let file = passed.removeValue(forKey: last) { left.append(file) }
      return last != number
    }
  }

  init(_ beginning: RunReport, in place: ReportPlace) throws(ReportFailure) {
    guard let folder = place.folder else { throw ReportFailure.withoutFolder(Self.name) }
    self.folder = try ReportFolder(folder.path + "/" + Self.folderName)
    // A page of an older failure would be taken for one of this run.
    self.folder.removeFiles(endingWith: ".html", beginningWith: Array(TracePage.beginning.utf8))
    self.place = place
    self.beginning = beginning
  }

  func take(_ log: ScenarioEventLog, number: Int) throws(ReportFailure) {
    guard let report = log.report, place.pages == .all || !report.verdict.isExpected else { return }
    let file = TracePage.fileName(of: report)
    let isWanted = pages.withLock { pages in
      if report.verdict.isExpected { return pages.takesPass(number, file) }
      pages.deviant[number] = file
      return true
    }
    guard isWanted else { return }
    let story = ScenarioStory(report, isSimulated: beginning.isSimulated)
    let page = TracePage(log: log, story: story, run: beginning, link: place.link)
    try folder.write(file, page.octets)
  }

  func finish(_ story: RunStory) throws(ReportFailure) {
    let pages = pages.withLock { $0 }
    for file in pages.left { try? FileSystem.remove(folder.path + "/" + file) }
    let missing = pages.left.isEmpty ? nil : Self.words(missing: pages.left.count, of: pages.passed.count)
    let files = Set(pages.deviant.values).union(pages.passed.values)
    try folder.write("index.html", IndexPage(story: story, files: files, missing: missing).octets)
    if let missing, !place.isQuiet { place.say(missing) }
  }

  private static func words(missing: Int, of written: Int) -> String {
    "\(Wording.count(missing, "trace page")) missing: only the first \(written) of those that passed have one"
  }
}
