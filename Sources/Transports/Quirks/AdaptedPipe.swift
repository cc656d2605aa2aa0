import Bytes
import HCI
import Timeline

/// A pipe to an adapter with quirks, on which a host does not notice them.
///
/// Answers are corrected on their way to the host, commands that do harm are answered here, and a command that has to be
/// sent more than once is repeated before the host sees the answer.
final class AdaptedPipe: PacketPipe, PacketReceiver {
  weak var receiver: (any PacketReceiver)? {
    didSet {
      guard receiver != nil else { return }
      // Nothing is read before somebody listens.
      pipe.receiver = self
      if !held.isEmpty || closure != nil { loop.schedule(after: .zero) { [weak self] in self?.deliverHeld() } }
    }
  }

  /// How long a command that will be repeated may stay unanswered. Resets of slow dongles take a tenth of that.
  private static let patience = Duration.milliseconds(500)

  /// Packets that are kept until somebody listens; an adapter that was not reset yet has little to tell.
  private static let heldLimit = 64

  private let pipe: any PacketPipe
  private let quirks: [AdapterQuirk]
  private let loop: EventLoop
  /// The commands that are still to be sent in place of the host's last one, first to last.
  private var repeats: [Command] = []
  /// The command whose answer is followed by the next of ``repeats``.
  private var awaited: Opcode?
  private var deadline: ScheduledEvent?
  private var hasScanned = false
  /// What came before somebody listened, where the adapter was asked something before.
  private var held: [HCIPacket] = []
  private var closure: PipeClosure?

  /// A pipe like `pipe`, without these quirks.
  init(_ pipe: any PacketPipe, without quirks: [AdapterQuirk], on loop: EventLoop) {
    self.pipe = pipe
    self.quirks = quirks
    self.loop = loop
  }

  /// Keeps what comes until somebody listens.
  func hold() { pipe.receiver = self }

  // MARK: To the adapter

  func send(_ packet: HCIPacket) {
    guard packet.kind == .command, let command = try? Command(decoding: packet.bytes) else { return pipe.send(packet) }
    switch command {
    case .reset:
      // What a reset interrupts is not repeated.
      repeats = quirks.contains(.needsSecondReset) ? [.reset] : []
      hasScanned = false
      expectAnswer(to: command)
    case .leSetScanEnable(true, _) where quirks.contains(.needsSecondScan) && !hasScanned:
      hasScanned = true
      repeats = [.leSetScanEnable(false, filterDuplicates: false), command]
      expectAnswer(to: command)
    case .leSetDataLength(let handle, _) where quirks.contains(.noDataLength):
      return refuse(command.opcode, [UInt8(truncatingIfNeeded: handle.rawValue), UInt8(handle.rawValue >> 8)])
    case .leWriteSuggestedDefaultDataLength where quirks.contains(.noDataLength): return refuse(command.opcode)
    default: break
    }
    pipe.send(packet)
  }

  func close() {
    stopWaiting()
    pipe.close()
  }

  /// Answers a command as a controller does that does not have it. A host is never told from within its own call.
  private func refuse(_ opcode: Opcode, _ rest: [UInt8] = []) {
    let answer = Event.commandComplete(opcode, credits: 1, .failure(.unknownCommand, rest))
    loop.schedule(after: .zero) { [weak self] in self?.receiver?.receive(answer.packet) }
  }

  private func expectAnswer(to command: Command) {
    stopWaiting()
    guard !repeats.isEmpty else { return }
    awaited = command.opcode
    deadline = loop.schedule(after: Self.patience) { [weak self] in self?.repeatNext() }
  }

  private func repeatNext() {
    stopWaiting()
    guard !repeats.isEmpty else { return }
    let command = repeats.removeFirst()
    expectAnswer(to: command)
    pipe.send(command.packet)
  }

  private func stopWaiting() {
    awaited = nil
    if let deadline { loop.cancel(deadline) }
    deadline = nil
  }

  // MARK: To the host

  func receive(_ packet: HCIPacket) {
    guard receiver != nil else {
      if held.count < Self.heldLimit { held.append(packet) }
      return
    }
    guard packet.kind == .event else {
      receiver?.receive(packet)
      return
    }
    var packet = packet
    if quirks.contains(.countsNoCredits) { giveCredit(&packet.bytes) }
    if case .commandComplete(let opcode, let credits, let values)? = try? Event(decoding: packet.bytes) {
      if opcode == awaited { return repeatNext() }
      if let corrected = corrected(values) {
        packet = Event.commandComplete(opcode, credits: credits, corrected).packet
      }
    }
    receiver?.receive(packet)
  }

  func pipeClosed(_ reason: PipeClosure) {
    stopWaiting()
    guard let receiver else {
      closure = reason
      return
    }
    receiver.pipeClosed(reason)
  }

  private func deliverHeld() {
    let packets = held
    held = []
    for packet in packets { receive(packet) }
    if let closure { receiver?.pipeClosed(closure) }
    closure = nil
  }

  /// Num_HCI_Command_Packets stands first in Command_Complete and second in Command_Status (Core Specification Vol 4,
  /// Part E, 7.7.14 and 7.7.15).
  private func giveCredit(_ octets: inout [UInt8]) {
    let place = octets.first == EventCode.commandComplete.rawValue ? 2 : 3
    guard place == 2 || octets.first == EventCode.commandStatus.rawValue, octets.count > place else { return }
    octets[place] = max(1, octets[place])
  }

  /// What the host is told in place of an answer; `nil` for the answer itself.
  private func corrected(_ values: ReturnParameters) -> ReturnParameters? {
    switch values {
    case .leFeatures(let features) where quirks.contains(.noDataLength):
      return .leFeatures(features.subtracting(.dataPacketLengthExtension))
    case .leBufferSize(var size) where quirks.contains(.tooManyBuffers):
      size.count = min(1, size.count)
      return .leBufferSize(size)
    case .leBufferSizeV2(var size, let isochronous) where quirks.contains(.tooManyBuffers):
      size.count = min(1, size.count)
      return .leBufferSizeV2(size, isochronous: isochronous)
    case .bufferSize(var size) where quirks.contains(.tooManyBuffers):
      size.count = min(1, size.count)
      return .bufferSize(size)
    default: return nil
    }
  }
}
