import Testing
import Timeline

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
