import HCI
import Timeline

/// One kind of way to a controller or a host: how it is written, and how it is opened.
///
/// A new kind is one file with a type that conforms, and its line in ``TransportKinds/all``.
protocol Transport: Hashable, Sendable {
  /// The words before the colon that mean this kind; the first is the one that is written.
  static var schemes: [String] { get }
  /// Short words that people write by mistake.
  static var aliases: [String] { get }
  /// What may follow the colon, by example.
  static var examples: [String] { get }

  /// Reads what follows the colon after `scheme`.
  init(parsing rest: String, after scheme: String) throws(TransportSpecificationFailure)
  /// What follows the colon.
  var rest: String { get }
  /// Whether we wait at this place for somebody to come, rather than go there.
  var isServer: Bool { get }
  /// Where somebody must listen so that this transport reaches them; `nil` for adapters and servers.
  var listeningPlace: TransportSpecification? { get }
  /// The path of the Unix socket; `nil` for other kinds.
  var socketPath: String? { get }

  /// Takes the first step of a revival, as ``TransportSpecification/revive(by:)`` says.
  func revive(by means: Revival, _ tree: SystemTree) -> (() -> Void)?

  /// Begins to open the transport. Adapters are opened at once; everything else takes the time of the loop.
  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt
}

extension Transport {
  static var aliases: [String] { [] }
  var isServer: Bool { false }
  var listeningPlace: TransportSpecification? { nil }
  var socketPath: String? { nil }

  func revive(by means: Revival, _ tree: SystemTree) -> (() -> Void)? { nil }

  /// The failure for text that does not have the form of this kind.
  static func incomplete(_ scheme: String) -> TransportSpecificationFailure {
    let forms = examples.map { "\(scheme):\($0)" }
    let first = forms.dropLast().joined(separator: ", ")
    return .incomplete(scheme: scheme, form: (first.isEmpty ? "" : first + " or ") + (forms.last ?? ""))
  }
}

/// What a transport needs in order to open its pipe.
struct OpeningRequest {
  /// What the person gave, for messages.
  let specification: TransportSpecification
  /// The loop on which the pipe lives.
  let loop: EventLoop
  /// Which side of HCI we are; adapters are always controllers.
  let side: H4Decoder.Side
  /// How to open it.
  let options: OpeningOptions
  /// Takes a sentence that the owner of the adapter should know.
  let note: (String) -> Void
  /// Takes the numbers of an adapter on USB, where the transport knows them.
  let identify: (USBNumbers) -> Void
  /// Called once with the pipe, or with the reason why there is none; never from within ``Transport/begin(_:)``.
  let finish: (Result<any PacketPipe, TransportFailure>) -> Void
}

/// An attempt to open a transport that has begun.
protocol OpeningAttempt: AnyObject {
  /// Where a server listens, with the port that the system chose.
  var listeningAt: TransportSpecification? { get }
  /// What to tell the person at the console when a server is open to the network.
  var exposure: String? { get }
  /// Gives up, and gives back what is not handed over yet.
  func cancel()
}

extension OpeningAttempt {
  var listeningAt: TransportSpecification? { nil }
  var exposure: String? { nil }
}

/// A transport that is opened at once, handed over from the loop as every other one is.
final class ImmediateAttempt: OpeningAttempt {
  private var pipe: (any PacketPipe)?

  init(_ request: OpeningRequest, _ open: () throws(AdapterTrouble) -> any PacketPipe) throws(TransportFailure) {
    do { pipe = try open() } catch { throw .adapter(error, request.specification) }
    request.loop.schedule(after: .zero) { [weak self] in
      guard let self, let pipe else { return }
      self.pipe = nil
      request.finish(.success(pipe))
    }
  }

  func cancel() {
    pipe?.close()
    pipe = nil
  }
}
