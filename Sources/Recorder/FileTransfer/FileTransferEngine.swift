import DictofunProtocol

/// The recorder's side of the File Transfer Service: serves one request after the other, with as many notifications on
/// their way as the stack allows, which is one with Nordic's.
///
///     idle ──request──▶ preparing ──(flash was read)──▶ sending ──(all acknowledged)──▶ idle
///                                └──(not there, not enabled)────────────────────────────▶ idle
///
/// A request that comes while another is served waits; there is room for one. A link that ends takes everything
/// with it. `pass` is the firmware's engine pass: the application calls it at `dueTick`, which is never later than
/// one tick after the event that made it necessary, plus the time the flash takes.
struct FileTransferEngine: Hashable, Sendable {
  /// What is being sent.
  enum Transfer: Hashable, Sendable {
    /// The parts of a list, with the next part's number and how much of it is sent.
    case list(FilesListTransfer)
    /// A record's octets.
    case data(FileDataTransfer)
    /// One notification.
    case single(handle: UInt16, value: [UInt8])

    /// Whether the stack has all of it. One notification is handed over as soon as there is any on its way.
    func isHandedOver(_ onTheirWay: Int) -> Bool {
      switch self {
      case .list(let list): list.isComplete
      case .data(let data): data.isComplete
      case .single: onTheirWay > 0
      }
    }
  }

  private enum State: Hashable, Sendable {
    case idle
    case preparing(ControlPointRequest)
    case sending(Transfer)
    case deaf
  }

  /// What a pass or an acknowledgement means to the rest of the recorder.
  enum Outcome: Hashable, Sendable {
    /// Nothing more.
    case none
    /// The record at this index of the table was sent whole.
    case delivered(index: Int)
    /// The phone has everything: the session is to be ended.
    case receiveComplete
    /// The link is to be ended, because of a fault.
    case disconnect
  }

  /// The tick at which `pass` is to be called next.
  private(set) var dueTick: Int64?
  /// Notifications of this service on their way.
  private var notificationsOnTheirWay = 0

  private var state = State.idle
  private var waitingRequest: ControlPointRequest?
  /// Until when the last file is being closed. Whoever drops second requests drops one that comes meanwhile.
  private var closingEndTick: Int64 = 0
  private let profile: RecorderProfile

  /// A service that is idle.
  init(profile: RecorderProfile) { self.profile = profile }

  /// Whether a request is being served or waits.
  var isServing: Bool { requestCount > 0 }

  /// How many requests are being served or wait: 0 to 2.
  var requestCount: Int {
    let waiting = waitingRequest == nil ? 0 : 1
    switch state {
    case .idle, .deaf: return waiting
    case .preparing, .sending: return waiting + 1
    }
  }

  /// Its state in words, with times as ticks from this one on: two engines of one profile and table with the same
  /// words do the same from then on.
  func outline(at tick: Int64) -> String {
    let serves =
      switch state {
      case .idle: "idle"
      case .deaf: "deaf"
      case .preparing(let request): "preparing \(request.encoded)"
      case .sending(.list(let list)): "list \(list.progress)"
      case .sending(.data(let data)): "record \(data.index) from \(data.offset)\(data.isComplete ? " whole" : "")"
      case .sending(.single(let handle, let value)): "value \(handle) \(value)"
      }
    let waiting = waitingRequest.map { " waiting \($0.encoded)" } ?? ""
    let due = dueTick.map { " due \(max(0, $0 - tick))" } ?? ""
    let closing = profile.policies.secondRequest == .isDropped ? " closing \(max(0, closingEndTick - tick))" : ""
    return "\(serves)\(waiting)\(due) sent \(notificationsOnTheirWay)\(closing)"
  }

  // MARK: Events

  /// A phone wrote the control point.
  mutating func requested(_ request: ControlPointRequest, at tick: Int64, _ storage: RecordStorage) {
    guard request.isAccepted else {
      if profile.faults.service.isDeafAfterBadRequest { state = .deaf }
      return
    }
    guard state != .deaf else { return }
    if profile.policies.secondRequest == .isDropped, tick < closingEndTick { return }
    guard state == .idle, waitingRequest == nil else {
      if profile.faults.service.isDeafAfterSecondRequest {
        state = .deaf
        dueTick = nil
      } else if waitingRequest == nil, profile.policies.secondRequest == .waits {
        waitingRequest = request
      }
      return
    }
    begin(request, at: tick, storage)
  }

