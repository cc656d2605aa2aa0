import HCI
import Timeline
import Transports

/// A controller that may be unplugged while it is used: the pipe in front of it stays, and what is behind it is opened
/// again until it is back.
final class ReturningController: PacketPipe, PacketReceiver {
  weak var receiver: (any PacketReceiver)? {
    // Nothing is read before somebody listens.
    didSet { pipe?.receiver = receiver.map { _ in self } }
  }

  /// Called when the controller is lost; who stands on the pipe is not told.
  var onLoss: ((String) -> Void)?
  /// Called when it is back, as it is after power-on.
  var onReturn: (() -> Void)?

  /// How long nothing is done between two attempts to open it.
  private static let pause = Duration.seconds(1)

  private let specification: TransportSpecification
  private let options: OpeningOptions
  private let loop: EventLoop
  private var pipe: (any PacketPipe)?
  private var opening: TransportOpening?
  private var timer: ScheduledEvent?
  private var isClosed = false
  /// When it was opened last.
  private(set) var openedAt: Instant

  /// Stands in front of `pipe`, which was opened as `specification` and `options` say.
  init(_ pipe: any PacketPipe, _ specification: TransportSpecification, _ options: OpeningOptions, on loop: EventLoop) {
    self.pipe = pipe
    self.specification = specification
    self.options = options
    self.loop = loop
    openedAt = loop.now
  }

  func send(_ packet: HCIPacket) { pipe?.send(packet) }

  func receive(_ packet: HCIPacket) { receiver?.receive(packet) }

  func pipeClosed(_ reason: PipeClosure) { lose(reason.reason) }

  /// Gives the controller up and opens it again.
  func lose(_ reason: String) {
    guard !isClosed, let lost = pipe else { return }
    pipe = nil
    lost.close()
    onLoss?(reason)
    openLater()
  }

  private func openLater() {
    timer = loop.schedule(after: Self.pause) { [weak self] in self?.open() }
  }

  private func open() {
    guard !isClosed else { return }
    do {
      opening = try TransportOpening(specification, on: loop, options: options) { [weak self] result in
        guard let self, !isClosed else { return }
        opening = nil
        switch result {
        case .success(let pipe): take(pipe)
        case .failure: openLater()
        }
      }
    } catch { openLater() }
  }

  private func take(_ pipe: any PacketPipe) {
    self.pipe = pipe
    openedAt = loop.now
    pipe.receiver = receiver.map { _ in self }
    onReturn?()
  }

  func close() {
    isClosed = true
    if let timer { loop.cancel(timer) }
    opening?.cancel()
    pipe?.close()
    pipe = nil
  }
}
