import Charts
import Phone
import Recorder
import SecureDFU

/// The state charts that machines of this house run.
package enum StateCharts {
  /// All of them, in the order in which reports tell them.
  package static let outlines = [
    PhoneLink.outline, FileTransfer.outline, RecordEntry.outline, Updater.outline, RecorderPower.outline,
  ]
}

/// Collects what the machines of one world do on their state charts. It costs nothing until it is asked.
struct ChartCollector {
  private var retired: [ChartLog] = []
  private var readers: [(() -> [ChartLog])?] = []

  /// Asks a machine whenever the logs are wanted. Returns its number.
  mutating func watch(_ read: @escaping () -> [ChartLog]) -> Int {
    readers.append(read)
    return readers.count - 1
  }

  /// Keeps what a machine did that leaves the world, and lets go of it.
  mutating func retire(_ number: Int) {
    retired += readers[number]?() ?? []
    readers[number] = nil
  }

  /// One log for each chart that a machine of this world runs, in the order of ``StateCharts``.
  var logs: [ChartLog] {
    let all = retired + readers.flatMap { $0?() ?? [] }
    return StateCharts.outlines.compactMap { outline in
      let logs = all.filter { $0.chart == outline.name }.map(\.log)
      guard !logs.isEmpty else { return nil }
      var sum = TransitionLog()
      for log in logs { sum.formUnion(log) }
      return ChartLog(outline.name, sum)
    }
  }
}
