import SecureDFU
import Verdicts

/// APP-1.4.2.1: how far an update is, as the phone shows it, is what the bootloader confirmed.
///
/// What is shown grows only up to what the bootloader told to have, as answer or as receipt. It falls only where the
/// bootloader has less: on a new link, where its checksum differs from what was sent, where it refused an object, or
/// where it says so; and then at most to the beginning of that object, or to what it says. An update that ended with
/// the new firmware has shown the whole.
///
/// A package may have several images, whose octets are shown together. An image ends where the phone has its last object
/// executed and then sends another init packet instead of a further object. Where it then shows less than that image has,
/// it began it anew.
struct UpdateProgress: Monitor {
  private struct PhoneState: NumberedState {
    var index: UInt16
    /// Octets that the phone shows.
    var shown: UInt32 = 0
    /// Octets of the images before the one that is sent.
    var before: UInt32 = 0
    /// The most that the bootloader told to have of the image that is sent.
    var confirmed: UInt32 = 0
    /// The object that requests are about.
    var current: FirmwareObject?
    /// What was confirmed of the image when its last object was to be executed; `nil` where more of it follows.
    var executed: UInt32?
    /// The least to which the phone may go back.
    var floor: UInt32?
    var objectLimit: UInt32 = 4096
    var isRunning = false
    var hasShownWhole = false

    /// Octets shown of the image that is sent.
    var shownOfImage: UInt32 { shown > before ? shown - before : 0 }
    /// Where the object begins that holds the last octet shown.
    var objectStart: UInt32 {
      shownOfImage == 0 ? shown : before + (shownOfImage - 1) / objectLimit * objectLimit
    }

    mutating func allow(_ octets: UInt32) { floor = min(floor ?? octets, octets) }

    mutating func beginImage() {
      // The numbers come from the air.
      before = UInt32(clamping: UInt64(before) + UInt64(executed ?? 0))
      executed = nil
      confirmed = 0
      allow(0)
    }
  }

  let declaration = MonitorDeclaration(
    "APP-1.4.2.1", "the update progress shown is what the bootloader confirmed", judges: .phone,
    needsWorld: "the phone's own view")
  let interests: EventKinds = [.firmwareUpdate, .oracle]
  let needsPlayedPhone = true
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
    case .requested(let request): ask(request, &phone)
    case .answered(let request, let answer) where request.opCode == .createObject && answer.object == .command:
      if answer.reply.isSuccess { phone.beginImage() }
    case .answered(let request, let answer) where answer.object == .data:
      if let limit = answer.reply.limit, limit > 0 { phone.objectLimit = limit }
      // A selection may show something else than the phone's image, which only the phone can see.
      if !answer.reply.isSuccess || answer.isAsSent == false || request.opCode == .selectObject {
        phone.allow(phone.objectStart)
      }
      if request.opCode == .executeObject, !answer.reply.isSuccess { phone.executed = nil }
      tell(answer, &phone)
    case .receipt(let answer) where answer.object == .data: tell(answer, &phone)
    default: break
    }
  }

  private static func ask(_ request: BootloaderRequest, _ phone: inout PhoneState) {
    switch request.opCode {
    case .selectObject?: phone.current = request.object
    case .createObject?:
      phone.current = request.object
      if request.object == .data { phone.executed = nil }
    case .executeObject? where phone.current == .data: phone.executed = phone.confirmed
    default: break
    }
  }

  private static func tell(_ answer: BootloaderAnswer, _ phone: inout PhoneState) {
    guard let state = answer.reply.object else { return }
    phone.confirmed = max(phone.confirmed, state.offset)
    if state.offset < phone.shownOfImage { phone.allow(phone.before + state.offset) }
  }

  private func show(_ state: UpdateState, _ phone: inout PhoneState) -> Observation {
    let before = phone.shown
    let floor = phone.floor
    phone.shown = state.octets
    if state.octets < before, state.octets < phone.before { phone.before = 0 }
    if state.total > 0, state.octets == state.total { phone.hasShownWhole = true }
    if state.octets > state.total { return .violated("the phone showed \(state.octets) of \(state.total) octets") }
    if state.octets > before {
      phone.floor = nil
      guard phone.shownOfImage > phone.confirmed else { return .pending }
      let confirmed = UInt64(phone.before) + UInt64(phone.confirmed)
      return .violated("the phone showed \(state.octets) octets when the bootloader had confirmed \(confirmed)")
    }
    guard state.octets < before, state.octets < floor ?? before else { return .pending }
    return .violated("the progress of the update went back from \(before) to \(state.octets) octets")
  }
}
