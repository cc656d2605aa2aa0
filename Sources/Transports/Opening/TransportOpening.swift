import Glibc
import HCI
import Timeline

/// Opens the one pipe that a specification names: takes an adapter, connects to a place, or waits there for the first to
/// come.
public final class TransportOpening {
  private let specification: TransportSpecification
  private let loop: EventLoop
  private let side: H4Decoder.Side
  private var completion: ((Result<any PacketPipe, TransportFailure>) -> Void)?
  private var deadline: ScheduledEvent?
  private var server: TransportServer?
  private var connecting: StreamSocket?
  /// Opened, and handed over as soon as the loop runs.
  private var opened: (any PacketPipe)?

  /// Where a server among the specifications listens, with the port that the system chose.
  public var listeningAt: TransportSpecification? { server?.specification }
  /// What to tell the person at the console when a server among the specifications is open to the network.
  public var exposure: String? { server?.exposure }
  /// What the owner of the adapter should know about it, one sentence each; known when it is opened.
  public private(set) var notes: [String] = []

  /// Begins to open `specification`, where we are `side`; `completion` is called once, on the loop's thread and never
  /// from within this call, unless the opening is cancelled or released before. Adapters are controllers, so `side` says
  /// nothing about them.
  public init(
    _ specification: TransportSpecification, on loop: EventLoop, side: H4Decoder.Side = .host,
    options: OpeningOptions = OpeningOptions(), completion: @escaping (Result<any PacketPipe, TransportFailure>) -> Void
  ) throws(TransportFailure) {
    self.specification = specification
    self.loop = loop
    self.side = side
    self.completion = completion
    switch specification {
    case .usb(let selector):
      try handOver { () throws(AdapterTrouble) in
        let (pipe, notes) = try USBOpening.open(selector, options, on: loop)
        self.notes = notes
        return pipe
      }
    case .hciSocket(let index): try takeFromKernel(index, options)
    case .serial(let path, let speed):
      try handOver { () throws(AdapterTrouble) in
        H4Pipe(over: try SerialPort.open(path, speed: speed), on: loop, side: .host)
      }
    case .tcpServer, .unixServer:
      server = try TransportServer(specification, on: loop, side: side, admitting: .once) { [weak self] pipe in
        self?.finish(.success(pipe))
      }
    case .tcpClient(let host, let port): try connect(to: .resolve(host: host, port: port))
    case .unixClient(let path): try connect(to: .unix(path: path))
    }
    deadline = loop.schedule(after: options.patience, .deadline) { [weak self] in
      self?.finish(.failure(.timedOut(specification)))
    }
  }

  deinit { cancel() }

  /// Gives up: nothing is opened and `completion` is not called.
  public func cancel() {
    completion = nil
    release()
  }

  /// Opens `specification` before a run begins: drives the loop until the pipe is there. The patience is counted
  /// by the loop, which must not be running already.
  public static func open(
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

  /// An adapter that has just been plugged in is busy while the kernel asks what it is, for less than a second; one that
  /// is still busy then is somebody's.
  private func takeFromKernel(_ index: UInt16, _ options: OpeningOptions, attemptsLeft: Int = 10)
    throws(TransportFailure)
  {
    do throws(TransportFailure) {
      try handOver { () throws(AdapterTrouble) in
        let system = LinuxHCISystem()
        return UserChannelPipe(try .take(index, options, system), of: system, on: loop)
      }
    } catch {
      guard case .adapter(.busy, _) = error, attemptsLeft > 0 else { throw error }
      loop.schedule(after: .milliseconds(100)) { [weak self] in
        do throws(TransportFailure) {
          guard let self, completion != nil else { return }
          try takeFromKernel(index, options, attemptsLeft: attemptsLeft - 1)
        } catch { self?.finish(.failure(error)) }
      }
    }
  }

  /// Takes an adapter at once; it is handed over from the loop, as everything is.
  private func handOver(_ open: () throws(AdapterTrouble) -> any PacketPipe) throws(TransportFailure) {
    do { opened = try open() } catch { throw .adapter(error, specification) }
    loop.schedule(after: .zero) { [weak self] in
      guard let self, let pipe = opened else { return }
      opened = nil
      finish(.success(pipe))
    }
  }

  private func connect(to address: SocketAddress) throws(TransportFailure) {
    do {
      let socket = try StreamSocket.open(family: address.family)
      connecting = socket
      // A Unix socket connects at once; the loop then finds it writable, so both ways are one.
      _ = try socket.connect(to: address)
      loop.watch(socket.descriptor, for: .writable) { [weak self] _ in self?.connected() }
    } catch {
      release()
      throw .system(error, specification)
    }
  }

  private func connected() {
    guard let socket = connecting else { return }
    loop.unwatch(socket.descriptor)
    do {
      try socket.finishConnecting()
      connecting = nil
      finish(.success(H4Pipe(adopting: socket.descriptor, on: loop, side: side)))
    } catch { finish(.failure(.system(error, specification))) }
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
    server?.close()
    server = nil
    if let connecting {
      loop.unwatch(connecting.descriptor)
      connecting.close()
    }
    connecting = nil
    opened?.close()
    opened = nil
  }
}
