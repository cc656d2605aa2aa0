import Reports
import Session
import Synchronization
import Verdicts

/// An earlier run, read from the folder of its reports.
enum RecordedRunFiles {
  /// Its summary, and the logs of its scenarios by their names.
  static func read(
    _ folder: String
  ) throws(UsageFailure) -> ComparedRuns.Recorded {
    do {
      return (try RunReport(summaryIn: folder), try RecordedEvents(in: folder).scenarios)
    } catch {
      throw UsageFailure("\(folder) does not hold the reports of a run: \(error)")
    }
  }

  /// The run as a baseline. Its events, of which there may be many, are read when the first scenario fails.
  static func baseline(_ folder: String) throws(UsageFailure) -> BaselineRun {
    let report: RunReport
    do { report = try RunReport(summaryIn: folder) } catch {
      throw UsageFailure("\(folder) does not hold the reports of a run: \(error)")
    }
    let events = LazyEvents(folder)
    return BaselineRun(name: folder, report: report) { events[$0] }
  }
}

/// The events of a run, read once and not before they are needed.
private final class LazyEvents: Sendable {
  private let folder: String
  private let read = Mutex<[String: [RunComparison.Log]]?>(nil)

  init(_ folder: String) { self.folder = folder }

  /// The logs of a scenario; none where the file cannot be read.
  subscript(name: String) -> [RunComparison.Log] {
    read.withLock { read in
      let scenarios = read ?? (try? RecordedEvents(in: folder).scenarios) ?? [:]
      read = scenarios
      return scenarios[name] ?? []
    }
  }
}
