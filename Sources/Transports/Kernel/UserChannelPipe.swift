import HCI
import System
import Timeline

/// HCI packets over a socket that keeps them apart: every read and every write is one, with its H4 indicator in front.
///
/// Nothing is read before a receiver is set. What the system does not take at once waits here, within the same bound as
/// that of ``H4Pipe``.
final class UserChannelPipe: PacketPipe {
  /// The longest packet there is: indicator, header of an ACL packet, data.
  static let maximumPacket = 1 + 4 + 65_535

  weak var receiver: (any PacketReceiver)? {
    didSet { if receiver != nil, !isReading { startReading() } }
  }

  private let channel: UserChannel
  private let system: any HCISystem
  private let loop: EventLoop
  private var buffer = [UInt8](repeating: 0, count: UserChannelPipe.maximumPacket)
  private var unsent: [[UInt8]] = []
  private var unsentOctets = 0
  private var isReading = false
  private var hasSent = false
  private var isClosed = false

  /// Takes over a channel, which the pipe gives back.
  init(_ channel: UserChannel, of system: any HCISystem, on loop: EventLoop) {
    self.channel = channel
    self.system = system
    self.loop = loop
  }

  deinit {
    if !isClosed { release() }
  }

  func send(_ packet: HCIPacket) {
    guard !isClosed else { return }
    hasSent = true
    unsent.append(packet.framed)
    unsentOctets += packet.bytes.count
    if unsent.count == 1 { flush() }
    if unsentOctets > H4Pipe.maximumUnsentOctets {
      failLater(.failed("hci\(channel.index) takes nothing: over \(H4Pipe.maximumUnsentOctets) octets wait"))
    }
  }

  func close() {
    guard !isClosed else { return }
    if hasSent, unsent.isEmpty { sayFarewell() }
    release()
  }

  /// Resets the controller, whose links would outlive us, and waits for its answer for a moment: what the kernel has not
  /// sent when the channel is closed, it forgets.
  private func sayFarewell() {
    guard let sent = try? channel.descriptor.write(Command.reset.packet.framed[...]), sent > 0 else { return }
    for _ in 0..<Self.farewellSteps
    where channel.descriptor.isReady(for: .readable, within: Self.farewellStepMilliseconds) {
      guard let count = try? channel.descriptor.read(into: &buffer), count > 0 else { return }
      if Self.isAnswerToReset(buffer.prefix(count)) { return }
    }
  }

  /// Time that the answer to the farewell may take.
  private static let farewellSteps = 100
  private static let farewellStepMilliseconds: Int32 = 10

  /// Whether a packet is Command_Complete of a reset, with its indicator.
  private static func isAnswerToReset(_ packet: ArraySlice<UInt8>) -> Bool {
    packet.count >= 6 && packet[0] == HCIPacket.Kind.event.rawValue && packet[1] == 0x0E
      && packet[4...5] == [0x03, 0x0C]
  }

  private func startReading() {
    guard !isClosed else { return }
    isReading = true
    watch()
  }

  private func watch() {
    guard !isClosed else { return }
    var interest: DescriptorInterest = isReading ? .readable : []
    if !unsent.isEmpty { interest.insert(.writable) }
    loop.watch(channel.descriptor.number, for: interest) { [weak self] ready in
      guard let self else { return }
      if ready.contains(.writable) { flush() }
      if ready.contains(.readable), isReading, !isClosed { readOnce() }
    }
  }

  private func flush() {
    while let packet = unsent.first {
      do {
        // The socket takes a packet whole or not at all.
        guard try channel.descriptor.write(packet[...]) > 0 else { break }
        unsent.removeFirst()
        unsentOctets -= packet.count - 1
      } catch { return failLater(closure(after: error)) }
    }
    watch()
  }

  private func readOnce() {
    let count: Int
    do {
      guard let read = try channel.descriptor.read(into: &buffer) else { return }
      count = read
    } catch { return finish(closure(after: error)) }
    guard count > 0 else { return finish(closure(after: nil)) }
    // The socket keeps packets apart, so one of an unknown kind hurts none of the others.
    guard let kind = HCIPacket.Kind(rawValue: buffer[0]) else { return }
    receiver?.receive(HCIPacket(kind, Array(buffer[1..<count])))
  }

  /// The kernel answers EPIPE when the adapter was unplugged, ENETDOWN and ENODEV while it goes.
  private func closure(after failure: SystemCallFailure?) -> PipeClosure {
    switch failure?.code {
    case nil, .brokenPipe, .noSuchDevice, .networkDown, .noSuchDeviceOrAddress:
      .failed("hci\(channel.index) is gone: unplugged, or taken down")
    default: .failed("hci\(channel.index): \(failure.map(\.description) ?? "")")
    }
  }

  /// A receiver is never told from within its own call of ``send(_:)``.
  private func failLater(_ reason: PipeClosure) {
    loop.unwatch(channel.descriptor.number)
    loop.schedule(after: .zero) { [weak self] in self?.finish(reason) }
  }

  private func finish(_ reason: PipeClosure) {
    guard !isClosed else { return }
    release()
    receiver?.pipeClosed(reason)
  }

  private func release() {
    isClosed = true
    loop.unwatch(channel.descriptor.number)
    channel.close(system)
  }
}
