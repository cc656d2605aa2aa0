import Bytes
import HostStack
import Probe
import Recorder
import Session
import Verdicts

/// Shows what `gatt` does, as lines or as documents.
struct GATTScreen: Sendable {
  let output: ResultOutput
  /// The simulated recorder with whose table the found one is compared.
  let profile: RecorderProfile?

  func show(_ event: AttributeEvent) {
    switch event {
    case .batteryLow(let percent): output.showLowBattery(percent)
    case .heard(let heard):
      output.show(
        .object([
          ("seconds", .seconds(heard.time)), ("value", .string(Hexadecimal.string(heard.value))),
          ("isIndication", .boolean(heard.isIndication)),
        ]),
        ["\(DecimalSeconds.text(heard.time)) s  \(GATTText.value(heard.value))"])
    }
  }

  func show(_ result: AttributeResult, of action: AttributeAction) -> ExitCode {
    switch (action, result) {
    case (_, .table(let table)): return show(table)
    case (.read(let handle), .value(let value)):
      let document = [
        ("handle", JSONValue.integer(Int(handle.rawValue))), ("value", .string(Hexadecimal.string(value))),
      ]
      output.show(.object(document), [GATTText.value(value)])
    case (.write(let handle, let value, let isCommand), .written): show(written: value, to: handle, isCommand)
    case (.listen(_, let span), .heard(let count)):
      if !output.isJSON { output.console.note("\(count) values in \(DecimalSeconds.text(span)) s") }
    default: break
    }
    return .passed
  }

  private func show(written value: [UInt8], to handle: AttributeHandle, _ isCommand: Bool) {
    output.show(
      .object([
        ("handle", .integer(Int(handle.rawValue))), ("written", .string(Hexadecimal.string(value))),
        ("wasAnswered", .boolean(!isCommand)),
      ]),
      [
        "\(value.count) octet\(value.count == 1 ? "" : "s") written"
          + (isCommand ? ", without acknowledgement" : " and acknowledged")
      ])
  }

  private func show(_ table: AttributeTable) -> ExitCode {
    let differences = profile.map { AttributeComparison.differences(table.services, from: $0.attributes.discovered) }
    output.show(
      GATTText.document(table.services, table.values, differences),
      GATTText.lines(table.services, table.values)
        + (differences.map { GATTText.verdict($0, profile?.name ?? "") } ?? []))
    return differences?.isEmpty == false ? .deviceFailed : .passed
  }
}
