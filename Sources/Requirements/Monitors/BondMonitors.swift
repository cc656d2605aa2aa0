import Bytes
import HCI
import Timeline
import Trace
import Verdicts

/// One phone and the recorder with which it has keys, as one host sees them.
struct KeyHolder: Hashable, Sendable {
  /// Pairs that are remembered; beyond it the oldest is forgotten.
  static let limit = 256

  var host: TraceSource
  var peer: BluetoothAddress

  init?(_ event: ProductEvent) {
    guard let peer = event.peer else { return nil }
    self.peer = peer
    host = event.source
  }
}

/// DEV-10: who was admitted is recognised again: the recorder has the keys of a phone until that phone unpairs. Where
/// power fails just after the pairing they may not have been written yet, and in air that loses packets then they may not have
/// arrived.
struct RecognisesOwners: Monitor {
  /// How long a recorder may take to write the keys of a pairing.
  static let writing: Duration = .seconds(1)

  private struct Pair {
    let holder: KeyHolder
    /// When they paired; `nil` where that was before the run.
    var paired: Instant?
    /// Whether the phone asked to be forgotten, and nobody knows whether the recorder took that.
    var mayHaveLeft = false
  }

  let declaration = MonitorDeclaration(
    "DEV-10", "the recorder has the keys of every phone that paired and did not unpair", judges: .recorder,
    shows: ["admits"], needsWorld: "who deleted bonds by hand")
  let interests: EventKinds = [.links, .security, .services, .oracle]
  private(set) var preconditionCount = 0
  private var pairs: [Pair] = []
  private var isAirClear = true
  /// Whether bonds were deleted by hand during a link: its encryption may have begun with a key that is gone.
  private var isKeyGone = LinkTable<Bool>()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .linkUp: isKeyGone[event] = false
    case .linkDown: isKeyGone[event] = nil
    case .oracle(.bondsForgottenByHand):
      pairs = []
      isKeyGone.changeAll { $0 = true }
    case .oracle(.bondForgotten(let phone)):
      pairs.removeAll { $0.holder.host.part == .phone && $0.holder.host.index == phone }
    case .oracle(.recorderPowered(_, isOn: false)): forgetNew(at: event.instant)
    case .oracle(.air(let isClear)):
      isAirClear = isClear
      if !isClear { forgetNew(at: event.instant) }
    case .unpairRequested: changePair(of: event) { $0.mayHaveLeft = true }
    case .unpairAnswered(isTaken: false): changePair(of: event) { $0.mayHaveLeft = false }
    case .unpairAnswered(isTaken: true), .pairingStarted:
      let holder = KeyHolder(event)
      pairs.removeAll { $0.holder == holder }
    case .paired:
      let observation = admitted(event, paired: event.instant)
      if !isAirClear { forgetNew(at: event.instant) }
      return observation
    case .encrypted: return isKeyGone[event] == true ? .pending : admitted(event)
    case .encryptionFailed(.pinOrKeyMissing):
      let holder = KeyHolder(event)
      guard let place = pairs.firstIndex(where: { $0.holder == holder }), !pairs.remove(at: place).mayHaveLeft else {
        return .pending
      }
      preconditionCount += 1
      return .violated("the recorder no longer has the keys of a phone that had paired and had not unpaired")
    default: break
    }
    return .pending
  }

  private mutating func changePair(of event: ProductEvent, _ change: (inout Pair) -> Void) {
    let holder = KeyHolder(event)
    if let place = pairs.firstIndex(where: { $0.holder == holder }) { change(&pairs[place]) }
  }

  /// Forgets who has just paired.
  private mutating func forgetNew(at instant: Instant) {
    pairs.removeAll { $0.paired.map { $0.duration(to: instant) < Self.writing } ?? false }
  }

  private mutating func admitted(_ event: ProductEvent, paired: Instant? = nil) -> Observation {
    guard let holder = KeyHolder(event) else { return .pending }
    if let place = pairs.firstIndex(where: { $0.holder == holder }) {
      if let paired { pairs[place].paired = paired }
      if pairs[place].mayHaveLeft { return .pending }
      preconditionCount += 1
      return .met
    }
    if pairs.count == KeyHolder.limit { pairs.removeFirst() }
    pairs.append(Pair(holder: holder, paired: paired))
    return .pending
  }
}

/// DEV-14: a key that was unpaired opens nothing. A request counts when the recorder has taken it. Where the link ends just
/// after that, nobody knows whether the recorder came to it, and where nothing was heard any more, it probably did not. That
/// may be so as well where the phone ends the link, and in air that loses packets.
struct UnpairedKeysAreUseless: Monitor {
  /// How soon after the answer a link ends for that.
  static let doubt: Duration = .milliseconds(500)
  /// The longest supervision time-out (Core Specification 5.4, Vol 4, Part E, 7.8.31).
  static let longestSilence: Duration = .seconds(32)

  private struct Unpairing {
    var holder: KeyHolder
    var requested: Instant
    /// Whether the air is known to have lost packets since.
    var mayBeLost: Bool
  }

  let declaration = MonitorDeclaration(
    "DEV-14", "the key of a phone that unpaired does not encrypt a link any more", judges: .recorder, shows: ["told"])
  let interests: EventKinds = [.links, .security, .services, .oracle]
  private(set) var preconditionCount = 0
  private var unpaired: [Unpairing] = []
  private var isAirClear = true

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(.air(let isClear)) = event.happening {
      isAirClear = isClear
      if !isClear { for index in unpaired.indices { unpaired[index].mayBeLost = true } }
    }
    guard let holder = KeyHolder(event) else { return .pending }
    switch event.happening {
    case .unpairAnswered(isTaken: true):
      preconditionCount += 1
      if unpaired.count == KeyHolder.limit { unpaired.removeFirst() }
      unpaired.removeAll { $0.holder == holder }
      unpaired.append(Unpairing(holder: holder, requested: event.instant, mayBeLost: !isAirClear))
    case .linkDown(let reason):
      // A phone that ends its link in silence hears of the end when the supervision time-out has passed.
      let isSilent = reason == .connectionTimeout || reason == .connectionTerminatedByLocalHost
      unpaired.removeAll { unpairing in
        let doubt = isSilent || unpairing.mayBeLost ? Self.longestSilence : Self.doubt
        return unpairing.holder == holder && unpairing.requested.duration(to: event.instant) < doubt
      }
    case .pairingStarted: unpaired.removeAll { $0.holder == holder }
    case .encryptionFailed where unpaired.contains { $0.holder == holder }: return .met
    case .encrypted where unpaired.contains { $0.holder == holder }:
      unpaired.removeAll { $0.holder == holder }
      return .violated("the recorder still took the key of a phone that had unpaired")
    default: break
    }
    return .pending
  }
}
