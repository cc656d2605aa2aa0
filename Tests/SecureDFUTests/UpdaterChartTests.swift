import Charts
import Testing

@testable import SecureDFU

/// The updater moves on its chart, and nowhere else.
@Suite struct UpdaterChartTests {
  private static func rig(_ chart: StateChart<TransferStep, TransferDecision>) throws -> TransferRig {
    var bootloader = BootloaderRig(.s132Debug)
    _ = bootloader.perform(.started(.updateRequested))
    var transfer = ImageTransfer(
      initPacket: try Vectors.bytes("app_s132_v2.dat"), image: try Vectors.bytes("app_5000.bin"))
    transfer.steps = ChartedState(chart)
    return TransferRig(bootloader, transfer)
  }

  @Test func everyTransitionOfAnUpdateIsMissed() throws {
    var whole = try Self.rig(Updater.chart)
    whole.connect()
    whole.runTimers()
    let taken = whole.transfer.steps.log.taken.numbers
    #expect(whole.outcome == .accepted)
    #expect(taken.count > 8)
    for number in taken {
      let missing = Updater.chart.transitions[number]
      let kept = Updater.chart.transitions.enumerated().filter { $0.offset != number }.map(\.element)
      var rig = try Self.rig(
        StateChart(
          Updater.chart.name, Updater.chart.summary, initial: Updater.chart.initial,
          kept.map { ($0.source, $0.event, $0.target) }))
      // The rig reports every refused transition as an issue.
      withKnownIssue {
        rig.connect()
        rig.runTimers()
      }
      #expect(rig.transfer.steps.log.refusal?.state == missing.source.name)
      #expect(rig.transfer.steps.log.refusal?.event == missing.event.words)
    }
  }
}
