import Requirements
import Timeline
import Trace
import Verdicts

/// OWN-1: no connection lasts longer than a minute, because a recorder that stays connected does not save energy.
public struct LinksStayShort: Monitor {
  /// How long a connection may last.
  static let limit = Duration.seconds(60)

  private struct Link {
    let number: UInt32
    let host: TraceSource
    let end: Instant
  }

  public let declaration = MonitorDeclaration("OWN-1", "no connection lasts longer than a minute", judges: .phone)
  public let interests: EventKinds = .links
  public private(set) var preconditionCount = 0
  private var links: [Link] = []

  public init() {}

  public var deadline: Instant? { links.map(\.end).min() }

  public mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .linkUp:
      preconditionCount += 1
      links.append(Link(number: event.link, host: event.source, end: event.instant.advanced(by: Self.limit)))
      return .pending
    case .linkDown:
      // A connection that was too long has been reported at its deadline.
      guard let index = links.firstIndex(where: { $0.number == event.link && $0.host == event.source }) else {
        return .pending
      }
      links.remove(at: index)
      return .met
    default: return .pending
    }
  }

  public mutating func reach(_ instant: Instant) -> Observation {
    guard let index = links.firstIndex(where: { $0.end <= instant }) else { return .pending }
    return .violated("connection \(links.remove(at: index).number) lasted longer than 60 s")
  }
}
