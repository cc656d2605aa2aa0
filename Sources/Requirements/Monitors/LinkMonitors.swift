import DictofunProtocol
import HCI
import Timeline
import Verdicts

/// DEV-13, as far as the end of a link shows it: the recorder does not drop a phone for its link parameters. A link
/// shows that only when its parameters became what the recorder asks for, or stayed what the phone chose.
struct NoDropForParameters: Monitor {
  /// How long a link has to last before it says something.
  static let patience: Duration = .seconds(5)

  private struct Link {
    var began: Instant
    var hasTransferred = false
  }

  let declaration = MonitorDeclaration(
    "DEV-13", "the recorder does not end a link because of its parameters", judges: .recorder, shows: ["parameters"])
  let interests: EventKinds = [.links, .fileTransfer]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    // Seen from the recorder the reason of its own disconnection does not show (Vol 6, Part B, 5.1.6).
    case .linkUp(.central, _): links[event] = Link(began: event.instant)
    // The recorder asks for its parameters when it takes a request.
    case .fileTransfer(.requestTaken): links[event]?.hasTransferred = true
    case .linkDown(let reason):
      guard let link = links[event] else { return .pending }
      links[event] = nil
      if reason == .unacceptableConnectionParameters {
        preconditionCount += 1
        return .violated("the recorder ended the link: unacceptable connection parameters (0x3B)")
      }
      guard link.hasTransferred, link.began.duration(to: event.instant) >= Self.patience else { return .pending }
      preconditionCount += 1
      return .met
    default: break
    }
    return .pending
  }
}

/// DEV-13: the recorder ends an encrypted link only for a reason that its documents give.
///
/// Reasons are: the phone has everything, an update, a press of the button, a low battery, silence, its longest time on.
/// All but the first two show as a state of its machine other than serving. A recorder that does not serve answers later, so
/// a reason counts from when it serves again. That the phone has everything counts when the request before it has its answer.
/// Where the phone's end is seen as well, it counts: the recorder's may come too late.
struct KeepsAPhoneThatBehaves: Monitor {
  /// How long after a reason the recorder may begin to end the link. Where the phone does not acknowledge that, it takes
  /// the supervision time-out besides.
  static let grace: Duration = .seconds(2)

  private struct Link {
    var supervision: Duration
    var isEncrypted = false
    /// Whether a request waits for its answer.
    var isServed = false
    /// Whether the phone had everything before that request had its answer.
    var isLeaving = false
    /// Whether the phone asked to be forgotten and has no answer.
    var isUnpairing = false
    var excused: Instant?

    /// Follows the requests, of which the recorder serves one after the other.
    mutating func follow(_ happening: FileTransferHappening, at instant: Instant) {
      switch happening {
      case .requested(.receiveComplete):
        excused = instant
        isLeaving = isServed
      case .requestTaken(.receiveComplete), .requestTaken(.unaccepted): return
      case .requestTaken: isServed = true
      case .listed, .informed, .completed, .fileSystemStatus, .status, .answerNotEnabled:
        isServed = false
        if isLeaving { excused = instant }
        isLeaving = false
      case .requested, .requestRefused, .listing, .data, .valueRead, .notUnderstood: return
      }
    }
  }

  private struct Device: NumberedState {
    var index: UInt16
    var isServing = false
    /// When it stopped to serve.
    var stopped: Instant?
  }

  let declaration = MonitorDeclaration(
    "DEV-13", "the recorder ends an encrypted link only for a documented reason", judges: .recorder,
    shows: ["reasons"], needsWorld: "the recorder's state")
  let interests: EventKinds = [.links, .security, .services, .fileTransfer, .firmwareUpdate, .otherEnd, .oracle]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  private var devices = NumberedTable<Device>()
  private var seesPhones = false

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(let oracle) = event.happening {
      follow(oracle, at: event.instant)
      return .pending
    }
    if event.source.part == .phone { seesPhones = true }
    guard event.source.part == (seesPhones ? .phone : .recorder) else { return .pending }
    switch event.happening {
    case .linkUp(_, let parameters): links[event] = Link(supervision: parameters.supervision)
    case .parametersChanged(let parameters): links[event]?.supervision = parameters.supervision
    case .encrypted: links[event]?.isEncrypted = true
    case .fileTransfer(let happening): _ = links.change(event) { $0.follow(happening, at: event.instant) }
    case .unpairRequested: links[event]?.isUnpairing = true
    case .unpairAnswered(let isTaken):
      links[event]?.isUnpairing = false
      if isTaken { links[event]?.excused = event.instant }
    case .pairingFailed, .encryptionFailed, .firmwareUpdate(.buttonlessRequested):
      links[event]?.excused = event.instant
    case .linkDown(let reason):
      guard let link = links[event] else { return .pending }
      links[event] = nil
      let own = seesPhones ? nil : devices.place(event.source.index)
      guard link.isEncrypted, seesPhones ? !devices.isEmpty : own != nil else { return .pending }
      preconditionCount += 1
      let byRecorder: ErrorCode =
        seesPhones ? .remoteUserTerminatedConnection : .connectionTerminatedByLocalHost
      guard reason == byRecorder else { return .met }
      // What a phone sees may be the deed of any recorder.
      let recorders = own.map { [devices[$0]] } ?? Array(devices)
      let isExcused = ([link.excused] + recorders.map(\.stopped)).contains {
        $0.map { $0.duration(to: event.instant) <= Self.grace + link.supervision } ?? false
      }
      if isExcused || link.isLeaving || link.isUnpairing || !recorders.contains(where: \.isServing) { return .met }
      return .violated("the recorder ended the link of a phone that had given no reason")
    default: break
    }
    return .pending
  }

  private mutating func follow(_ oracle: OracleEvent, at instant: Instant) {
    switch oracle {
    case .recorderState(let index, let name):
      let position = position(index)
      let wasServing = devices[position].isServing
      devices[position].isServing = name == "BLE_OPERATION"
      if wasServing, !devices[position].isServing { devices[position].stopped = instant }
      if !wasServing, devices[position].isServing, let stopped = devices[position].stopped {
        links.changeAll { link in
          if let excused = link.excused, excused >= stopped { link.excused = instant }
        }
      }
    case .recorderPowered(let index, let isOn):
      let position = position(index)
      devices[position].isServing = false
      if !isOn { devices[position].stopped = instant }
    default: break
    }
  }

  private mutating func position(_ index: UInt16) -> Int { devices.place(of: Device(index: index)) }
}
