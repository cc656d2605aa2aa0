import HCI
import Timeline
import Transports

/// Serves one controller to hosts elsewhere, one at a time.
///
/// Between two hosts the controller is reset, so that nobody finds what another one left. A controller that is lost is
/// opened again until it is back; a host that uses it meanwhile is told that the connection ended.
package final class ControllerService {
  /// What is served, and where.
  package struct Plan: Sendable {
    /// The controller.
    package var controller: TransportSpecification
    /// How it is opened.
    package var opening: OpeningOptions
    /// Where hosts come.
    package var listens: [TransportSpecification]
    /// What goes wrong with events on purpose; `nil` for nothing.
    package var fault: EventFault?
    /// The seed by which events are chosen for that.
    package var seed: UInt64 = 1

    package init(controller: TransportSpecification, opening: OpeningOptions, listens: [TransportSpecification]) {
      self.controller = controller
      self.opening = opening
      self.listens = listens
    }
  }

  /// What the service tells; from the loop's thread.
  package enum Event: Equatable, Sendable {
    /// A sentence about the controller that was opened.
    case note(String)
    /// Hosts may come here.
    case listening(at: TransportSpecification)
    /// The controller is open and reset.
    case ready
    /// A host uses the controller.
    case hostCame
    /// The host is gone.
    case hostLeft
    /// Somebody came who does not have the key.
    case strangerRefused
    /// The controller is lost, or cannot be opened; it is tried again.
    case controllerLost(String)
  }

  /// How long a controller may take for a reset; the slowest ones load their firmware meanwhile.
  private static let resetPatience = Duration.seconds(5)
  /// How long nothing is done between two attempts to open the controller.
  private static let pause = Duration.seconds(1)

  private let plan: Plan
  private let loop: EventLoop
  private var relay: EventRelay?
  private let interruption: any InterruptionSource
  private let tell: (Event) -> Void
  private var servers: [TransportServer] = []
  private var opening: TransportOpening?
  private var controller: (any PacketPipe)?
  private var host: (any PacketPipe)?
  /// What receives at the two pipes, which hold it weakly.
  private var ends: (controller: ServiceEnd, host: ServiceEnd?)
  private var timer: ScheduledEvent?
  private var isReady = false
  /// What was told last of a controller that is not there, so that it is told once.
  private var trouble: String?
  private var failure: TransportFailure?

  /// A service that tells `tell` what happens.
  package init(_ plan: Plan, interruption: any InterruptionSource, tell: @escaping (Event) -> Void) {
    self.plan = plan
    self.interruption = interruption
    self.tell = tell
    ends = (ServiceEnd(), nil)
    loop = EventLoop(driver: .wall, seed: plan.seed)
    relay = EventRelay(plan.fault, on: loop) { [weak self] in self?.host?.send($0) }
  }

  /// Serves until it is interrupted.
  ///
  /// - Throws: ``TransportFailure`` where the controller cannot be opened the first time, or where nobody can be let in.
  package func run() throws(TransportFailure) {
    defer { close() }
    ends.controller.onPacket = { [weak self] in self?.arrived(fromController: $0) }
    ends.controller.onClose = { [weak self] in self?.lost("the controller was lost: \($0.reason)") }
    for place in plan.listens {
      let server = try TransportServer(place, on: loop, admitting: .many, strangers: .refused) { [weak self] in
        self?.admit($0)
      }
      server.onRefusal = { [weak self] in self?.tell(.strangerRefused) }
      servers.append(server)
      tell(.listening(at: server.specification))
    }
    open(isFirst: true)
    interruption.listen { [loop] in loop.requestStop() }
    loop.runEvents { failure != nil }
    if let failure { throw failure }
  }

  private func close() {
    if let timer { loop.cancel(timer) }
    opening?.cancel()
    for server in servers { server.close() }
    host?.close()
    controller?.close()
  }

  // MARK: The controller

  private func open(isFirst: Bool) {
    do {
      opening = try TransportOpening(plan.controller, on: loop, options: plan.opening) { [weak self] result in
        guard let self else { return }
        switch result {
        case .success(let pipe): opened(pipe)
        case .failure(let failure): notOpened(failure, isFirst: isFirst)
        }
      }
    } catch { notOpened(error, isFirst: isFirst) }
  }

  private func opened(_ pipe: any PacketPipe) {
    if trouble == nil { for note in opening?.notes ?? [] { tell(.note(note)) } }
    opening = nil
    controller = pipe
    pipe.receiver = ends.controller
    reset()
  }

  /// The first time it is the user's mistake; later somebody may have unplugged it.
  private func notOpened(_ failure: TransportFailure, isFirst: Bool) {
    opening = nil
    if isFirst { self.failure = failure } else { lost("\(failure.problem)") }
  }

  /// Ends whatever the controller does, so that the next host finds it as after power-on.
  private func reset() {
    guard let controller else { return }
    isReady = false
    controller.send(HCIPacket(.command, HCIReset.command))
    timer = loop.schedule(after: Self.resetPatience, .deadline) { [weak self] in
      self?.lost("the controller did not answer a reset")
    }
  }

  private func arrived(fromController packet: HCIPacket) {
    if isReady {
      relay?.take(packet)
    } else if HCIReset.isDone(packet) {
      if let timer { loop.cancel(timer) }
      timer = nil
      isReady = true
      trouble = nil
      if host == nil { tell(.ready) }
      connect()
    }
  }

  private func lost(_ reason: String) {
    isReady = false
    controller?.close()
    controller = nil
    if host != nil { leave() }
    if trouble != reason { tell(.controllerLost(reason)) }
    trouble = reason
    if let timer { loop.cancel(timer) }
    timer = loop.schedule(after: Self.pause) { [weak self] in self?.open(isFirst: false) }
  }

  // MARK: The host

  private func admit(_ pipe: any PacketPipe) {
    // Two hosts never share a controller, and nobody waits for one that is not there.
    guard host == nil, controller != nil else { return pipe.close() }
    host = pipe
    connect()
  }

  /// Lets the host begin, once the controller is reset. What the host has sent until then waits in its pipe.
  private func connect() {
    guard isReady, let host, ends.host == nil else { return }
    let end = ServiceEnd()
    end.onPacket = { [weak self] in self?.controller?.send($0) }
    end.onClose = { [weak self] _ in
      self?.leave()
      self?.reset()
    }
    ends.host = end
    tell(.hostCame)
    host.receiver = end
  }

  private func leave() {
    relay?.reset()
    host?.close()
    if ends.host != nil { tell(.hostLeft) }
    (host, ends.host) = (nil, nil)
  }
}

/// What stands at one pipe of a service.
private final class ServiceEnd: PacketReceiver {
  var onPacket: ((HCIPacket) -> Void)?
  var onClose: ((PipeClosure) -> Void)?

  func receive(_ packet: HCIPacket) { onPacket?(packet) }

  func pipeClosed(_ reason: PipeClosure) { onClose?(reason) }
}
