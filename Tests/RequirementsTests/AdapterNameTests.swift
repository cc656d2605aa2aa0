import HCI
import Testing

@testable import Requirements

/// Adapters of captures, as reports name them.
@Suite struct AdapterNames {
  @Test(arguments: [(ForeignCapture.Format.pcapng, "interface 1"), (.btsnoopH4, "adapter 0")])
  func whoTellsNothingIsNamedAsTheFileCallsIt(format: ForeignCapture.Format, name: String) throws {
    let reset = ForeignCapture.Line(
      packet: HCIPacket(.command, [0x03, 0x0C, 0x00]), isReceived: false, microseconds: 1_700_000_000_000_000)
    let report = try CaptureJudge.judge(ForeignCapture(lines: [reset]).octets(format))
    #expect(
      report.notJudged.last == "\(name): taken for a phone's, because it neither connects nor advertises",
      "\(report.notJudged)")
  }
}
