import SecureDFU
import Timeline
import Verdicts

/// APP-1.4.2.2: what the phone shows about an update is so: the program it is connected with, the phase, and what is
/// installed in the end.
///
/// An update that began shows an end, or at least a sign of life every five minutes.
struct UpdateStateIsTrue: Monitor {
  /// How long the phone may take to see that a link is gone.
  static let patience: Duration = .seconds(1)
  /// How long an update may show nothing new. Putting an image in place takes half a minute.
  static let silence: Duration = .seconds(300)

  private struct PhoneState: NumberedState {
    var index: UInt16
    /// The link, and what its other end turned out to be.
    var link: UInt32?
    var place: UpdateState.Place?
    /// What the phone shows.
    var shown: UpdateState.Place = .nowhere
    var phase: UpdateState.Phase?
    /// The version of the update that runs.
    var version: UInt32?
    var isRunning = false
    var before = RunningFirmware()
    /// What it said in the end, while nothing else was begun.
    var claim: InstalledAfterUpdate?
    /// Until when it must have shown that its link is gone.
    var linkDeadline: Instant?
    /// Until when it must have shown anything.
    var silenceDeadline: Instant?

    var deadline: Instant? {
      guard let linkDeadline, let silenceDeadline else { return linkDeadline ?? silenceDeadline }
      return min(linkDeadline, silenceDeadline)
    }
  }

  let declaration = MonitorDeclaration(
    "APP-1.4.2.2", "the update state shown is true: link, phase, and the firmware installed in the end",
    judges: .phone, shows: ["true"], needsWorld: "the phone's own view")
  let interests: EventKinds = [.links, .battery, .fileTransfer, .firmwareUpdate, .oracle]
  let needsPlayedPhone = true
  private(set) var preconditionCount = 0
  private var phones = NumberedTable<PhoneState>()
  private var running = RunningFirmware()

  init() {}

