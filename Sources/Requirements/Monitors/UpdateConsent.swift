import Bytes
import Timeline
import Verdicts

/// APP-1.4.2: the phone updates only with consent, and does not offer again what its user refused.
///
/// Consent is an accepting answer to the offer of that version for that recorder, or that the user chose the package. An
/// offer is for the recorder with which the phone was paired or connected last.
struct UpdateConsent: Monitor {
  /// Answers that are remembered; beyond it the oldest is forgotten.
  static let limit = 1024

  private struct Answer {
    var phone: UInt16
    /// The recorder that it was for; `nil` while the phone was not connected with any.
    var recorder: BluetoothAddress?
    var version: UInt32
    var isAccepted: Bool
  }

  private struct Pairing {
    var phone: UInt16
    var recorder: BluetoothAddress
  }

  let declaration = MonitorDeclaration(
    "APP-1.4.2", "the phone updates only with consent, and never offers a refused version again", judges: .phone,
    shows: ["consent"], needsWorld: "what the user was asked")
  let interests: EventKinds = [.security, .oracle]
  let needsPlayedPhone = true
  private(set) var preconditionCount = 0
  private var answers: [Answer] = []
  private var pairings: [Pairing] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .encrypted:
      if let peer = event.peer, event.source.part == .phone { connected(event.source.index, with: peer) }
    case .oracle(.bondForgotten(let phone)):
      pairings.removeAll { $0.phone == phone }
      answers.removeAll { $0.phone == phone && $0.recorder == nil }
    case .oracle(.update(let update)): return follow(update)
    default: break
    }
    return .pending
  }

  /// What was said before the first connection was about this recorder.
  private mutating func connected(_ phone: UInt16, with recorder: BluetoothAddress) {
    pairings.removeAll { $0.phone == phone }
    pairings.append(Pairing(phone: phone, recorder: recorder))
    for index in answers.indices where answers[index].phone == phone && answers[index].recorder == nil {
      answers[index].recorder = recorder
    }
  }

  private func recorder(of phone: UInt16) -> BluetoothAddress? { pairings.first { $0.phone == phone }?.recorder }

  private mutating func follow(_ update: UpdateOracle) -> Observation {
    switch update {
    case .offered(let phone, let version):
      preconditionCount += 1
      guard isAccepted(version, by: phone) == false else { return .pending }
      return .violated("phone \(phone) offered version \(version), which its user had refused")
    case .answered(let phone, let version, let isAccepted):
      let recorder = recorder(of: phone)
      answers.removeAll { $0.phone == phone && $0.version == version && $0.recorder == recorder }
      if answers.count == Self.limit { answers.removeFirst() }
      answers.append(Answer(phone: phone, recorder: recorder, version: version, isAccepted: isAccepted))
    case .begun(let phone, let version, isAsked: false):
      preconditionCount += 1
      guard let version else { return .violated("phone \(phone) began an update to a version that it had not offered") }
      guard isAccepted(version, by: phone) == true else {
        return .violated("phone \(phone) began to update to version \(version) without its user's consent")
      }
      return .met
    default: break
    }
    return .pending
  }

  /// What the user said to a version last; `nil` for nothing.
  private func isAccepted(_ version: UInt32, by phone: UInt16) -> Bool? {
    let recorder = recorder(of: phone)
    return answers.last { $0.phone == phone && $0.version == version && $0.recorder == recorder }?.isAccepted
  }

  /// What was refused was not offered again.
  mutating func finish(at instant: Instant) -> Observation {
    answers.contains { !$0.isAccepted } ? .met : .pending
  }
}

/// APP-1.4.3: a version that the phone shows is the one that the recorder runs.
struct VersionShownIsTrue: Monitor {
  let declaration = MonitorDeclaration(
    "APP-1.4.3", "a firmware version that the phone shows is the one that the recorder started last", judges: .phone,
    shows: ["true"], needsWorld: "which firmware the recorder runs")
  let interests: EventKinds = .oracle
  let needsPlayedPhone = true
  private(set) var preconditionCount = 0
  private var running = RunningFirmware()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    guard case .oracle(.update(let update)) = event.happening else { return .pending }
    running.observe(update)
    guard case .versionShown(let phone, let version?) = update, running.isKnown else { return .pending }
    preconditionCount += 1
    if running.contains(version) { return .met }
    return .violated("phone \(phone) showed version \(version), but the recorder runs \(running)")
  }
}

/// Which application each recorder started last.
///
/// What a phone says about "the recorder" names none. Where there are several, it is taken to be one that it fits.
struct RunningFirmware: CustomStringConvertible {
  /// Recorders that are followed.
  static let limit = 256

  private(set) var versions: [(recorder: UInt16, version: UInt32)] = []
  private(set) var recordersInBootloader: [UInt16] = []

  mutating func observe(_ event: UpdateOracle) {
    switch event {
    case .firmwareStarted(let recorder, let version, _):
      recordersInBootloader.removeAll { $0 == recorder }
      if let index = versions.firstIndex(where: { $0.recorder == recorder }) {
        versions[index].version = version
      } else if versions.count < Self.limit {
        versions.append((recorder, version))
      }
    case .firmwareInstalled(let recorder, let version):
      if !versions.contains(where: { $0.recorder == recorder }), versions.count < Self.limit {
        versions.append((recorder, version))
      }
    case .bootloaderStarted(let recorder):
      if !recordersInBootloader.contains(recorder), recordersInBootloader.count < Self.limit {
        recordersInBootloader.append(recorder)
      }
    default: break
    }
  }

  /// Whether any application was started.
  var isKnown: Bool { !versions.isEmpty }

  /// Whether a recorder started this version last.
  func contains(_ version: UInt32) -> Bool { versions.contains { $0.version == version } }

  /// Whether a recorder started the version last that it had started last in `earlier`.
  func isUnchanged(since earlier: RunningFirmware) -> Bool {
    versions.contains { known in earlier.versions.contains { $0 == known } }
  }

  var description: String { versions.map { "\($0.version)" }.joined(separator: ", ") }
}
