import Bytes
import Charts
import HCI
import Recorder
import Testing
import Timeline
import Trace

@testable import World

@Suite struct StateChartTests {
  @Test func everyChartHasItsOwnName() {
    let names = StateCharts.outlines.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: StateCharts.outlines.indices) func everyStateIsReached(_ index: Int) {
    let chart = StateCharts.outlines[index]
    #expect(chart.unreachableStates == [])
  }

  @Test(arguments: StateCharts.outlines.indices) func everyEventIsUsed(_ index: Int) {
    let chart = StateCharts.outlines[index]
    #expect(chart.events.filter { event in !chart.transitions.contains { $0.event == event } } == [])
  }

  @Test func aWorldTellsWhatItsMachinesDid() throws {
    let loop = EventLoop(driver: .virtual, seed: 1)
    let world = BluetoothWorld(loop: loop, trace: TraceRecorder())
    let medium = SimulatedMedium(loop: loop)
    let device = SimulatedDevice(
      "recorder", index: 0, RecorderConfiguration(address: BluetoothAddress(0xC000_0000_0001, .random)), in: world,
      on: medium.attach("recorder", .recorder)
    ) { nil }
    try device.powerOn()
    loop.runEvents(until: Instant.zero.advanced(by: .seconds(1)))
    let power = try #require(world.chartLogs.first { $0.chart == "recorder-power" })
    #expect(!power.log.taken.numbers.isEmpty)
    #expect(world.refusedTransition == nil)
    device.retire()
    #expect(world.chartLogs.first { $0.chart == "recorder-power" } == power, "retired machines are still told of")
  }
}
