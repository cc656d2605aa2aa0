import Bytes
import DictofunProtocol
import Text
import Timeline
import Verdicts

/// DEV-10, as far as pairing shows it: a recorder that has an owner pairs with others only for a while after its button
/// was used or its first owner was admitted, and then it does. A pairing that begins in that while may end after it.
struct PairsWhenItsOwnerWants: Monitor {
  /// How much earlier or later than promised the window may close.
  static let tolerance: Duration = .seconds(1)

  private struct Device: NumberedState {
    var index: UInt16
    var isOn = true
    var isPressed = false
    /// When its button was last used, or its first owner was admitted.
    var opened: Instant?
    /// When a pairing with it last began.
    var pairing: Instant?
  }

  let declaration = MonitorDeclaration(
    "DEV-10", "a recorder with an owner pairs only within 30 s after its button or its first bond", judges: .recorder,
    shows: ["window"], needsWorld: "the button, and the recorder's bonds")
  let interests: EventKinds = [.security, .otherEnd, .oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    guard case .oracle(let oracle) = event.happening else {
      if case .pairingStarted = event.happening, event.source.part == .recorder {
        devices[position(event.source.index)].pairing = event.instant
      }
      return .pending
    }
    switch oracle {
    // It switches on by a press.
    case .buttonPressed(let index):
      devices[position(index)].isPressed = true
      open(index, at: event.instant)
    case .buttonReleased(let index):
      let position = position(index)
      devices[position].isPressed = false
      // One that is off does not see it.
      if devices[position].isOn { devices[position].opened = event.instant }
    case .recorderPowered(let index, let isOn):
      let position = position(index)
      devices[position].isOn = isOn
      // What it counted is gone with its power. A button that is down when it starts is being used.
      devices[position].opened = isOn && devices[position].isPressed ? event.instant : nil
    case .bondMade(let index, _, others: 0): open(index, at: event.instant)
    case .bondMade(let index, let phone, _):
      preconditionCount += 1
      let begun = devices[position(index)].pairing ?? event.instant
      guard age(index, at: begun) > DictofunAdmission.pairingWindow + Self.tolerance else { return .met }
      return .violated("recorder \(index) has an owner and paired with \(phone), without its button being used")
    case .pairingRefused(let index, _):
      preconditionCount += 1
      guard age(index, at: event.instant) < DictofunAdmission.pairingWindow - Self.tolerance else { return .met }
      return .violated("recorder \(index) refused to pair although its button had just been used")
    default: break
    }
    return .pending
  }

  private mutating func open(_ index: UInt16, at instant: Instant) { devices[position(index)].opened = instant }

  /// How long ago pairing was opened: nothing while the button is down, and longer than any window where it never was.
  private func age(_ index: UInt16, at instant: Instant) -> Duration {
    guard let place = devices.place(index), let opened = devices[place].opened else {
      return DictofunAdmission.pairingWindow * 2
    }
    return devices[place].isPressed ? .zero : opened.duration(to: instant)
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }
}

/// DEV-10, as far as the keys show it: the recorder offers the longest keys that there are. Shorter ones are found by
/// trying.
struct OffersLongKeys: Monitor {
  let declaration = MonitorDeclaration(
    "DEV-10", "the recorder offers keys of 16 octets to whoever pairs", judges: .recorder, shows: ["keys"])
  let interests: EventKinds = [.security]
  private(set) var preconditionCount = 0

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    guard case .paired(let sizes?) = event.happening else { return .pending }
    preconditionCount += 1
    guard sizes.responder < OfferedKeySizes.longest else { return .met }
    return .violated("the recorder offered keys of at most \(Wording.count(Int(sizes.responder), "octet"))")
  }
}

/// DEV-10, as far as listening shows it: who only listens was not admitted, and must learn neither keys nor records. LE
/// Secure Connections keeps them; LE legacy pairing without a passkey gives them to everybody who hears the pairing.
struct ListenersLearnNothing: Monitor {
  let declaration = MonitorDeclaration(
    "DEV-10", "somebody who only listens to the air learns neither a key nor a record", judges: .recorder,
    shows: ["downloads"], needsWorld: "somebody who listens")
  let interests: EventKinds = [.oracle]
  /// What he learns after the key belongs to the finding.
  let endsSteps = false
  private(set) var preconditionCount = 0

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    guard case .oracle(.overheard(let overheard)) = event.happening else { return .pending }
    preconditionCount += 1
    switch overheard {
    case .pairing(isReadable: false): return .met
    case .pairing(isReadable: true):
      return .violated("a listener learnt the key of the pairing, which used neither Secure Connections nor a passkey")
    case .record(let identifier, let octets):
      let name = identifier.map { "record \($0)" } ?? "a record"
      return .violated("a listener has \(name), \(Wording.count(Int(octets), "octet"))")
    }
  }
}

/// DEV-14: a recorder that is told to unpair forgets the phone that told it, and nobody else.
struct UnpairsWhomItWasTold: Monitor {
  /// How long the recorder may take.
  static let patience: Duration = .milliseconds(500)

  private struct Order {
    var recorder: UInt16
    var phone: BluetoothAddress
    var deadline: Instant
  }

  let declaration = MonitorDeclaration(
    "DEV-14", "the recorder forgets the phone that tells it to unpair, and no other", judges: .recorder,
    shows: ["told"], needsWorld: "the recorder's bonds")
  let interests: EventKinds = [.oracle]
  private(set) var preconditionCount = 0
  private var orders: [Order] = []

  init() {}

  var deadline: Instant? { orders.map(\.deadline).min() }

  mutating func observe(_ event: ProductEvent) -> Observation {
    guard case .oracle(let oracle) = event.happening else { return .pending }
    switch oracle {
    case .unpairTold(let recorder, let phone):
      preconditionCount += 1
      orders.append(Order(recorder: recorder, phone: phone, deadline: event.instant.advanced(by: Self.patience)))
    case .bondsRemoved(let recorder, let phones):
      let told = orders.filter { $0.recorder == recorder }.map(\.phone)
      orders.removeAll { $0.recorder == recorder && phones.contains($0.phone) }
      if let other = phones.first(where: { !told.contains($0) }) {
        return .violated("recorder \(recorder) forgot its bond with \(other), which did not ask for that")
      }
      return .met
    default: break
    }
    return .pending
  }

  mutating func reach(_ instant: Instant) -> Observation {
    guard let index = orders.firstIndex(where: { $0.deadline <= instant }) else { return .pending }
    let order = orders.remove(at: index)
    return .violated("recorder \(order.recorder) did not forget \(order.phone), which told it to unpair")
  }
}
