import DictofunProtocol
import Timeline
import Verdicts

/// APP-1.3.1.3: while the battery is low the phone does nothing but ask for its level.
///
/// Low is 12 % or less, until 24 % (``LowBatteryRule``) or the end of the link. Allowed are link control, pairing and
/// encryption, disconnecting, and reading the battery; the recorder's own reading of the time must be refused, unless the
/// phone's operating system answers it before a notified level has woken up an application in the background. A request that
/// was queued before the level came does not violate the requirement; with one request at a time (Vol 3, Part F, 3.3.2) there
/// is at most one. It goes out right after the answer that tells the level; where the level is notified, when another request
/// is answered. A running download cannot be aborted, so the phone must end the link; what a scenario asked for itself it does
/// not know of. A level that is notified on a link before the phone has asked for one, or for its notifications, may mean
/// nothing to it: it may still be looking for the Battery Service.
struct NothingButBatteryWhileLow: Monitor {
  /// How soon after an answer a queued request leaves. After a notification the answer may take three connection intervals.
  static let queueing: Duration = .milliseconds(10)
  /// How long after a notified level an operating system may still give the time. Who asks for the level is awake.
  static let waking: Duration = .milliseconds(100)
  /// How much longer than its supervision time-out a link may carry file data after the reading.
  static let ending: Duration = .seconds(1)

  private struct Link {
    var rule = LowBatteryRule()
    var supervision: Duration
    var interval: Duration
    var hasAsked = false
    var lowSince: Instant?
    /// How long a queued request may still leave.
    var queueing: Duration = .zero
    /// How long the time may still be given.
    var waking: Duration = .zero
    var wasQueued = false
    /// Whether a scenario wrote something on it.
    var isImprovised = false
    var isReported = false
  }

  let declaration = MonitorDeclaration(
    "APP-1.3.1.3", "while the battery is low, the phone asks only for the battery level", judges: .phone)
  let interests: EventKinds = [.links, .battery, .services, .time, .fileData, .oracle]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  private var lowLinkCount = 0

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .linkUp(_, let parameters) = event.happening {
      links[event] = Link(supervision: parameters.supervision, interval: parameters.interval)
      return .pending
    }
    if case .oracle(let oracle) = event.happening {
      if case .update(.improvised) = oracle { links.changeAll { $0.isImprovised = true } }
      return .pending
    }
    // Most events are file data on a link whose battery is good.
    if lowLinkCount == 0, case .fileTransfer = event.happening { return .pending }
    guard var link = links[event] else { return .pending }
    switch event.happening {
    case .linkDown, .undetermined:
      links[event] = nil
      guard link.lowSince != nil else { return .pending }
      lowLinkCount -= 1
      return link.isReported ? .pending : .met
    case .parametersChanged(let parameters):
      link.supervision = parameters.supervision
      link.interval = parameters.interval
      links[event] = link
      return .pending
    case .batteryAsked, .batterySubscribed:
      link.hasAsked = true
      links[event] = link
      return .pending
    case .batteryRead(let percent), .batteryNotified(let percent):
      guard link.hasAsked else { return .pending }
      let observation = level(percent, &link, at: event.instant)
      if case .batteryNotified = event.happening, link.lowSince == event.instant {
        link.queueing = Self.queueing + link.interval * 3
        link.waking = Self.waking
      }
      links[event] = link
      return observation
    default:
      guard let lowSince = link.lowSince, !link.isReported,
        let trespass = trespass(event, &link, lowFor: lowSince.duration(to: event.instant))
      else {
        links[event] = link
        return .pending
      }
      link.isReported = true
      links[event] = link
      return .violated("the battery had been low since \(lowSince) s, but \(trespass)")
    }
  }

  private mutating func level(_ percent: UInt8, _ link: inout Link, at instant: Instant) -> Observation {
    let wasLow = link.rule.isLow
    link.rule.observe(percent: percent)
    switch (wasLow, link.rule.isLow) {
    case (false, true):
      preconditionCount += 1
      lowLinkCount += 1
      link.lowSince = instant
      link.queueing = Self.queueing
      link.waking = Self.queueing
      link.wasQueued = false
      link.isReported = false
    case (true, false):
      link.lowSince = nil
      lowLinkCount -= 1
      return link.isReported ? .pending : .met
    default: break
    }
    return .pending
  }

  private func trespass(_ event: ProductEvent, _ link: inout Link, lowFor: Duration) -> String? {
    switch event.happening {
    case .serviceUsed(let service) where service != .battery:
      if lowFor <= link.queueing, !link.wasQueued {
        link.wasQueued = true
        return nil
      }
      return "the phone \(service.use)"
    case .timeServed where lowFor > link.waking: return "the phone gave the time"
    case .fileTransfer(.data) where lowFor > link.supervision + Self.ending && !link.isImprovised:
      return "it continued a download"
    default: return nil
    }
  }

  mutating func finish(at instant: Instant) -> Observation {
    links.states.contains { $0.lowSince != nil && !$0.isReported } ? .met : .pending
  }
}
