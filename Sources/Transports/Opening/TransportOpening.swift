import HCI
import Timeline

/// Opens the one pipe that a specification names: takes an adapter, connects to a place, or waits there for the first to
/// come.
package final class TransportOpening {
  private let specification: TransportSpecification
  private let loop: EventLoop
  private var attempt: (any OpeningAttempt)?
  private var completion: ((Result<any PacketPipe, TransportFailure>) -> Void)?
  private var deadline: ScheduledEvent?

  /// Where a server among the specifications listens, with the port that the system chose.
  package var listeningAt: TransportSpecification? { attempt?.listeningAt }
  /// What to tell the person at the console when a server among the specifications is open to the network.
  package var exposure: String? { attempt?.exposure }
  /// What the owner of the adapter should know about it, one sentence each; known once it is opened.
  package private(set) var notes: [String] = []
  /// By what the adapter is known; its version is known only where a quirk depends on it.
  package private(set) var identity: AdapterIdentity
  /// The entries of the library that mean the adapter; known once it is opened.
  package private(set) var quirks: [QuirkEntry] = []

  private let options: OpeningOptions
  private let side: H4Decoder.Side
  private var preparation: AdapterPreparation?

  /// Begins to open `specification`, where we are `side`; `completion` is called once, on the loop's thread and never
  /// from within this call, unless the opening is cancelled or released before. Adapters are always controllers, whatever
  /// `side` is.
  package init(
    _ specification: TransportSpecification, on loop: EventLoop, side: H4Decoder.Side = .host,
    options: OpeningOptions = OpeningOptions(), completion: @escaping (Result<any PacketPipe, TransportFailure>) -> Void
  ) throws(TransportFailure) {
    self.specification = specification
    self.loop = loop
    self.completion = completion
    self.options = options
    self.side = side
    identity = AdapterIdentity(adapter: specification.description)
    attempt = try specification.transport.begin(
      OpeningRequest(
        specification: specification, loop: loop, side: side, options: options,
        note: { [weak self] in self?.notes.append($0) }, identify: { [weak self] in self?.identity.usb = $0 },
        finish: { [weak self] in self?.opened($0) }))
    deadline = loop.schedule(after: options.patience, .deadline) { [weak self] in
      self?.finish(.failure(.timedOut(specification)))
    }
  }

  deinit { cancel() }

  /// Gives up: nothing is opened and `completion` is not called.
  package func cancel() {
    completion = nil
    release()
  }

  /// Opens `specification` before a run begins: drives the loop until the pipe is there. The patience is counted
  /// by the loop, which must not be running already.
  package static func open(
    _ specification: TransportSpecification, on loop: EventLoop, side: H4Decoder.Side = .host,
    options: OpeningOptions = OpeningOptions(), whenListening: (TransportOpening) -> Void = { _ in },
    whenOpened: (TransportOpening) -> Void = { _ in }
  ) throws(TransportFailure) -> any PacketPipe {
    var result: Result<any PacketPipe, TransportFailure>?
    let opening = try TransportOpening(specification, on: loop, side: side, options: options) { result = $0 }
    if specification.isServer { whenListening(opening) }
    loop.runEvents { result != nil }
    if case .success = result { whenOpened(opening) }
    opening.cancel()
    // The loop returns without a result only when it was asked to stop.
    guard let result else { throw .timedOut(specification) }
    return try result.get()
  }

  /// Prepares an adapter that may have quirks; whoever uses controllers of ours is not asked for any.
  private func opened(_ result: Result<any PacketPipe, TransportFailure>) {
    guard case .success(let pipe) = result, side == .host, !options.quirks.entries.isEmpty else {
      return finish(result)
    }
    if let deadline { loop.cancel(deadline) }
    deadline = nil
    let preparation = AdapterPreparation(pipe, identity, options.quirks, on: loop) { [weak self] adapter in
      guard let self else { return }
      (identity, quirks) = (adapter.identity, adapter.entries)
      notes += adapter.entries.map { "\(self.specification): \($0.note)" }
      finish(.success(adapter.pipe))
    }
    self.preparation = preparation
    preparation.begin()
  }

  private func finish(_ result: Result<any PacketPipe, TransportFailure>) {
    let completion = completion
    self.completion = nil
    release()
    completion?(result)
  }

  private func release() {
    if let deadline { loop.cancel(deadline) }
    deadline = nil
    attempt?.cancel()
    attempt = nil
    preparation?.cancel()
    preparation = nil
  }
}
