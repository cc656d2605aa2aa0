import DictofunProtocol
import HCI
import HostStack
import Phone
import Recorder
import Timeline

extension Meeting {
  /// Everything that can happen next, in the order of ``Move``.
  package var moves: [Move] {
    var moves: [Move] = []
    if phone.isIdle, !isFinished { moves.append(.sync) }
    if !calls.isEmpty, answers.isEmpty { moves.append(.call) }
    if !answers.isEmpty { moves.append(.answer) }
    if recorder.awaitsPass { moves.append(.pass) }
    if !notifications.isEmpty { moves.append(.notification) }
    if !acknowledgements.isEmpty { moves.append(.acknowledgement) }
    // The pause is longer than a pass or an acknowledgement takes, so that the recorder has ended the request before.
    let isPausing = phoneTimers.contains(where: \.token.endsPause) && !recorder.awaitsPass
    let isEnded = !requestsOfOthers.contains(false)
    if isPausing, isEnded { moves.append(.settled) }
    if moves.isEmpty, phoneTimers.contains(where: \.token.limitsStep) { moves.append(.patience) }
    if disturbancesLeft == 0 { return moves }
    if link != nil { moves.append(.linkLoss) }
    moves += [.powerCut, .applicationKill]
    // The recorder keeps one request beside the one that it serves: a third is more than anybody promises to answer.
    let isRoomLeft = link != nil && !requestsOfOthers.contains(true) && !hasOvertaken
    if isPausing, !isEnded, isRoomLeft { moves.append(.overtaking) }
    if isRoomLeft { moves += [.secondList, .secondStatus] }
    return moves
  }

  /// The state after a move that is possible now.
  package func after(_ move: Move, _ shelf: LibraryShelf) throws(LibraryFailure) -> Meeting {
    var next = self
    let book = try shelf.take(library)
    next.phone.use(book)
    if move.isDisturbance { next.disturbancesLeft = disturbancesLeft.map { $0 - 1 } }
    next.make(move, book)
    next.settle()
    next.noteRequests(areOfOthers: move == .secondList || move == .secondStatus)
    next.endBeat()
    next.library = try shelf.put(book)
    next.judge()
    return next
  }

  private mutating func make(_ move: Move, _ book: PhoneLibrary) {
    switch move {
    case .sync: beginSync()
    case .call, .answer, .notification, .acknowledgement: if let link { deliver(move, on: link) }
    case .pass:
      guard let due = recorderTimers.first(where: { $0.kind == Self.engineTimer })?.due else { return }
      now = max(now, due)
      recorderTimers.removeAll { $0.kind == Self.engineTimer }
      recorder.timerFired(Self.engineTimer, at: now)
      drainRecorder()
    case .settled: fire(\.endsPause)
    case .overtaking:
      hasOvertaken = true
      fire(\.endsPause)
    case .patience:
      fire(\.limitsStep)
      accuse("the recorder leaves the phone without an answer, and the link stays")
    case .linkLoss: loseLink(.connectionTimeout, .connectionTimeout)
    case .powerCut:
      recorder.take(.cutPower, at: now)
      drainRecorder()
      settle()
      bootRecorder()
    case .applicationKill: killApplication(book)
    case .secondList: request(.listFiles)
    case .secondStatus: request(.fileSystemStatus)
    }
  }

  private mutating func beginSync() {
    lastToken += 1
    operation = OperationToken(lastToken)
    isSynced = false
    tell(.request(.perform(OperationToken(lastToken), .sync(.address(MeetingPlan.recorderAddress), finishes: true))))
  }

  private mutating func deliver(_ move: Move, on link: ConnectionHandle) {
    switch move {
    case .call:
      var call = calls.removeFirst()
      call.result = answer(call, on: link)
      answers.append(call)
    case .answer:
      let call = answers.removeFirst()
      forPhone.append(.clientCompleted(link, call.token, call.result))
    case .notification:
      let notification = notifications.removeFirst()
      acknowledgements.append(notification.ticket)
      forPhone.append(.notificationReceived(link, notification.handle, notification.value[...]))
    default: forRecorder.append(.notificationTransmitted(link, acknowledgements.removeFirst()))
    }
  }

  /// Fires one of the phone's timers. One that only starts again, because there was progress meanwhile, fires again.
  private mutating func fire(_ isMeant: (TimerToken) -> Bool) {
    while let index = phoneTimers.firstIndex(where: { isMeant($0.token) }) {
      let (token, due) = phoneTimers.remove(at: index)
      now = max(now, due)
      let effects = tell(.timerFired(token))
      guard effects.count == 1, case .startTimer(let again, _) = effects[0], isMeant(again) else { return }
    }
  }

  /// The application is gone with everything that is not in its library; its system ends the link. It starts again.
  private mutating func killApplication(_ book: PhoneLibrary) {
    loseLink(.connectionTerminatedByLocalHost, .remoteUserTerminatedConnection)
    phoneTimers = []
    forPhone = []
    (operation, isSynced, isScanning, attempt) = (nil, false, false, nil)
    phone = PhoneApplication(plan.phone(book))
    tell(.request(.start))
  }

  /// Another application of the phone writes a request.
  private mutating func request(_ request: ControlPointRequest) {
    guard let link else { return }
    forRecorder.append(.attributeWritten(link, AttributeHandle(DictofunHandle.controlPoint), request.encoded))
  }
}
