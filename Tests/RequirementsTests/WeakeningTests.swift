import Testing
import Timeline

@testable import Requirements

/// Monitors that watch less than they should.
@Suite struct Weakenings {
  private static let battery = "BatteryOncePerConnection"

  /// A link on which the phone never asks for the battery level.
  private func requirements(_ weakening: MonitorWeakening?) -> String? {
    var script = PacketScript()
    Monitors.meet(&script)
    script.wait(.seconds(60))
    var monitors = MonitorSet(MonitorSet.everyMonitor, weakened: weakening)
    for event in script.events { monitors.observe(event) }
    monitors.reach(script.now)
    return monitors.firstViolation?.requirement
  }

  private func weakening(_ isMeant: (MonitorWeakening.Kind) -> Bool) throws -> MonitorWeakening {
    try #require(MonitorWeakening.all.first { $0.monitor == Self.battery && isMeant($0.kind) })
  }

  @Test func theWholeMonitorFindsTheViolation() { #expect(requirements(nil) == "APP-1.3.1.1") }

  @Test func withoutTheMonitorNothingIsFound() throws {
    #expect(requirements(try weakening { $0 == .everything }) != "APP-1.3.1.1")
  }

  @Test func withoutTheTimeNothingIsFound() throws {
    #expect(requirements(try weakening { $0 == .time }) != "APP-1.3.1.1")
  }

  @Test func withoutLinksNothingIsFound() throws {
    let deaf = try weakening { if case .events(let kinds, _) = $0 { kinds == .links } else { false } }
    #expect(requirements(deaf) != "APP-1.3.1.1")
  }

  @Test func everyArmedMonitorIsWeakened() {
    let weakened = Set(MonitorWeakening.all.map(\.monitor))
    for monitor in MonitorSet.everyMonitor where !(monitor is any ExecutionMonitor) {
      #expect(weakened.contains(String(describing: type(of: monitor))))
    }
  }
}
