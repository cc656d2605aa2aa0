import Testing
import Timeline
import Trace

@testable import Requirements

/// What holds for all monitors together.
@Suite struct MonitorSets {
  @Test func whatNeedsAWorldIsNotObservableInACapture() {
    var monitors = MonitorSet(isCapture: true)
    for finding in monitors.finish(at: .zero) {
      let isObservable = finding.declaration.needsWorld == nil
      #expect(finding.outcome.word == (isObservable ? "notExercised" : "notObservable"))
    }
  }

  /// Nothing states what another vendor's application shows to its user.
  @Test func whatOnlyAPlayedPhoneStatesIsNotObservableFromARecorder() throws {
    func outcome(from viewpoint: TraceSource.Part) throws -> String {
      var monitors = MonitorSet([LowBatteryIsShown()], from: viewpoint)
      let source = viewpoint == .phone ? TraceSource.phone() : .recorder()
      for happening in [PromiseMonitorTests.up, .batteryAsked, .batteryRead(5)] {
        monitors.observe(ProductEvent(at: .zero, from: source, link: 1, happening))
      }
      return try #require(monitors.finish(at: .zero.advanced(by: .seconds(10))).first).outcome.word
    }
    #expect(try outcome(from: .phone) == "violated")
    #expect(try outcome(from: .recorder) == "notObservable")
  }

  @Test func aLinkThatCannotBeKnownIsNotObservable() {
    var script = PacketScript()
    script.connect()
    script.ask([0x12, 0x10, 0x00, 0x01])
    script.wait(.seconds(60))
    var monitors = MonitorSet(isCapture: true)
    for event in script.events { monitors.observe(event) }
    let finding = monitors.finish(at: script.now).first { $0.declaration.requirement == "APP-1.3.1.1" }
    #expect(finding?.outcome.word == "notObservable")
  }

  @Test func theFirstViolationIsKeptWithItsInstant() {
    var script = PacketScript()
    Monitors.meet(&script)
    let secured = script.events.last { $0.happening.name == "secured" }!.instant
    script.wait(.seconds(60))
    var monitors = MonitorSet()
    for event in script.events { monitors.observe(event) }
    #expect(monitors.firstViolation == nil)
    #expect(monitors.deadline == secured.advanced(by: .seconds(5) + .seconds(4)))
    monitors.reach(script.now)
    #expect(monitors.firstViolation?.requirement == "APP-1.3.1.1")
    #expect(monitors.firstViolation?.instant == secured.advanced(by: .seconds(5) + .seconds(4)))
  }
}
