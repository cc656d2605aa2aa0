import Charts
import Testing
import Timeline

@testable import Phone

/// The phone's link moves on its chart, and nowhere else.
@Suite struct LinkChartTests {
  @Test func withoutItsTransitionALinkIsNeverReady() throws {
    var rig = try PhoneRig(ModelRecorder())
    try rig.pair()
    _ = try rig.perform(.disconnect)
    rig.application.linkState = ChartedState(
      PhoneLink.chart.without(try PhoneLink.chart.number(of: .prepared, in: .preparing)))
    // The rig reports every refused transition as an issue.
    withKnownIssue {
      _ = rig.begin(.connect(.paired))
      rig.pass(.seconds(5))
    }
    #expect(rig.application.linkState.state == .preparing)
    #expect(rig.application.linkState.log.refusal?.event == "prepared")
  }
}
