import Bytes
import HCI
import System
import Timeline

/// HCI packets over a stream of octets, a socket or a serial line, framed by H4 (Core Specification Vol 4, Part A).
///
/// Nothing is read before a receiver is set, so nothing can be lost. What the system does not take at once waits here
/// up to ``maximumUnsentOctets``; a peer that lets more pile up is given up, because a pipe that grows without
/// bound would hide it.
package final class H4Pipe: PacketPipe {
  /// Octets that may wait for a peer that does not read: about a thousand of the longest packets a link makes.
  package static let maximumUnsentOctets = 262_144
  /// Octets taken from the system in one go.
  static let readSize = 16_384

  /// Who gets what the other end sends; reading begins when it is set.
  package weak var receiver: (any PacketReceiver)? {
    didSet { if receiver != nil, !isReading { startReading() } }
  }
  /// Called once when the pipe is closed from either end or released.
  var onClose: (() -> Void)?

  private let stream: any OctetStream
  private let loop: EventLoop
  private var decoder: H4Decoder
  private var outcomes: [H4Outcome] = []
  private var buffer = [UInt8](repeating: 0, count: H4Pipe.readSize)
  private var unsent: [UInt8] = []
  private var unsentStart = 0
  /// Whether the stream keeps octets back that it has taken.
  private var isHeldBack = false
  private var isReading = false
  private var hasSent = false
  /// Packets have come, so the stream was in step once.
  private var hasFraming = false
  /// Octets passed over since the framing was lost; `nil` while it holds.
  private var garbage: Int?
  private var isClosed = false

  /// Takes over an open stream, which the pipe closes; `side` is what we are at this end.
  init(over stream: any OctetStream, on loop: EventLoop, side: H4Decoder.Side) {
    self.stream = stream
    self.loop = loop
    decoder = H4Decoder(side: side)
  }

  deinit {
    if !isClosed { release() }
  }

  // MARK: Sending

  /// Sends a packet; what the system does not take at once waits.
  package func send(_ packet: HCIPacket) {
    guard !isClosed else { return }
    hasSent = true
    let isIdle = unsentStart == unsent.count
    unsent.append(packet.kind.rawValue)
    unsent.append(contentsOf: packet.bytes)
    // While earlier octets wait, the loop says when there is room.
    if isIdle { flush() }
    if unsent.count - unsentStart > Self.maximumUnsentOctets {
      failLater(.failed("the other end does not read: over \(Self.maximumUnsentOctets) octets wait"))
    }
  }

  private func flush() {
    do {
      while unsentStart < unsent.count {
        let count = try stream.write(unsent[unsentStart...])
        if count == 0 { break }
        unsentStart += count
      }
      isHeldBack = try !stream.flush()
    } catch {
      failLater(stream.closure(after: error, isBetweenPackets: decoder.isBetweenPackets))
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
  private func failLater(_ reason: PipeClosure) {
    loop.unwatch(stream.descriptor.number)
    loop.schedule(after: .zero) { [weak self] in self?.finish(reason) }
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
    if unsentStart < unsent.count || isHeldBack { interest.insert(.writable) }
    loop.watch(stream.descriptor.number, for: interest) { [weak self] ready in self?.handle(ready) }
  }

  private func handle(_ ready: DescriptorInterest) {
    if ready.contains(.writable) { flush() }
    if ready.contains(.readable) {
      repeat {
        guard isReading, !isClosed else { return }
        readOnce()
      } while stream.hasMore
    }
  }

  private func readOnce() {
    do {
      guard let count = try stream.read(into: &buffer) else { return }
      if count == 0 {
        finish(stream.closure(after: nil, isBetweenPackets: decoder.isBetweenPackets))
        return
      }
      if let passed = garbage { garbage = passed + count }
      decoder.feed(buffer[..<count], &outcomes)
    } catch {
      finish(stream.closure(after: error, isBetweenPackets: decoder.isBetweenPackets))
      return
    }
    deliver()
  }

  private func deliver() {
    for outcome in outcomes {
      guard !isClosed else { break }
      switch outcome {
      case .packet(let packet):
        hasFraming = true
        receiver?.receive(packet)
      case .violation(let violation): lose(violation)
      case .resynchronised: garbage = nil
      }
    }
    outcomes.removeAll(keepingCapacity: true)
    if let garbage, garbage > stream.toleratedGarbage { finish(.failed(stream.sentence(forGarbage: nil))) }
  }

  /// A line that has just been opened may be in the middle of a packet, or hold what an earlier host left: the reset
  /// with which every host begins puts it in step (Part A, 4). Once packets have come, octets were lost, and only a
  /// new beginning helps.
  private func lose(_ violation: H4Violation) {
    if !hasFraming, stream.toleratedGarbage > 0 {
      garbage = 0
    } else {
      finish(.failed(stream.sentence(forGarbage: violation)))
    }
  }

  // MARK: Closing

  /// Closes the stream; the receiver is not told.
  package func close() {
    guard !isClosed else { return }
    // What was sent before goes out if the system takes it: the answer to a last command is worth the attempt.
    if unsentStart < unsent.count { unsentStart += (try? stream.write(unsent[unsentStart...])) ?? 0 }
    if hasSent, unsentStart == unsent.count { stream.sayFarewell() }
    release()
  }

  private func finish(_ reason: PipeClosure) {
    guard !isClosed else { return }
    release()
    receiver?.pipeClosed(reason)
  }

  private func release() {
    isClosed = true
    loop.unwatch(stream.descriptor.number)
    stream.close()
    let onClose = onClose
    self.onClose = nil
    onClose?()
  }
}
