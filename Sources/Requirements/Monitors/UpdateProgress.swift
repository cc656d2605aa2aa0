import SecureDFU
import Verdicts

/// APP-1.4.2.1: how far an update is, as the phone shows it, is what the bootloader confirmed.
///
/// What is shown grows only up to what the bootloader told to have, as answer or as receipt. It falls only where the
/// bootloader has less: on a new link, where its checksum differs from what was sent, where it refused an object, or
/// where it says so; and then at most to the beginning of that object, or to what it says. An update that ended with
/// the new firmware has shown the whole.
struct UpdateProgress: Monitor {
  private struct PhoneState: NumberedState {
    var index: UInt16
    /// Octets that the phone shows.
    var shown: UInt32 = 0
    /// The most that the bootloader told to have of the image that is sent.
    var confirmed: UInt32 = 0
    /// The least to which the phone may go back.
    var floor: UInt32?
    var objectLimit: UInt32 = 4096
    var isRunning = false
    var hasShownWhole = false

    /// Where the object begins that holds the last octet shown.
    var objectStart: UInt32 { shown == 0 ? 0 : (shown - 1) / objectLimit * objectLimit }

    mutating func allow(_ octets: UInt32) { floor = min(floor ?? octets, octets) }
  }

  let declaration = MonitorDeclaration(
    "APP-1.4.2.1", "the update progress shown is what the bootloader confirmed", judges: .phone,
    needsWorld: "the phone's own view")
  let interests: EventKinds = [.firmwareUpdate, .oracle]
  private(set) var preconditionCount = 0
  private var phones = NumberedTable<PhoneState>()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .firmwareUpdate(let happening) where event.source.isHost:
      Self.follow(happening, &phones[position(event.source.index)])
    case .oracle(.update(.begun(let phone, _, _))):
      let position = position(phone)
      phones[position] = PhoneState(index: phone)
      phones[position].isRunning = true
    case .oracle(.update(.shown(let phone, let state))):
      let position = position(phone)
      guard phones[position].isRunning else { return .pending }
      preconditionCount += 1
      return show(state, &phones[position])
    case .oracle(.update(.ended(let phone, let installed, _))):
      let position = position(phone)
      let ended = phones[position]
      phones[position].isRunning = false
      guard ended.isRunning, installed == .new else { return .pending }
      return ended.hasShownWhole
        ? .met : .violated("an update ended with the new firmware, but the phone never showed 100 %")
    default: break
    }
    return .pending
  }

  private mutating func position(_ index: UInt16) -> Int { phones.place(of: PhoneState(index: index)) }

  private static func follow(_ happening: FirmwareUpdateHappening, _ phone: inout PhoneState) {
    switch happening {
    case .bootloaderKnown: phone.allow(0)
    case .answered(let request, let answer) where request.opCode == .createObject && answer.object == .command:
      guard answer.reply.isSuccess else { return }
      phone.confirmed = 0
      phone.allow(0)
    case .answered(let request, let answer) where answer.object == .data:
      if let limit = answer.reply.limit, limit > 0 { phone.objectLimit = limit }
      // A selection may show something else than the phone's image, which only the phone can see.
      if !answer.reply.isSuccess || answer.isAsSent == false || request.opCode == .selectObject {
        phone.allow(phone.objectStart)
      }
      tell(answer, &phone)
    case .receipt(let answer) where answer.object == .data: tell(answer, &phone)
    default: break
    }
  }

  private static func tell(_ answer: BootloaderAnswer, _ phone: inout PhoneState) {
    guard let state = answer.reply.object else { return }
    phone.confirmed = max(phone.confirmed, state.offset)
    if state.offset < phone.shown { phone.allow(state.offset) }
  }

  private func show(_ state: UpdateState, _ phone: inout PhoneState) -> Observation {
    let before = phone.shown
    let floor = phone.floor
    phone.shown = state.octets
    if state.total > 0, state.octets == state.total { phone.hasShownWhole = true }
    if state.octets > state.total { return .violated("the phone showed \(state.octets) of \(state.total) octets") }
    if state.octets > before {
      phone.floor = nil
      guard state.octets > phone.confirmed else { return .pending }
      return .violated("the phone showed \(state.octets) octets when the bootloader had confirmed \(phone.confirmed)")
    }
    guard state.octets < before, state.octets < floor ?? before else { return .pending }
    return .violated("the progress of the update went back from \(before) to \(state.octets) octets")
  }
}
