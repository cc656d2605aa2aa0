import DictofunProtocol
import HCI
import Text
import Timeline
import Verdicts

/// DEV-6: every request that the recorder took is served to its end or ended with a reason.
///
/// How long that may take follows from the recorder's own time-outs, and from how long the link may be silent: a few
/// connection intervals where the air is known to lose nothing, and its supervision time-out otherwise; where it is known to
/// lose packets some of these, because a link in which acknowledgements are lost lives on what it repeats. A recorder that
/// records answers when it is done. A request that comes while another one runs says nothing by itself; the one that runs
/// must still end, and the next one may have to wait for both. A reason must be true: a record of which a part came is there.
struct RequestsEnd: Monitor {
  /// What is known of the record that is being sent.
  private enum Sending: Equatable {
    case nothing
    case asked(RecordIdentifier)
    case partly(RecordIdentifier)
    /// Another one was asked for meanwhile, so nobody knows of which what comes is a part.
    case several
  }

  private struct Running {
    var request: ControlPointRequest
    /// When it was taken, or last moved.
    var moved: Instant
    /// How long it may be silent from then on, besides its link.
    var patience: Duration
    /// What a list that is not whole announced, and how much of it came.
    var list: (announced: Int, present: Int)?
    /// Until when the next part of that list may take, however long the others took, besides the silence of its link.
    var partLimit = Instant.zero
    /// When to look at it again. It is moved only when it is reached: looking at it with every packet would cost more
    /// than the rest of the monitor.
    var deadline: Instant
  }

  private struct Link {
    var parameters: LELinkParameters
    var running: Running?
    /// How long the recorder may work at a request that came while another one ran.
    var waiting = Duration.zero
    /// Whether the recorder was switched off meanwhile, which the phone does not know.
    var mayBeDead = false
    var sending = Sending.nothing
    /// Until when a record of unknown size, whose end nobody sees, may be on its way.
    var unknownUntil = Instant.zero

    /// Follows which record is sent. Returns the one that the recorder denies although it sent a part of it.
    @discardableResult
    mutating func follow(_ happening: FileTransferHappening) -> RecordIdentifier? {
      switch (happening, sending) {
      case (.requestTaken(.fileData(let identifier)), .nothing): sending = .asked(identifier)
      case (.requestTaken(.fileData), _): sending = .several
      case (.data(_, octets: 1..., _, _), .asked(let identifier)): sending = .partly(identifier)
      case (.completed, _): sending = .nothing
      case (.status(.fileNotFound(let denied)), .partly(let identifier)) where denied == identifier:
        sending = .nothing
        return denied
      case (.status, _): sending = .nothing
      default: break
      }
      return nil
    }
  }

  let declaration = MonitorDeclaration(
    "DEV-6", "the recorder completes every request or ends it with a reason", judges: .recorder, shows: ["ends"])
  let interests: EventKinds = [.links, .fileTransfer, .fileData, .firmwareUpdate, .oracle]
  let isLastPacketEnough = true
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  /// Whether the air is known to lose nothing.
  private var isAirClear = false
  /// Whether it is known to lose packets.
  private var isAirLossy = false
  private var recording = RecordingRecorders()

  /// Supervision time-outs that a link in bad air may go without anything new.
  private static let repetitions: Int64 = 3
  /// Connection intervals that an answer may take on its way where nothing is lost.
  private static let intervals: Int64 = 8
  /// Longest silence between two notifications of a file, on a link that loses nothing.
  private static let dataPatience: Duration = .seconds(3)
  /// How long the next part of a list may take, besides the supervision time-out.
  private static let partPatience: Duration = .seconds(4)

  init() {}

  var deadline: Instant? { links.earliest { $0.running?.deadline } }

