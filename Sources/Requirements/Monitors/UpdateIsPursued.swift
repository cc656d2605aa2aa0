import HCI
import Timeline
import Verdicts

/// APP-1.4.1: a phone whose update is interrupted once connects again.
///
/// It may give up where the bootloader refused something, where it was told to abort, where its user ends the application or
/// the connection, and where the bootloader does not come back; not at the moment in which its first link is lost.
struct UpdateIsPursued: Monitor {
  /// How soon after a lost link giving up is too soon.
  static let patience: Duration = .milliseconds(100)

  private struct PhoneState {
    var index: UInt16
    /// Links to a bootloader that were lost.
    var lostLinks = 0
    var lost: Instant?
    var isOnBootloader = false
    /// Whether it has a reason to give up.
    var isExcused = false
  }

  let declaration = MonitorDeclaration(
    "APP-1.4.1", "the phone goes on with an update whose link was lost", judges: .phone,
    needsWorld: "what the phone shows")
  let interests: EventKinds = [.links, .firmwareUpdate, .oracle]
  let needsPlayedPhone = true
  private(set) var preconditionCount = 0
  private var phones: [PhoneState] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(.update(let update)) = event.happening { return follow(update, at: event.instant) }
    guard event.source.part == .phone,
      let position = phones.firstIndex(where: { $0.index == event.source.index })
    else { return .pending }
    switch event.happening {
    case .firmwareUpdate(.bootloaderKnown): phones[position].isOnBootloader = true
    case .firmwareUpdate(.requested(let request)) where request.opCode == .abort: phones[position].isExcused = true
    case .firmwareUpdate(.answered(_, let answer)) where !answer.reply.isSuccess: phones[position].isExcused = true
    case .firmwareUpdate(.notUnderstood), .firmwareUpdate(.requestRefused): phones[position].isExcused = true
    case .linkDown where phones[position].isOnBootloader:
      phones[position].isOnBootloader = false
      phones[position].lostLinks += 1
      phones[position].lost = event.instant
      preconditionCount += 1
    default: break
    }
    return .pending
  }

  private mutating func follow(_ update: UpdateOracle, at instant: Instant) -> Observation {
    switch update {
    case .begun(let phone, _, _):
      phones.removeAll { $0.index == phone }
      phones.append(PhoneState(index: phone))
    case .improvised(let phone): phones.removeAll { $0.index == phone }
    case .ended(let phone, let installed, let isByUser):
      guard let position = phones.firstIndex(where: { $0.index == phone }) else { return .pending }
      let state = phones.remove(at: position)
      guard let lost = state.lost else { return .pending }
      if installed == .new { return .met }
      guard !isByUser, !state.isExcused, state.lostLinks == 1, lost.duration(to: instant) < Self.patience else {
        return .pending
      }
      return .violated("phone \(phone) gave its update up when it lost its first link to the bootloader")
    default: break
    }
    return .pending
  }
}
