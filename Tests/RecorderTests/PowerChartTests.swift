import Charts
import HCI
import Testing
import Timeline

@testable import Recorder

/// The recorder moves on its chart, and nowhere else.
@Suite struct PowerChartTests {
  private typealias Arrow = (PowerState, PowerEvent, PowerState)

  private static func chart(without source: PowerState, on event: PowerEvent) -> StateChart<PowerState, PowerEvent> {
    let kept = RecorderPower.chart.transitions.filter { $0.source != source || $0.event != event }
    return StateChart(
      RecorderPower.chart.name, RecorderPower.chart.summary, initial: .off,
      kept.map { ($0.source, $0.event, $0.target) })
  }

  @Test func aRecordingLeavesItsTraceOnTheChart() {
    var bench = RecorderBench()
    bench.press(for: .milliseconds(1200))
    bench.run(for: .seconds(40))
    let expected: [Arrow] = [
      (.off, .powered, .bootloader), (.bootloader, .applicationStarted, .initialisation),
      (.initialisation, .buttonPressed, .recordPrepare), (.recordPrepare, .recordCreated, .recording),
      (.recording, .buttonReleased, .recordEnd), (.recordEnd, .recordClosed, .bluetoothOperation),
      (.bluetoothOperation, .quietTooLong, .shutdown), (.shutdown, .latchReleased, .off),
    ]
    let numbers = expected.compactMap { arrow in try? RecorderPower.chart.number(of: arrow.1, in: arrow.0) }
    #expect(bench.recorder.power.log.taken == TransitionSet(numbers))
    #expect(bench.recorder.power.log.refusal == nil)
  }

  @Test func withoutItsTransitionARecordNeverEnds() {
    var bench = RecorderBench()
    bench.recorder.power = ChartedState(Self.chart(without: .recording, on: .buttonReleased))
    bench.press(for: .milliseconds(1200))
    bench.run(for: .milliseconds(50))
    #expect(bench.recorder.state == .recording)
    #expect(bench.recorder.power.log.refusal?.event == "button released")
  }
}
