import DictofunProtocol
import Timeline
import Verdicts

/// APP-1.3.1.1: the phone asks for the battery in every connection.
///
/// A rule against vacuity: it is violated when another service is used before the battery was asked for, and when a
/// link lives five seconds after discovery without it, besides the silence that it may have. A link that ends earlier, or
/// on which the recorder never answered anything, says nothing, and a bootloader has no battery service. A recorder that
/// records answers when it is done, a phone that pairs waits for the recorder, and in air that loses packets the question may
/// take any time.
struct BatteryOncePerConnection: Monitor {
  /// How long a link may live after discovery before the battery is asked for, besides its supervision time-out.
  static let patience: Duration = .seconds(5)

  private struct Link {
    var isDecided = false
    var isCounted = false
    /// Whether the recorder said something. A phone waits for the answer to one request before it makes the next.
    var isAnswered = false
    /// Whether they pair: until that ends, the phone waits for the recorder.
    var isPairing = false
    /// How long it may take.
    var patience: Duration
    var deadline: Instant?
  }

  let declaration = MonitorDeclaration(
    "APP-1.3.1.1", "the phone asks for the battery level in every connection, before anything else", judges: .phone)
  let interests: EventKinds = [.links, .security, .battery, .services, .firmwareUpdate, .oracle]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  private var recording = RecordingRecorders()
  private var isAirClear = true

  init() {}

  var deadline: Instant? { links.earliest(\.deadline) }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(.air(let isClear)): isAirClear = isClear
    case .oracle(let oracle): _ = recording.follow(oracle)
    case .linkUp(_, let parameters): links[event] = Link(patience: Self.patience + parameters.supervision)
    case .linkDown, .undetermined, .firmwareUpdate(.bootloaderKnown): links[event] = nil
    case .pairingStarted: links[event]?.isPairing = true
    case .pairingFailed, .encryptionFailed: links[event]?.isPairing = false
    case .paired:
      links[event]?.isPairing = false
      noteAnswer(event)
    case .maximumTransmissionUnit, .encrypted: noteAnswer(event)
    case .attributesKnown(let isRemembered):
      if !isRemembered { links[event]?.isAnswered = true }
      guard var link = links[event], !link.isDecided else { return .pending }
      count(&link)
      link.deadline = event.instant.advanced(by: link.patience)
      links[event] = link
    case .batteryAsked:
      guard let link = links[event], !link.isDecided else { return .pending }
      return decide(link, event, .met)
    case .serviceUsed(let service) where service != .battery:
      guard let link = links[event], !link.isDecided else { return .pending }
      return decide(link, event, .violated("the phone \(service.use) before it asked for the battery level"))
    default: break
    }
    return .pending
  }

  /// What the phone asks next may be lost for as long as the link lives, so its time begins with the last answer.
  private mutating func noteAnswer(_ event: ProductEvent) {
    _ = links.change(event) { link in
      link.isAnswered = true
      if link.deadline != nil { link.deadline = event.instant.advanced(by: link.patience) }
    }
  }

  private mutating func decide(_ link: Link, _ event: ProductEvent, _ observation: Observation) -> Observation {
    var link = link
    count(&link)
    link.isDecided = true
    link.deadline = nil
    links[event] = link
    return observation
  }

  private mutating func count(_ link: inout Link) {
    guard !link.isCounted else { return }
    link.isCounted = true
    preconditionCount += 1
  }

  mutating func reach(_ instant: Instant) -> Observation {
    var isViolated = false
    _ = links.changeFirst(where: { $0.deadline.map { $0 <= instant } ?? false }) { link in
      guard recording.isEmpty, isAirClear, !link.isPairing else {
        return link.deadline = instant.advanced(by: link.patience)
      }
      isViolated = link.isAnswered
      link.isDecided = true
      link.deadline = nil
    }
    return isViolated ? .violated("the phone did not ask for the battery level in time after discovery") : .pending
  }
}

/// APP-1.3.1: the phone asks for the battery at least every minute of a connection.
///
/// A link that ends within its first minute says nothing.
struct BatteryEveryMinute: Monitor {
  /// The longest time without a level, with room for an answer over a bad link.
  static let period: Duration = .seconds(65)
  /// How old a link is before a level in time says something.
  static let minute: Duration = .seconds(60)

  private struct Link {
    /// Since when the phone can ask.
    var since: Instant?
    /// Until when it must have asked again, or have been told.
    var deadline: Instant?
    private var isCounted = false

    /// Says whether it was not counted yet.
    mutating func count() -> Bool {
      defer { isCounted = true }
      return !isCounted
    }
  }

  let declaration = MonitorDeclaration(
    "APP-1.3.1", "the phone learns the battery level at least every 60 s of a connection", judges: .phone,
    shows: ["minute"])
  let interests: EventKinds = [.links, .battery]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()