  /// Longest silence after a request or between two notifications of a file, on a link that loses nothing: the
  /// firmware's time-outs in seconds, rounded up.
  private static func patience(_ request: ControlPointRequest) -> Duration? {
    switch request {
    case .listFiles: .seconds(12)
    case .fileInformation, .fileSystemStatus: .seconds(2)
    case .fileData: dataPatience
    case .receiveComplete: .seconds(5)
    case .unaccepted: nil
    }
  }

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(let oracle): follow(oracle, at: event.instant)
    case .linkUp(_, let parameters): links[event] = Link(parameters: parameters)
    case .linkDown(let reason):
      let running = links[event]?.running
      links[event] = nil
      // What the end of a link cuts off has neither result nor reason. Whether the link may end, DEV-13 judges.
      return running?.request == .receiveComplete && Self.isByRecorder(reason, event) ? .met : .pending
    case .undetermined: links[event] = nil
    // What starts its bootloader now leaves everything else, and the phone may notice that late.
    case .firmwareUpdate(.buttonlessAnswered(.startBootloader, result: ButtonlessUpdate.ResultCode.success.rawValue)):
      links[event] = nil
    case .parametersChanged(let parameters): links[event]?.parameters = parameters
    case .fileTransfer(let happening): return follow(happening, event)
    default: break
    }
    return .pending
  }

  private static func isByRecorder(_ reason: ErrorCode, _ event: ProductEvent) -> Bool {
    reason == (event.source.part == .phone ? .remoteUserTerminatedConnection : .connectionTerminatedByLocalHost)
  }

  private mutating func follow(_ event: OracleEvent, at instant: Instant) {
    if recording.follow(event) != nil { links.changeAll { $0.running?.moved = instant } }
    switch event {
    case .air(let isClear): (isAirClear, isAirLossy) = (isClear, !isClear)
    case .recorderPowered(_, false):
      links.changeAll { link in
        link.mayBeDead = true
        link.running?.moved = instant
      }
    case .recordsErasedByHand: links.changeAll { $0.sending = .several }
    default: break
    }
  }

  private mutating func follow(_ happening: FileTransferHappening, _ event: ProductEvent) -> Observation {
    switch happening {
    case .data(_, _, _, size: .some):
      _ = links.change(event) { link in
        link.running?.moved = event.instant
        link.follow(happening)
      }
      return .pending
    case .data:
      // Its first packet serves the request. What is asked for before its last one comes while another request runs.
      let silence = silence(of:)
      return links.change(event) { link in
        link.unknownUntil = event.instant.advanced(by: Self.dataPatience + silence(link))
        link.follow(happening)
        return Self.end(&link, happening, event.instant)
      } ?? .pending
    case .requestTaken(let request):
      links[event]?.follow(happening)
      take(request, event)
    case .listed, .informed, .completed, .fileSystemStatus, .status:
      return links.change(event) { link in
        guard let denied = link.follow(happening) else { return Self.end(&link, happening, event.instant) }
        link.running = nil
        return .violated("the recorder sent a part of \(denied), and then that there is none of that name")
      } ?? .pending
    case .answerNotEnabled(let request):
      return links.change(event) { link in
        if link.running?.request == request { link.running = nil }
        return .pending
      } ?? .pending
    case .listing(let announced, let present):
      _ = links.change(event) { link in
        link.running?.list = (announced, present)
        link.running?.partLimit = event.instant.advanced(by: Self.partPatience)
      }
    case .requested, .requestRefused, .valueRead, .notUnderstood: break
    }
    return .pending
  }

  /// How long a link may be silent although the recorder is not.
  private func silence(of link: Link) -> Duration {
    if isAirLossy { return link.parameters.supervision * Self.repetitions }
    guard isAirClear, !link.mayBeDead else { return link.parameters.supervision }
    return .microseconds(1250 * Self.intervals * Int64(link.parameters.intervalUnits))
  }

  private mutating func take(_ request: ControlPointRequest, _ event: ProductEvent) {
    guard var link = links[event], var patience = Self.patience(request) else { return }
    guard link.running == nil, link.unknownUntil < event.instant else {
      links[event]?.waiting = max(link.waiting, patience)
      return
    }
    preconditionCount += 1
    patience += link.waiting
    link.waiting = .zero
    link.running = Running(
      request: request, moved: event.instant, patience: patience,
      deadline: event.instant.advanced(by: patience + silence(of: link)))
    links[event] = link
  }

  /// Takes an answer. One to another request, which came while this one ran, says that the recorder had to serve that one.
  private static func end(_ link: inout Link, _ answer: FileTransferHappening, _ instant: Instant) -> Observation {
    guard let running = link.running else { return .pending }
    guard answer.ends(running.request) else {
      link.running?.moved = instant
      return .pending
    }
    link.running = nil
    return .met
  }

  mutating func reach(_ instant: Instant) -> Observation {
    var reason: String?
    let silence = silence(of:)
    _ = links.changeFirst(where: { $0.running.map { $0.deadline <= instant } ?? false }) { link in
      guard let running = link.running else { return }
      let moved = recording.isEmpty ? running.moved : instant
      let limit = max(moved.advanced(by: running.patience), running.partLimit)
        .advanced(by: silence(link))
      if limit > instant {
        link.running?.deadline = limit
      } else {
        reason = Self.silence(running)
        link.running = nil
      }
    }
    return reason.map(Observation.violated) ?? .pending
  }

  private static func silence(_ running: Running) -> String {
    if let (announced, present) = running.list {
      return "the recorder announced a list of \(Wording.count(announced, "record")) but sent \(present)"
    }
    return switch running.request {
    case .listFiles: "the recorder accepted a list request but never answered it"
    case .fileInformation(let identifier):
      "the recorder accepted the information request for \(identifier) but never answered it"
    case .fileData(let identifier): "the recorder stopped sending \(identifier) before its end"
    case .fileSystemStatus: "the recorder accepted a status request but never answered it"
    default: "the recorder did not disconnect after everything was received"
    }
  }
}

extension FileTransferHappening {
  /// Whether it is a result of a request, or the reason why there is none. Only the end of the link answers that everything
  /// was received.
  fileprivate func ends(_ request: ControlPointRequest) -> Bool {
    switch (self, request) {
    // Of what comes nobody knows the record but by what was asked for last.
    case (.listed, .listFiles), (.informed, .fileInformation), (.data, .fileData), (.completed, .fileData),
      (.fileSystemStatus, .fileSystemStatus):
      true
    case (.status(.fileNotFound(let denied)), .fileInformation(let asked)),
      (.status(.fileNotFound(let denied)), .fileData(let asked)):
      denied == asked
    case (.status(.ok), _), (.status(.fileNotFound), _), (.status, .receiveComplete): false
    case (.status, _): true
    default: false
    }
  }
}

