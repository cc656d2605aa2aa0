/// One way in which a monitor watches less than it should, so that the fault table can show that it is needed.
package struct MonitorWeakening: Hashable, Sendable, CustomStringConvertible {
  /// What the monitor misses.
  package enum Kind: Hashable, Sendable {
    /// Everything: it is not armed.
    case everything
    /// Events of these kinds.
    case events(EventKinds, String)
    /// Its deadlines.
    case time
  }

  /// The type of the monitor.
  package let monitor: String
  /// The requirement that it watches.
  package let requirement: String
  /// What it claims, as its declaration says.
  package let claim: String
  /// What it misses.
  package let kind: Kind

  /// The words by which reports name it.
  package var description: String {
    switch kind {
    case .everything: "\(monitor) is not armed"
    case .events(_, let name): "\(monitor) is not told of \(name)"
    case .time: "\(monitor) is not told the time"
    }
  }

  /// Whether a monitor is the one that is weakened.
  func concerns(_ monitor: any Monitor) -> Bool { String(describing: type(of: monitor)) == self.monitor }

  /// Kinds of events that monitors follow, with their names.
  private static let kinds: [(EventKinds, String)] = [
    (.advertising, "advertising"), (.links, "links"), (.security, "encryption"), (.battery, "the battery"),
    (.time, "time reads"), (.services, "services"), (.fileTransfer, "requests and answers"), (.fileData, "file data"),
    (.oracle, "what only the world knows"), (.firmwareUpdate, "updates"), (.firmwareData, "image data"),
    (.otherEnd, "the other end"),
  ]

  /// Monitors that judge what did not happen in time.
  private static let timed: [any Monitor.Type] = [
    UnpairsWhomItWasTold.self, BatteryOncePerConnection.self, BatteryEveryMinute.self, LowBatteryIsShown.self,
    ClockBetweenMeetings.self, ClockWithinFiveSeconds.self, AdvertisingAfterRelease.self, RecordingStarts.self,
    RequestsEnd.self, SwitchesOffWhenIdle.self, AdvertisesWhenFree.self, BootloaderCanBeReached.self,
    BatteryIsTold.self,
    LowBatteryIsTrue.self,
  ]

  /// Every monitor disarmed, and made deaf to each kind of event that it follows, and to the time where that matters.
  /// Those that watch an executed image are left out: there is none in a simulated run.
  package static let all: [MonitorWeakening] = MonitorSet.everyMonitor.flatMap { monitor -> [MonitorWeakening] in
    guard !(monitor is any ExecutionMonitor) else { return [] }
    let kinds = Self.kinds.filter { !monitor.interests.isDisjoint(with: $0.0) }
    let isTimed = timed.contains { $0 == type(of: monitor) }
    var all: [Kind] = [.everything]
    // Deaf to all that it follows is the same as not armed.
    if kinds.count > 1 { all += kinds.map { .events($0.0, $0.1) } }
    if isTimed { all.append(.time) }
    return all.map {
      MonitorWeakening(
        monitor: String(describing: type(of: monitor)), requirement: monitor.declaration.requirement,
        claim: monitor.declaration.sentence, kind: $0)
    }
  }
}
