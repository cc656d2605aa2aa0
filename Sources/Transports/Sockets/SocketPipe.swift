import Bytes
import HCI
import Timeline

/// HCI packets over a stream socket, framed by H4 (Core Specification Vol 4, Part A).
///
/// Nothing is read before a receiver is set, so nothing can be lost. What the system does not take at once waits here
/// up to ``maximumUnsentOctets``; a peer that lets more pile up is given up, because a pipe that grows without
/// bound would hide it.
public final class SocketPipe: PacketPipe {
  /// Octets that may wait for a peer that does not read: about a thousand of the longest packets a link makes.
  public static let maximumUnsentOctets = 262_144
  /// Octets taken from the system in one go.
  static let readSize = 16_384

  /// Who gets what the other end sends; reading begins when it is set.
  public weak var receiver: (any PacketReceiver)? {
    didSet { if receiver != nil, !isReading { startReading() } }
  }
  /// Called once when the pipe is closed from either end or released.
  var onClose: (() -> Void)?

  private let socket: StreamSocket
  private let loop: EventLoop
  private var decoder: H4Decoder
  private var outcomes: [H4Outcome] = []
  private var buffer = [UInt8](repeating: 0, count: SocketPipe.readSize)
  private var unsent: [UInt8] = []
  private var unsentStart = 0
  private var isReading = false
  private var isClosed = false

  /// Takes over a connected stream socket, which the pipe closes; `side` is what we are at this end.
  public init(adopting descriptor: Int32, on loop: EventLoop, side: H4Decoder.Side) {
    socket = StreamSocket(descriptor: descriptor)
    decoder = H4Decoder(side: side)
    self.loop = loop
    socket.prepare()
  }

  deinit {
    if !isClosed { release() }
  }

  // MARK: Sending

  /// Sends a packet; what the system does not take at once waits.
  public func send(_ packet: HCIPacket) {
    guard !isClosed else { return }
    let isIdle = unsentStart == unsent.count
    unsent.append(packet.kind.rawValue)
    unsent.append(contentsOf: packet.bytes)
    // While earlier octets wait, the loop says when there is room.
    if isIdle { flush() }
    if unsent.count - unsentStart > Self.maximumUnsentOctets {
      failLater("the other end does not read: over \(Self.maximumUnsentOctets) octets wait")
    }
  }

  private func flush() {
    do {
      while unsentStart < unsent.count {
        let count = try socket.write(unsent[unsentStart...])
        if count == 0 { break }
        unsentStart += count
      }
    } catch {
      failLater(error.description)
      return
    }
    if unsentStart == unsent.count {
      unsent.removeAll(keepingCapacity: true)
      unsentStart = 0
    } else if unsentStart > Self.readSize {
      unsent.removeFirst(unsentStart)
      unsentStart = 0
    }
    watch()
  }

  /// A receiver is never told from within its own call of ``send(_:)``.
  private func failLater(_ reason: String) {
    loop.unwatch(socket.descriptor)
    loop.schedule(after: .zero) { [weak self] in self?.finish(.failed(reason)) }
  }

  // MARK: Receiving

  private func startReading() {
    guard !isClosed else { return }
    isReading = true
    watch()
  }

  private func watch() {
    guard !isClosed else { return }
    var interest: DescriptorInterest = isReading ? .readable : []
    if unsentStart < unsent.count { interest.insert(.writable) }
    loop.watch(socket.descriptor, for: interest) { [weak self] ready in self?.handle(ready) }
  }

  private func handle(_ ready: DescriptorInterest) {
    if ready.contains(.writable) { flush() }
    if ready.contains(.readable), isReading, !isClosed { readOnce() }
  }

  private func readOnce() {
    do {
      guard let count = try socket.read(into: &buffer) else { return }
      if count == 0 {
        finish(decoder.isBetweenPackets ? .closedByPeer : .failed("the other end closed within a packet"))
        return
      }
      decoder.feed(buffer[..<count], &outcomes)
    } catch {
      finish(.failed(error.description))
      return
    }
    deliver()
  }

  private func deliver() {
    for outcome in outcomes {
      guard !isClosed else { break }
      switch outcome {
      case .packet(let packet): receiver?.receive(packet)
      // A socket loses nothing, so what breaks the framing is not HCI, and no reset will mend it.
      case .violation(let violation): finish(.failed("the other end does not speak H4: \(violation.sentence)"))
      case .resynchronised: break
      }
    }
    outcomes.removeAll(keepingCapacity: true)
  }

  // MARK: Closing

  /// Closes the socket; the receiver is not told.
  public func close() {
    guard !isClosed else { return }
    // What was sent before goes out if the system takes it: the answer to a last command is worth the attempt.
    if unsentStart < unsent.count { _ = try? socket.write(unsent[unsentStart...]) }
    release()
  }

  private func finish(_ reason: PipeClosure) {
    guard !isClosed else { return }
    release()
    receiver?.pipeClosed(reason)
  }

  private func release() {
    isClosed = true
    loop.unwatch(socket.descriptor)
    socket.close()
    let onClose = onClose
    self.onClose = nil
    onClose?()
  }
}

extension H4Violation {
  /// The violation in words.
  fileprivate var sentence: String {
    switch self {
    case .unknownIndicator(let octet): "no packet begins with 0x\(Hexadecimal.string([octet]))"
    case .tooLong(let kind, let length, let limit): "\(kind) packet of \(length) octets, at most \(limit) are accepted"
    }
  }
}
