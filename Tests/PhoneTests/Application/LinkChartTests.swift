import Charts
import Testing
import Timeline

@testable import Phone

/// The phone's link moves on its chart, and nowhere else.
@Suite struct LinkChartTests {
  private static func chart(without source: LinkState, on event: LinkEvent) -> StateChart<LinkState, LinkEvent> {
    let kept = PhoneLink.chart.transitions.filter { $0.source != source || $0.event != event }
    return StateChart(
      PhoneLink.chart.name, PhoneLink.chart.summary, initial: .absent, kept.map { ($0.source, $0.event, $0.target) })
  }

  @Test func withoutItsTransitionALinkIsNeverReady() throws {
    var rig = try PhoneRig(ModelRecorder())
    try rig.pair()
    _ = try rig.perform(.disconnect)
    rig.application.linkState = ChartedState(Self.chart(without: .preparing, on: .prepared))
    // The rig reports every refused transition as an issue.
    withKnownIssue {
      _ = rig.begin(.connect(.paired))
      rig.pass(.seconds(5))
    }
    #expect(rig.application.linkState.state == .preparing)
    #expect(rig.application.linkState.log.refusal?.event == "prepared")
  }
}
