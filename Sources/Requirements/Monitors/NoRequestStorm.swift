import DictofunProtocol
import Timeline
import Verdicts

/// APP-1.2.1, as far as restraint goes: the phone waits for an answer before it asks for more.
///
/// A request or two that cross the answer to the one before say nothing; a storm of them is more than a recorder that
/// serves one at a time can be asked to bear.
struct NoRequestStorm: Monitor {
  /// Requests that may come within ``span`` while one is being served.
  static let limit = 4
  /// The time in which they are counted.
  static let span: Duration = .seconds(1)

  private struct Link {
    var isServing = false
    /// The last file whose size was told: only its transfer has an end that can be seen.
    var informed: RecordIdentifier?
    /// When requests came that found another one running, the last ``limit`` of them.
    var early: [Instant] = []
    var isReported = false
    /// Whether a scenario wrote a request on it: what the recorder serves after that need not be what the phone asked for.
    var isImprovised = false
  }

  let declaration = MonitorDeclaration(
    "APP-1.2.1", "the phone does not flood the recorder with requests while it serves one", judges: .phone)
  let interests: EventKinds = [.links, .fileTransfer, .oracle]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  private var dictated = DictatedRequests()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    let isDictated = dictated.wrote(event)
    switch event.happening {
    case .linkUp: links[event] = Link()
    case .linkDown, .undetermined: links[event] = nil
    case .fileTransfer(.requested):
      preconditionCount += 1
      if isDictated { _ = links.change(event) { $0.isImprovised = true } }
      return links.change(event) { Self.requested(&$0, at: event.instant) } ?? .pending
    case .fileTransfer(.requestTaken(let request)):
      _ = links.change(event) { $0.isServing = Self.hasEnd(request, $0) || $0.isServing }
    case .fileTransfer(.informed(let identifier, _)):
      return links.change(event) { link in
        link.informed = identifier
        link.isServing = false
        return .met
      } ?? .pending
    case .fileTransfer(.answerNotEnabled): _ = links.change(event) { $0.isServing = false }
    case .fileTransfer(.listed), .fileTransfer(.completed), .fileTransfer(.fileSystemStatus),
      .fileTransfer(.status):
      return links.change(event) { link in
        link.isServing = false
        return .met
      } ?? .pending
    default: break
    }
    return .pending
  }

  /// Whether the end of a request will be seen.
  private static func hasEnd(_ request: ControlPointRequest, _ link: Link) -> Bool {
    switch request {
    case .listFiles, .fileInformation, .fileSystemStatus: true
    case .fileData(let identifier): identifier == link.informed
    case .receiveComplete, .unaccepted: false
    }
  }

  private static func requested(_ link: inout Link, at instant: Instant) -> Observation {
    guard link.isServing, !link.isImprovised else { return .pending }
    link.early.append(instant)
    if link.early.count > limit { link.early.removeFirst(link.early.count - limit) }
    guard link.early.count == limit, !link.isReported, link.early[0].duration(to: instant) <= span else {
      return .pending
    }
    link.isReported = true
    return .violated("the phone sent \(limit) requests within 1 s while the recorder was still serving another")
  }
}
