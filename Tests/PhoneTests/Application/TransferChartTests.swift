import Charts
import Testing
import Timeline

@testable import Phone

/// The phone's requests move on their chart, and nowhere else.
@Suite struct TransferChartTests {
  private static func rig() throws -> PhoneRig {
    var recorder = ModelRecorder()
    recorder.record(sizes: [64, 500])
    var rig = try PhoneRig(recorder)
    try rig.pair()
    return rig
  }

  @Test func everyTransitionOfATransferIsMissed() throws {
    var whole = try Self.rig()
    whole.application.exchange.state = ChartedState(FileTransfer.chart)
    _ = try whole.perform(.sync(.paired, finishes: true))
    let taken = whole.application.exchange.state.log.taken.numbers
    #expect(taken.count > 4)
    for number in taken {
      var rig = try Self.rig()
      rig.application.exchange.state = ChartedState(FileTransfer.chart.without(number))
      // The rig reports every refused transition as an issue.
      withKnownIssue {
        _ = rig.begin(.sync(.paired, finishes: true))
        rig.pass(.seconds(120))
      }
      let missing = FileTransfer.chart.transitions[number]
      let refusal = rig.application.exchange.state.log.refusal
      #expect(refusal?.state == missing.source.name)
      #expect(refusal?.event == missing.event.words)
    }
  }
}