  /// A notification on its way was acknowledged.
  mutating func transmitted(at tick: Int64, _ storage: RecordStorage) -> Outcome {
    guard notificationsOnTheirWay > 0 else { return .none }
    notificationsOnTheirWay -= 1
    guard case .sending(let transfer) = state else { return .none }
    let isLast = notificationsOnTheirWay == 0
    switch transfer {
    case .single: return ended(.none, at: tick, storage)
    case .list(let list):
      if list.isComplete { return isLast ? ended(.none, at: tick, storage) : .none }
    case .data(let data):
      if data.isComplete { return isLast ? ended(.delivered(index: data.index), at: tick, storage) : .none }
    }
    planPass(for: transfer, at: tick)
    return .none
  }

  /// The next pass hands over more; the flash is read before where that begins a block.
  private mutating func planPass(for transfer: Transfer, at tick: Int64) {
    dueTick = tick + profile.timing.enginePass
    if case .data(let data) = transfer, data.needsBlock {
      dueTick = tick + profile.timing.enginePass + profile.timing.flashRead
    }
  }

  /// The stack has room for a notification again.
  mutating func placeIsFree(at tick: Int64) {
    if case .sending = state, dueTick == nil, notificationsOnTheirWay == 0 {
      dueTick = tick + profile.timing.enginePass
    }
  }

  /// The notification on its way was lost: the request that it belongs to ends.
  mutating func lost(at tick: Int64, _ storage: RecordStorage) {
    guard notificationsOnTheirWay > 0 else { return }
    notificationsOnTheirWay -= 1
    _ = ended(.none, at: tick, storage)
  }

  /// The link ended.
  mutating func linkEnded() {
    let staysDeaf = profile.faults.service.isDeafAfterBreak || profile.policies.linkLoss == .keepsRequest
    end(staysDeaf: staysDeaf)
  }

  /// The Bluetooth task was suspended, which resets the service.
  mutating func serviceStopped() { end(staysDeaf: profile.faults.service.isDeafAfterBreak) }

  private mutating func end(staysDeaf: Bool) {
    notificationsOnTheirWay = 0
    dueTick = nil
    if !profile.faults.service.keepsWaitingRequest { waitingRequest = nil }
    state = staysDeaf && state != .idle ? .deaf : .idle
  }

  // MARK: The pass

  /// Does what is due.
  mutating func pass(
    at tick: Int64, _ softDevice: inout ModelledSoftDevice, _ storage: RecordStorage
  ) -> Outcome {
    dueTick = nil
    switch state {
    case .idle, .deaf: return .none
    case .sending: return send(at: tick, &softDevice, storage)
    case .preparing(.receiveComplete):
      return ended(
        profile.faults.service.ignoresReceiveComplete ? .none : .receiveComplete, at: tick, storage)
    case .preparing(let request):
      guard let transfer = transfer(for: request, softDevice, storage) else { return ended(.none, at: tick, storage) }
      state = .sending(transfer)
      return send(at: tick, &softDevice, storage)
    }
  }

  /// Begins to serve a request; the flash is read meanwhile.
  private mutating func begin(_ request: ControlPointRequest, at tick: Int64, _ storage: RecordStorage) {
    state = .preparing(request)
    dueTick = tick + profile.timing.enginePass + profile.timing.flashRead * flashReads(for: request, storage)
  }

  /// How many times the flash is read before the first notification: once for each descriptor on the way.
  private func flashReads(for request: ControlPointRequest, _ storage: RecordStorage) -> Int64 {
    let count = storage.entries.count
    switch request {
    case .listFiles: return Int64(count)
    case .fileInformation(let identifier): return Int64((storage.index(of: identifier) ?? count) + 1)
    case .fileData(let identifier): return 2 * Int64((storage.index(of: identifier) ?? count) + 1) + 1
    case .fileSystemStatus: return Int64(count + 1)
    case .receiveComplete, .unaccepted: return 0
    }
  }

