import HCI
import Timeline

/// Finds the quirks of an adapter that was just opened, and hands over a pipe on which a host does not notice them.
///
///     opened ─▶ (slow to open: wait) ─▶ (an entry depends on the version: ask for it) ─▶ handed over
///
/// A controller that does not tell its version in time is handed over with what is known of it.
final class AdapterPreparation: PacketReceiver {
  /// An adapter that can be used.
  struct PreparedAdapter {
    let pipe: any PacketPipe
    let identity: AdapterIdentity
    /// The entries that mean it.
    let entries: [QuirkEntry]
  }

  /// How long the question for the version may take.
  private static let patience = Duration.seconds(1)

  private var pipe: (any PacketPipe)?
  private var identity: AdapterIdentity
  private let library: QuirkLibrary
  private let loop: EventLoop
  private let finish: (PreparedAdapter) -> Void
  private var timer: ScheduledEvent?
  private var wasAsked = false

  init(
    _ pipe: any PacketPipe, _ identity: AdapterIdentity, _ library: QuirkLibrary, on loop: EventLoop,
    finish: @escaping (PreparedAdapter) -> Void
  ) {
    self.pipe = pipe
    self.identity = identity
    self.library = library
    self.loop = loop
    self.finish = finish
  }

  /// Begins; the adapter is handed over at once where nothing has to be found out.
  func begin() {
    let isSlow = library.entries(for: identity).contains { $0.quirks.contains(.slowToOpen) }
    guard isSlow else { return ask() }
    timer = loop.schedule(after: AdapterQuirk.settlingTime) { [weak self] in self?.ask() }
  }

  /// Gives up, and gives back what is not handed over yet.
  func cancel() {
    stop()
    pipe?.close()
    pipe = nil
  }

  private func ask() {
    stop()
    guard library.dependsOnVersion(of: identity), let pipe else { return handOver() }
    timer = loop.schedule(after: Self.patience) { [weak self] in self?.handOver() }
    wasAsked = true
    pipe.receiver = self
    pipe.send(Command.readLocalVersionInformation.packet)
  }

  func receive(_ packet: HCIPacket) {
    guard packet.kind == .event,
      case .commandComplete(_, _, .localVersion(let version))? = try? Event(decoding: packet.bytes)
    else { return }
    identity.version = version
    handOver()
  }

  /// Whoever uses the pipe is told when they listen.
  func pipeClosed(_ reason: PipeClosure) { handOver(closed: reason) }

  private func handOver(closed reason: PipeClosure? = nil) {
    stop()
    guard let pipe else { return }
    self.pipe = nil
    let entries = library.entries(for: identity)
    let quirks = AdapterQuirk.allCases.filter { quirk in entries.contains { $0.quirks.contains(quirk) } }
    let isBare = quirks.isEmpty && !wasAsked
    finish(
      PreparedAdapter(
        pipe: isBare ? pipe : adapted(pipe, quirks, closed: reason), identity: identity, entries: entries))
  }

  private func adapted(_ pipe: any PacketPipe, _ quirks: [AdapterQuirk], closed reason: PipeClosure?) -> AdaptedPipe {
    let adapted = AdaptedPipe(pipe, without: quirks, on: loop)
    if wasAsked { adapted.hold() }
    if let reason { adapted.pipeClosed(reason) }
    return adapted
  }

  private func stop() {
    if let timer { loop.cancel(timer) }
    timer = nil
  }
}

extension QuirkEntry {
  /// What the owner of the adapter should know: its quirks, and who says so.
  package var note: String {
    "known for \(quirks.map { "\($0.rawValue) (\($0.meaning))" }.joined(separator: ", ")), says \(source)"
  }
}
