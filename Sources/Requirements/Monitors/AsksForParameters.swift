import DictofunProtocol
import HCI
import Packets
import Timeline
import Verdicts

/// DEV-12: the recorder asks for the documented connection parameters in every connection in which it takes a request, and
/// for nothing before.
struct AsksForParameters: Monitor {
  /// How long it may take after its first request.
  static let patience: Duration = .seconds(3)

  private struct Link {
    var parameters: LELinkParameters
    var hasRequest = false
    var hasAsked = false
    var deadline: Instant?

    var isQuick: Bool { parameters.intervalUnits <= DictofunLink.requestedIntervalUnits.upperBound }
  }

  let declaration = MonitorDeclaration(
    "DEV-12", "the recorder asks for the documented connection parameters when it takes a request, and not before",
    judges: .recorder, needsWorld: "a recorder that promises it")
  /// `false`: such a link still serves.
  let endsSteps = false
  let interests: EventKinds = [.links, .fileTransfer, .oracle]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  /// Whether the recorder is simulated. The published firmware asks at other times.
  private var isSimulated = false

  init() {}

  var deadline: Instant? { links.earliest(\.deadline) }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(.air): isSimulated = true
    case .linkUp(.central, let parameters): links[event] = Link(parameters: parameters)
    case .linkDown, .undetermined: links[event] = nil
    case .parametersChanged(let parameters): links[event]?.parameters = parameters
    case .fileTransfer(.requestTaken):
      guard isSimulated, var link = links[event], !link.hasRequest else { return .pending }
      link.hasRequest = true
      if !link.isQuick {
        preconditionCount += 1
        link.deadline = event.instant.advanced(by: Self.patience)
      }
      links[event] = link
      // A bootloader, which takes no such request, asks when it likes.
      if link.hasAsked { return .violated("the recorder asked for connection parameters before it had a request") }
    case .parametersAsked(let asked): return self.asked(asked, event)
    default: break
    }
    return .pending
  }

  private mutating func asked(_ asked: ParameterUpdateRequest, _ event: ProductEvent) -> Observation {
    guard isSimulated, let link = links[event] else { return .pending }
    links[event]?.hasAsked = true
    links[event]?.deadline = nil
    guard link.hasRequest else { return .pending }
    let documented = ParameterUpdateRequest(
      minimumIntervalUnits: DictofunLink.requestedIntervalUnits.lowerBound,
      maximumIntervalUnits: DictofunLink.requestedIntervalUnits.upperBound, latency: 0,
      supervisionTimeoutUnits: DictofunLink.requestedSupervisionUnits)
    if asked == documented { return .met }
    return .violated("the recorder asked for connection parameters that are not documented")
  }

  mutating func reach(_ instant: Instant) -> Observation {
    let isDue = links.changeFirst(where: { $0.deadline.map { $0 <= instant } ?? false }) { $0.deadline = nil }
    return isDue ? .violated("the recorder took a request and did not ask for a quick interval within 3 s") : .pending
  }
}