  /// What answers a request; `nil` where the firmware is silent because the phone did not enable the answer.
  private func transfer(
    for request: ControlPointRequest, _ softDevice: ModelledSoftDevice, _ storage: RecordStorage
  ) -> Transfer? {
    switch request {
    case .listFiles:
      guard softDevice.isEnabled(DictofunHandle.filesList), softDevice.isEnabled(DictofunHandle.filesListContinuation)
      else { return nil }
      return .list(FilesListTransfer(storage, profile.faults.list))
    case .fileInformation(let identifier):
      guard let index = readableIndex(of: identifier, storage) else { return notFound(identifier) }
      let size = storage.entries[index].content.count + profile.faults.transfer.sizeExcess
      return .single(
        handle: DictofunHandle.fileInformation, value: FileInformation(size: UInt32(clamping: size)).encoded)
    case .fileData(let identifier):
      guard softDevice.isEnabled(DictofunHandle.fileData) else { return nil }
      guard let index = readableIndex(of: identifier, storage) else { return notFound(identifier) }
      return .data(FileDataTransfer(index: index, size: storage.entries[index].content.count))
    case .fileSystemStatus:
      var status = storage.status
      let faults = profile.faults.storage
      let unfinished = storage.entries.filter { !$0.isFinished }
      if faults.countsOnlyUnconfirmed { status.fileCount -= UInt32(storage.finished.count { $0.isConfirmed }) }
      if faults.countsUnfinished { status.fileCount += UInt32(unfinished.count) }
      if faults.hidesUnfinishedRoom {
        let hidden = UInt32(clamping: unfinished.reduce(0) { $0 + $1.occupiedBytes })
        status.occupiedBytes -= hidden
        status.freeBytes += hidden
      }
      status.freeBytes += UInt32(clamping: profile.faults.transfer.freeSpaceExcess)
      return .single(handle: DictofunHandle.fileSystemStatus, value: status.encoded)
    case .receiveComplete, .unaccepted: return nil
    }
  }

  private func readableIndex(of identifier: RecordIdentifier, _ storage: RecordStorage) -> Int? {
    storage.index(of: identifier, includingUnfinished: profile.faults.list.includesUnfinished)
  }

  private func notFound(_ identifier: RecordIdentifier) -> Transfer? {
    guard !profile.faults.service.isSilentAboutUnknownRecords else { return nil }
    return .single(
      handle: DictofunHandle.generalStatus, value: GeneralStatus.fileNotFound(identifier).encoded)
  }

  // MARK: Sending

  /// Hands the next notification to the stack.
  private mutating func send(
    at tick: Int64, _ softDevice: inout ModelledSoftDevice, _ storage: RecordStorage
  ) -> Outcome {
    guard case .sending(let transfer) = state, !transfer.isHandedOver(notificationsOnTheirWay) else { return .none }
    let result: NotificationResult
    switch transfer {
    case .single(let handle, let value): result = softDevice.notify(handle, value[...])
    case .list(let list): result = softDevice.notify(list.handle, list.value[...])
    case .data(var data):
      switch data.interference(profile.faults.transfer) {
      case .none: break
      case .silence: return .none
      case .disconnection: return ended(.disconnect, at: tick, storage)
      }
      result = softDevice.notify(
        DictofunHandle.fileData, data.packet(of: storage.entries[data.index].content, profile.faults.transfer))
      if case .sent(let octets) = result {
        data.advance(by: octets)
        state = .sending(.data(data))
      }
    }
    switch result {
    case .sent(let octets):
      notificationsOnTheirWay += 1
      if case .list(var list) = transfer {
        list.advance(by: octets)
        state = .sending(.list(list))
      }
      if notificationsOnTheirWay < profile.notificationPlaces, case .sending(let rest) = state,
        !rest.isHandedOver(notificationsOnTheirWay)
      {
        planPass(for: rest, at: tick)
      }
      return .none
    case .busy: return .none
    case .invalidState: return ended(.none, at: tick, storage)
    }
  }

  /// Ends the current request, served or not, and begins the one that waits.
  private mutating func ended(_ outcome: Outcome, at tick: Int64, _ storage: RecordStorage) -> Outcome {
    state = .idle
    dueTick = nil
    if case .delivered = outcome { closingEndTick = tick + profile.timing.closeFile }
    if let request = waitingRequest {
      waitingRequest = nil
      begin(request, at: tick, storage)
    }
    return outcome
  }
}
