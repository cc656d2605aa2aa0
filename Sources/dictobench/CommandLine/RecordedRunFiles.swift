import Reports
import Session
import Synchronization
import System
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

/// The events of a run, read once and not before they are needed. Their file is opened at once: a run whose reports go into
/// the same folder removes it.
private final class LazyEvents: Sendable {
  private struct State {
    let file: FileDescriptor?
    var scenarios: [String: [RunComparison.Log]]?
  }

  private let state: Mutex<State>

  init(_ folder: String) { state = Mutex(State(file: try? RecordedEvents.open(in: folder))) }

  /// The logs of a scenario; none where the file cannot be read.
  subscript(name: String) -> [RunComparison.Log] {
    state.withLock { state in
      let scenarios = state.scenarios ?? state.file.flatMap { try? RecordedEvents(reading: $0).scenarios } ?? [:]
      state.scenarios = scenarios
      return scenarios[name] ?? []
    }
  }
}
