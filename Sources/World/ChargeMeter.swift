import Controllers
import Recorder
import Timeline
import Verdicts

/// Turns what recorders did into charge, by the currents of data sheets.
enum ChargeMeter {
  /// What is left out, and why.
  private static let notCounted = [
    "wait states (an instruction counts as one cycle)", "the SoftDevice's share of the processor",
    "ramp-up of the radio, and answers to scanners", "writes to the chip's own flash (no current is published)",
    "microphone, clock chip, lights, console and regulators",
  ]

  /// The charge that recorders took; `nil` where none of them tells what it did, or the currents of
  /// its chip are unknown.
  static func estimate(_ uses: [RecorderUse], _ radio: RadioUse?) -> ChargeEstimate? {
    guard !uses.isEmpty, uses.allSatisfy({ $0.chip == .nRF52840 }) else { return nil }
    func total(_ time: (RecorderUse) -> Duration) -> Duration { uses.reduce(.zero) { $0 + time($1) } }
    let powered = total(\.powered)
    let writing = total(\.writing)
    var parts = [
      part("processor, awake", [(total(\.awake), .running)]),
      part("processor, asleep", [(total(\.asleep), .sleeping)]),
      part(
        "flash for records", [(writing, .writingRecords), (max(.zero, powered - writing), .keepingRecords)]),
    ]
    if let radio {
      parts.append(
        part("radio, advertising", [(radio.advertising, .transmitting), (radio.listening, .receiving)]))
      parts.append(part("radio, connected", [(radio.connected, .radio)]))
    }
    return ChargeEstimate(
      powered: powered, parts: parts, notCounted: radio == nil ? notCounted + ["radio"] : notCounted)
  }

  private static func part(_ name: String, _ times: [(Duration, SupplyCurrent)]) -> ChargeEstimate.Part {
    ChargeEstimate.Part(
      name, least: times.reduce(0) { $0 + charge($1.0, $1.1.least) },
      most: times.reduce(0) { $0 + charge($1.0, $1.1.most) })
  }

  private static let nanosecondsInAnHour: Int128 = 3_600_000_000_000

  /// Nanoampere-hours of a current in nanoamperes, rounded.
  private static func charge(_ time: Duration, _ current: Int64) -> Int64 {
    let product = Int128(time.wholeNanoseconds) * Int128(current)
    return Int64(clamping: (product + nanosecondsInAnHour / 2) / nanosecondsInAnHour)
  }
}
