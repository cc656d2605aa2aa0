import Bytes
import DictofunProtocol
import HCI
import Timeline
import Verdicts

/// DEV-10: whoever has no bond does not keep a recorder from its owner. A link that is not encrypted with the key of a bond
/// ends after half a minute in which the recorder, which has an owner, would not pair.
///
/// That a recorder has an owner is known from a bond that was made, or from a link that a kept key encrypted; whether one is
/// left after somebody unpaired is not. A phone whose link has ended may not have acknowledged that, and in air that loses packets
/// it may not have heard of it: the recorder keeps the link for the supervision time-out, which begins when its stack has sent
/// what it was given before, or has waited a second for that.
struct StrangersLeave: Monitor {
  /// How much later than promised the link may end.
  static let tolerance: Duration = .seconds(1)
  /// How long the recorder's stack may wait, before it ends a link, for what it was given to be sent.
  static let lastData: Duration = .seconds(1)

  private struct Device: NumberedState {
    var index: UInt16
    var hasOwner = false
    var isPressed = false
    /// Until when it pairs with anybody; `nil` where it never did.
    var pairsUntil: Instant?
    /// When a link began that nobody has encrypted; `nil` without one.
    var strangerSince: Instant?
    /// Whether somebody pairs on that link, so that encryption says nothing about a bond.
    var isPairing = false
    /// The supervision time-out of that link.
    var supervision = Duration.zero
    /// Whether a phone was told since then that its link ends, or may not hear of it.
    var mayLinger = false
    /// Whether its bootloader runs, which admits whoever was sent to it.
    var isUpdating = false

    /// When the link of the stranger is to end; `nil` where anybody may stay.
    var promised: Instant? {
      guard hasOwner, !isPressed, !isUpdating, let strangerSince else { return nil }
      return max(strangerSince, pairsUntil ?? strangerSince).advanced(by: DictofunAdmission.strangersLink)
    }

    /// A pairing that lasted longer than the stranger had was admitted, and its time begins anew.
    mutating func pairingFailed(at instant: Instant) {
      isPairing = false
      if let promised, promised < instant { strangerSince = instant }
    }

    /// By when the stranger must be gone; `nil` while it pairs, too.
    var deadline: Instant? {
      let rest = mayLinger ? StrangersLeave.lastData + supervision : .zero
      return isPairing ? nil : promised?.advanced(by: StrangersLeave.tolerance + rest)
    }
  }

  let declaration = MonitorDeclaration(
    "DEV-10", "a recorder with an owner ends a link without a bond within 30 s in which it does not pair",
    judges: .recorder, shows: ["holds"], needsWorld: "the button, and the recorder's end of the link")
  let interests: EventKinds = [.links, .security, .services, .otherEnd, .oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()
  private var isAirClear = true

  init() {}

  var deadline: Instant? { devices.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(let oracle) = event.happening {
      follow(oracle, at: event.instant)
      return .pending
    }
    guard event.source.part == .recorder else {
      if case .linkDown(.remoteUserTerminatedConnection) = event.happening { letStrangersLinger() }
      return .pending
    }
    let position = devices.place(of: Device(index: event.source.index))
    switch event.happening {
    case .linkUp(_, let parameters):
      devices[position].strangerSince = event.instant
      devices[position].isPairing = false
      devices[position].supervision = parameters.supervision
      devices[position].mayLinger = !isAirClear
    case .parametersChanged(let parameters): devices[position].supervision = parameters.supervision
    case .pairingStarted: devices[position].isPairing = true
    case .pairingFailed: devices[position].pairingFailed(at: event.instant)
    case .encrypted:
      devices[position].strangerSince = nil
      // The key of a pairing belongs to a bond only if both keep it.
      if !devices[position].isPairing { devices[position].hasOwner = true }
    case .unpairAnswered(isTaken: true): devices[position].hasOwner = false
    case .linkDown(let reason): return ended(position, reason, at: event.instant)
    default: break
    }
    return .pending
  }

  /// A phone was told that its link ends, by whom is not known, or packets get lost.
  private mutating func letStrangersLinger() {
    for position in devices.indices where devices[position].strangerSince != nil { devices[position].mayLinger = true }
  }

  private mutating func follow(_ oracle: OracleEvent, at instant: Instant) {
    if case .air(let isClear) = oracle {
      isAirClear = isClear
      if !isClear { letStrangersLinger() }
    }
    guard case .recorder(let index) = oracle.party else { return }
    let position = devices.place(of: Device(index: index))
    let open = instant.advanced(by: DictofunAdmission.pairingWindow)
    switch oracle {
    case .buttonPressed:
      devices[position].isPressed = true
      devices[position].pairsUntil = open
    case .buttonReleased:
      devices[position].isPressed = false
      devices[position].pairsUntil = open
    case .bondMade(_, _, let others):
      devices[position].hasOwner = true
      if others == 0 { devices[position].pairsUntil = open }
    case .bondsRemoved, .bondsForgottenByHand: devices[position].hasOwner = false
    case .recorderPowered(_, let isOn):
      devices[position].strangerSince = nil
      // What it counted is gone with its power.
      if !isOn { devices[position].pairsUntil = nil }
    case .update(.bootloaderStarted): wasReset(position, isUpdating: true)
    case .update(.firmwareStarted): wasReset(position, isUpdating: false)
    default: break
    }
  }

  /// Its chip was reset, which ends links without a word.
  private mutating func wasReset(_ position: Int, isUpdating: Bool) {
    devices[position].strangerSince = nil
    devices[position].isUpdating = isUpdating
  }

  /// A link ended. That the recorder ended it after the promised time shows that nobody can stay.
  private mutating func ended(_ position: Int, _ reason: ErrorCode, at instant: Instant) -> Observation {
    defer { devices[position].strangerSince = nil }
    guard let promised = devices[position].promised, reason == .connectionTerminatedByLocalHost,
      instant.duration(to: promised) <= Self.tolerance
    else { return .pending }
    preconditionCount += 1
    return .met
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let position = devices.firstDue(at: instant) else { return .pending }
    devices[position].strangerSince = nil
    preconditionCount += 1
    return .violated(
      "recorder \(devices[position].index) has an owner and keeps the link of a phone without a bond for more than "
        + "\(DictofunAdmission.strangersLink.components.seconds) s")
  }
}