  var deadline: Instant? { phones.deadline }

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(let oracle) = event.happening {
      guard case .update(let update) = oracle else { return .pending }
      return state(update, at: event.instant)
    }
    guard event.source.part == .phone else { return .pending }
    let position = position(event.source.index)
    switch event.happening {
    case .linkUp:
      phones[position].link = event.link
      phones[position].place = nil
    case .linkDown where phones[position].link == event.link:
      phones[position].link = nil
      phones[position].place = nil
      if phones[position].isRunning, phones[position].shown != .nowhere {
        phones[position].linkDeadline = event.instant.advanced(by: Self.patience)
      }
    // What is only remembered may have become something else at the same address.
    case .attributesKnown(remembered: false), .batteryRead, .fileTransfer:
      return found(.application, &phones[position], event)
    case .firmwareUpdate(.bootloaderKnown(remembered: false)), .firmwareUpdate(.answered):
      return found(.bootloader, &phones[position], event)
    default: break
    }
    return .pending
  }

  private mutating func position(_ index: UInt16) -> Int { phones.place(of: PhoneState(index: index)) }

  /// The other end of the link is known now. What was shown before was shown in advance.
  private func found(_ place: UpdateState.Place, _ phone: inout PhoneState, _ event: ProductEvent) -> Observation {
    guard phone.link == event.link, phone.place != place else { return .pending }
    phone.place = place
    guard phone.isRunning, phone.shown != .nowhere, phone.shown != place, phone.linkDeadline == nil else {
      return .pending
    }
    return .violated("phone \(phone.index) showed the \(phone.shown) but is connected to the \(place)")
  }

  // MARK: What the phone says

  private mutating func state(_ update: UpdateOracle, at instant: Instant) -> Observation {
    running.observe(update)
    switch update {
    case .begun(let index, let version, _):
      let position = position(index)
      preconditionCount += 1
      for phone in phones.indices { phones[phone].claim = nil }
      phones[position].isRunning = true
      phones[position].version = version
      phones[position].phase = nil
      phones[position].before = running
      phones[position].silenceDeadline = instant.advanced(by: Self.silence)
    case .shown(let index, let state):
      let position = position(index)
      return show(state, &phones[position], at: instant)
    case .ended(let index, let installed, _):
      let position = position(index)
      return end(installed, &phones[position])
    case .firmwareInstalled:
      // Nobody may have known it before.
      for index in phones.indices where phones[index].isRunning { phones[index].before.observe(update) }
    case .firmwareStarted(_, let version, _): return contradiction(version)
    default: break
    }
    return .pending
  }

  private func show(_ state: UpdateState, _ phone: inout PhoneState, at instant: Instant) -> Observation {
    let phase = phone.phase
    phone.shown = state.place
    phone.phase = state.phase
    phone.linkDeadline = nil
    guard phone.isRunning else { return .pending }
    phone.silenceDeadline = instant.advanced(by: Self.silence)
    if state.place != .nowhere {
      guard phone.link != nil else {
        return .violated("phone \(phone.index) showed the \(state.place) but has no link")
      }
      if let place = phone.place, place != state.place {
        return .violated("phone \(phone.index) showed the \(state.place) but is connected to the \(place)")
      }
    }
    guard let phase, phase != state.phase, !Self.followers(of: phase).contains(state.phase) else { return .pending }
    return .violated("the phase shown went from \(phase) to \(state.phase)")
  }

  /// The phases that may come after one. A link that breaks leads back to finding, and a bootloader that is gone or has
  /// to be told everything again further back.
  private static func followers(of phase: UpdateState.Phase) -> [UpdateState.Phase] {
    switch phase {
    case .checking: [.entering, .finding, .announcing, .ended]
    case .entering: [.finding, .announcing, .verifying, .ended]
    case .finding: [.entering, .announcing, .sending, .verifying, .ended]
    case .announcing: [.finding, .sending, .activating, .verifying, .ended]
    case .sending: [.finding, .announcing, .activating, .verifying, .ended]
    case .activating: [.entering, .finding, .announcing, .verifying, .ended]
    case .verifying: [.entering, .finding, .announcing, .ended]
    case .ended: []
    }
  }

  private func end(_ installed: InstalledAfterUpdate, _ phone: inout PhoneState) -> Observation {
    guard phone.isRunning else { return .pending }
    phone.isRunning = false
    phone.claim = installed
    phone.linkDeadline = nil
    phone.silenceDeadline = nil
    guard running.isKnown || !running.recordersInBootloader.isEmpty else { return .met }
    switch installed {
    case .new:
      guard let version = phone.version, !running.contains(version) else { return .met }
      return .violated(
        "phone \(phone.index) reported that version \(version) is installed, but the recorder runs \(running)")
    case .old:
      guard !phone.before.versions.isEmpty, !running.isUnchanged(since: phone.before) else { return .met }
      return .violated(
        "phone \(phone.index) reported that the old firmware, \(phone.before), is installed, but the recorder runs \(running)"
      )
    case .none:
      if !running.recordersInBootloader.isEmpty { return .met }
      return .violated("phone \(phone.index) reported that the recorder has no firmware, but it runs \(running)")
    case .unknown: return .met
    }
  }

  /// Whether a recorder starts something else than what a phone said is installed. Where there are several recorders,
  /// it may be another one.
  private mutating func contradiction(_ version: UInt32) -> Observation {
    guard running.versions.count == 1 else { return .pending }
    for index in phones.indices {
      let phone = phones[index]
      let told: UInt32?
      switch phone.claim {
      case .new?: told = phone.version
      case .old?: told = phone.before.versions.first?.version
      case .some(.none), .unknown?, nil: told = nil
      }
      guard let told, told != version else { continue }
      phones[index].claim = nil
      return .violated(
        "phone \(phone.index) reported that version \(told) is installed, but the recorder started \(version)")
    }
    return .pending
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let place = phones.firstDue(at: instant) else { return .pending }
    if let due = phones[place].linkDeadline, due <= instant {
      phones[place].linkDeadline = nil
      return .violated(
        "phone \(phones[place].index) showed the \(phones[place].shown) for 1 s after its link had ended")
    }
    phones[place].silenceDeadline = nil
    return .violated("an update of phone \(phones[place].index) showed no end and no progress for 5 min")
  }
}