/// DEV-12, as far as file transfers and updates show it: what the recorder notifies is what its protocol says.
///
/// An answer repeats the request it is for, is as long as documented, and comes once; what nobody asked for does not come.
/// A battery level has one octet. A bootloader gives receipts only as often as it was asked to. What a scenario lets go wrong
/// is not judged, and a status that all is well says nothing.
struct AnswersAsDocumented: Monitor {
  let declaration = MonitorDeclaration(
    "DEV-12", "every answer of the recorder has the form and the characteristic that its protocol specifies",
    judges: .recorder, shows: ["answers"])
  let interests: EventKinds = [.battery, .fileTransfer, .firmwareUpdate, .oracle]
  private(set) var preconditionCount = 0
  private var isBootloaderDisturbed = false

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .batteryMalformed(let octets):
      preconditionCount += 1
      return .violated("the recorder told a battery level of \(Wording.count(octets, "octet")), which has one")
    case .fileTransfer(.status(.ok)): return .pending
    case .fileTransfer(.listed), .fileTransfer(.informed), .fileTransfer(.fileSystemStatus), .fileTransfer(.status):
      preconditionCount += 1
      return .met
    case .fileTransfer(.notUnderstood(let reason)):
      preconditionCount += 1
      return .violated("the file transfer service sent an invalid answer: \(reason)")
    case .firmwareUpdate(.answered(_, let answer)) where answer.hasFalseChecksum && !isBootloaderDisturbed,
      .firmwareUpdate(.receipt(let answer)) where answer.hasFalseChecksum && !isBootloaderDisturbed:
      preconditionCount += 1
      return .violated("the bootloader stated another checksum than that of the octets that it has")
    case .firmwareUpdate(.answered), .firmwareUpdate(.receipt), .firmwareUpdate(.buttonlessAnswered):
      preconditionCount += 1
      return .met
    case .oracle(.update(.bootloaderDisturbed)):
      isBootloaderDisturbed = true
      return .pending
    case .firmwareUpdate(.notUnderstood(let reason)) where !isBootloaderDisturbed:
      preconditionCount += 1
      return .violated("the update service sent an invalid answer: \(reason)")
    default: return .pending
    }
  }
}

/// DEV-10, as far as one link shows it: without encryption nothing is served, nobody writes the name, and nobody starts
/// the bootloader.
struct NothingServedInClear: Monitor {
  let declaration = MonitorDeclaration(
    "DEV-10", "the recorder does not serve, take a name or start its bootloader on a link that is not encrypted",
    judges: .recorder, shows: ["clear"])
  let interests: EventKinds = [.links, .security, .services, .fileTransfer, .fileData, .firmwareUpdate]
  // Octets of a record whose size was told come after that size, which was served too.
  let isLastPacketEnough = true
  private(set) var preconditionCount = 0
  /// Links that are encrypted or not; not those on which something was served in clear already.
  private var isEncrypted = LinkTable<Bool>()
  private var isBootloaderAsked = false

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .linkUp: isEncrypted[event] = false
    case .linkDown, .undetermined: isEncrypted[event] = nil
    case .encrypted: isEncrypted[event] = true
    case .fileTransfer(.data(_, _, _, size: .some)): break
    case .fileTransfer(let happening) where isEncrypted[event] == false: return transferred(happening, event)
    case .nameWritten(let isAccepted) where isEncrypted[event] == false:
      preconditionCount += 1
      return isAccepted ? .violated("the recorder took a name on a link that is not encrypted") : .met
    case .firmwareUpdate(let happening) where isEncrypted[event] == false: return updated(happening)
    default: break
    }
    return .pending
  }

  private mutating func transferred(_ happening: FileTransferHappening, _ event: ProductEvent) -> Observation {
    let what: String
    switch happening {
    case .requested:
      preconditionCount += 1
      return .pending
    case .requestRefused: return .met
    case .requestTaken: what = "accepted a request"
    case .listing, .listed: what = "sent its list of files"
    case .informed: what = "told the size of a record"
    case .data, .completed: what = "sent a record"
    case .fileSystemStatus: what = "told the state of its file system"
    case .valueRead: what = "let a value of the file transfer service be read"
    case .answerNotEnabled, .status, .notUnderstood: return .pending
    }
    isEncrypted[event] = nil
    return .violated("the recorder \(what) on a link that is not encrypted")
  }

  private mutating func updated(_ happening: FirmwareUpdateHappening) -> Observation {
    switch happening {
    case .buttonlessRequested(.startBootloader):
      preconditionCount += 1
      isBootloaderAsked = true
    case .buttonlessAnswered(.startBootloader, result: ButtonlessUpdate.ResultCode.success.rawValue):
      return .violated("the recorder starts its bootloader for a link that is not encrypted")
    case .requestRefused where isBootloaderAsked:
      isBootloaderAsked = false
      return .met
    default: break
    }
    return .pending
  }
}
