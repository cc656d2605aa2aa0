import Synchronization
import Verdicts

/// `events.ndjson` as it grows: scenarios end in any order, their lines are written in the order of the scenarios, and
/// only what waits for an earlier one is held in memory. It may be used from any thread.
public final class EventLogFile: Sendable {
  private struct State {
    let file: ReportFile
    var log = EventLog()
    var next = 0
    var waiting: [Int: ScenarioEventLog] = [:]

    mutating func writeNext() throws(ReportFailure) {
      while let scenario = waiting.removeValue(forKey: next) {
        try file.write(log.lines(of: scenario))
        next += 1
      }
    }
  }

  private let state: Mutex<State>

  /// Begins the file of a run in a folder.
  public init(_ folder: ReportFolder, _ run: RunReport) throws(ReportFailure) {
    var begun = State(file: try ReportFile(folder.path + "/events.ndjson"))
    try begun.file.write(begun.log.beginning(of: run))
    state = Mutex(begun)
  }

  /// Adds what a scenario left; its number is its place in the run, from 0.
  public func add(_ scenario: ScenarioEventLog, number: Int) throws(ReportFailure) {
    try state.withLock { state throws(ReportFailure) in
      state.waiting[number] = scenario
      try state.writeNext()
    }
  }

  /// Ends the file and gives it its name. Scenarios that never ran leave gaps, which are closed.
  public func finish(_ run: RunReport) throws(ReportFailure) {
    try state.withLock { state throws(ReportFailure) in
      for number in state.waiting.keys.sorted() {
        state.next = number
        try state.writeNext()
      }
      try state.file.write(state.log.end(of: run))
      try state.file.commit()
    }
  }
}