  init() {}

  var deadline: Instant? { links.earliest(\.deadline) }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .linkUp: links[event] = Link()
    case .linkDown, .undetermined: links[event] = nil
    case .batteryAsked, .batteryNotified: return learnt(event)
    case .attributesKnown where links[event]?.since == nil: _ = learnt(event)
    default: break
    }
    return .pending
  }

  private mutating func learnt(_ event: ProductEvent) -> Observation {
    guard var link = links[event] else { return .pending }
    let since = link.since ?? event.instant
    let isOld = since.duration(to: event.instant) >= Self.minute
    link.since = since
    link.deadline = event.instant.advanced(by: Self.period)
    if isOld, link.count() { preconditionCount += 1 }
    links[event] = link
    return isOld ? .met : .pending
  }

  mutating func reach(_ instant: Instant) -> Observation {
    var isNew = false
    let isDue = links.changeFirst(where: { $0.deadline.map { $0 <= instant } ?? false }) { link in
      link.deadline = nil
      isNew = link.count()
    }
    if isNew { preconditionCount += 1 }
    return isDue ? .violated("the phone got no battery level for 65 s of a connection") : .pending
  }
}

/// APP-1.3.1.2: the phone tells its user about a low battery.
///
/// A level that is notified on a link before the phone has asked for one, or for its notifications, may mean nothing to it: it
/// may still be looking for the Battery Service. One that comes while the phone is ending the link is not heard, and in air that
/// loses packets, or where a recorder's power is gone, that may take any time. In such air the recorder may end the link as
/// well, and its word come first.
struct LowBatteryIsShown: Monitor {
  /// How long the phone may take.
  static let patience: Duration = .seconds(1)

  private struct Link {
    var rule = LowBatteryRule()
    var phone: UInt16
    var hasAsked = false
    var isUp = true
    /// Whether a recorder lost its power since the link began, so that it shows late who ends the link.
    var mayBeSilent = false
    /// Whether the air lost packets when the level came.
    var isDoubtful = false
    var deadline: Instant?
  }

  let declaration = MonitorDeclaration(
    "APP-1.3.1.2", "the phone tells its user within 1 s that the battery is low", judges: .phone,
    needsWorld: "the phone's own view")
  let interests: EventKinds = [.links, .battery, .oracle]
  let needsPlayedPhone = true
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  private var isAirClear = true

  init() {}

  var deadline: Instant? { links.earliest(\.deadline) }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(.air(let isClear)): isAirClear = isClear
    case .oracle(.recorderPowered(_, let isOn)):
      if !isOn { links.changeAll { $0.mayBeSilent = true } }
    case .linkUp: links[event] = Link(phone: event.source.index)
    case .linkDown(.connectionTerminatedByLocalHost): links[event] = nil
    case .linkDown(.remoteUserTerminatedConnection) where links[event]?.isDoubtful == true: links[event] = nil
    case .linkDown:
      if links[event]?.deadline == nil { links[event] = nil }
      links[event]?.isUp = false
    case .batteryAsked, .batterySubscribed: links[event]?.hasAsked = true
    case .batteryRead(let percent), .batteryNotified(let percent):
      guard var link = links[event], link.hasAsked else { return .pending }
      let wasLow = link.rule.isLow
      link.rule.observe(percent: percent)
      if !wasLow, link.rule.isLow {
        preconditionCount += 1
        link.deadline = event.instant.advanced(by: Self.patience)
        link.isDoubtful = !isAirClear
      }
      links[event] = link
    case .oracle(.lowBatteryShown(let phone, _)):
      let isAwaited = links.changeFirst(where: { $0.phone == phone && $0.deadline != nil }) { $0.deadline = nil }
      return isAwaited ? .met : .pending
    default: break
    }
    return .pending
  }

  mutating func reach(_ instant: Instant) -> Observation {
    var isDue = false
    _ = links.changeFirst(where: { $0.deadline.map { $0 <= instant } ?? false }) { link in
      isDue = isAirClear && !link.mayBeSilent || !link.isUp
      link.deadline = isDue ? nil : instant.advanced(by: Self.patience)
    }
    return isDue ? .violated("the battery was low and the phone did not say so within 1 s") : .pending
  }
}

/// DEV-7: what the recorder tells as its battery level is a percentage.
struct BatteryIsAPercentage: Monitor {
  let declaration = MonitorDeclaration(
    "DEV-7", "the recorder's battery level is a percentage", judges: .recorder, shows: ["percentage"])
  let interests: EventKinds = [.battery]
  private(set) var preconditionCount = 0

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .batteryRead(let percent), .batteryNotified(let percent):
      preconditionCount += 1
      return percent <= 100 ? .met : .violated("the battery level was \(percent), which is not a percentage")
    default: return .pending
    }
  }
}
