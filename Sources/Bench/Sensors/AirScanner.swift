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
  private let loop: EventLoop
  /// The commands of the set-up that are not answered yet; the first was sent.
  private var commands: [Command]
  private var patience: ScheduledEvent?

  /// How long a controller may take for an answer; our phones leave theirs as long.
  private static let answerLimit = Duration.seconds(2)
  /// Listening without a break: window and interval of 60 ms, in units of 0.625 ms.
  private static let window: UInt16 = 96

  /// Takes a controller over and begins to listen.
  package init(on pipe: any PacketPipe, _ loop: EventLoop) {
    self.pipe = pipe
    self.loop = loop
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

  /// Whether the controller was told to listen, and does; before that silence tells nothing.
  package var isListening: Bool { commands.isEmpty && trouble == nil }

  /// Gives the controller back.
  package func close() {
    stopPatience()
    pipe.close()
  }

  package func receive(_ packet: HCIPacket) {
    guard packet.kind == .event, let event = try? Event(decoding: packet.bytes) else { return }
    switch event {
    case .commandComplete(let opcode, _, let values): answered(opcode, values.status ?? .success)
    case .commandStatus(let opcode, _, let code): answered(opcode, code)
    case .leAdvertisingReport(let reports): for report in reports { onHeard?(report.address) }
    case .leExtendedAdvertisingReport(let reports):
      for report in reports { if let address = report.address { onHeard?(address) } }
    case .hardwareError(let code): fail("the scanner's controller reported the hardware error \(code)")
    default: break
    }
  }

  package func pipeClosed(_ reason: PipeClosure) { fail("the scanner was lost: \(reason.reason)") }

  private func answered(_ opcode: Opcode, _ code: ErrorCode) {
    // What answers nothing only says how many commands may be sent.
    guard trouble == nil, opcode == commands.first?.opcode else { return }
    guard code == .success else { return fail("the scanner's controller refused to listen (\(code))") }
    stopPatience()
    commands.removeFirst()
    sendNext()
  }

  private func sendNext() {
    guard let command = commands.first else { return }
    patience = loop.schedule(after: Self.answerLimit, .deadline) { [weak self] in
      self?.fail(
        "the scanner's controller did not answer the command 0x\(command.opcode): unplug it and plug it in again, or use "
          + "another one")
    }
    pipe.send(HCIPacket(.command, command.encoded))
  }

  private func fail(_ reason: String) {
    stopPatience()
    trouble = trouble ?? reason
  }

  private func stopPatience() {
    if let patience { loop.cancel(patience) }
    patience = nil
  }
}
