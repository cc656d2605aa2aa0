import Bytes
import HCI
import Timeline

/// A host that only listens: has a controller report every advertisement, passively, on one channel after the other.
package final class AirScanner: PacketReceiver {
  /// Told of every advertisement.
  package var onHeard: ((BluetoothAddress) -> Void)?
  /// Why nothing is heard any more; `nil` while the controller works.
  private(set) var trouble: String?

  private let pipe: any PacketPipe
  private var commands: [Command]

  /// Listening without a break: window and interval of 60 ms, in units of 0.625 ms.
  private static let window: UInt16 = 96

  /// Takes a controller over and begins to listen.
  package init(on pipe: any PacketPipe) {
    self.pipe = pipe
    commands = [
      .reset, .setEventMask([.initial, .leMeta]), .leSetEventMask(.initial),
      .leSetScanParameters(
        LEScanParameters(
          isActive: false, intervalUnits: Self.window, windowUnits: Self.window, ownAddressType: .public)),
      .leSetScanEnable(true, filterDuplicates: false),
    ]
    pipe.receiver = self
    sendNext()
  }

  /// Gives the controller back.
  package func close() { pipe.close() }

  package func receive(_ packet: HCIPacket) {
    guard packet.kind == .event, let event = try? Event(decoding: packet.bytes) else { return }
    switch event {
    case .commandComplete(_, _, .failure(let code, _)): refused(code)
    case .commandStatus(_, _, let code) where code != .success: refused(code)
    case .commandComplete, .commandStatus: sendNext()
    case .leAdvertisingReport(let reports): for report in reports { onHeard?(report.address) }
    case .leExtendedAdvertisingReport(let reports):
      for report in reports { if let address = report.address { onHeard?(address) } }
    case .hardwareError(let code): trouble = "the scanner's controller reported the hardware error \(code)"
    default: break
    }
  }

  package func pipeClosed(_ reason: PipeClosure) { trouble = "the scanner was lost: \(reason.reason)" }

  private func refused(_ code: ErrorCode) { trouble = "the scanner's controller refused to listen (\(code))" }

  private func sendNext() {
    guard !commands.isEmpty else { return }
    pipe.send(HCIPacket(.command, commands.removeFirst().encoded))
  }
}
