import Bytes
import DictofunProtocol
import HCI
import HostStack

/// The operation that runs.
struct RunningOperation {
  /// The token for its end; `nil` for an automatic sync.
  var token: OperationToken?
  var operation: PhoneOperation
  var stage: Stage
  /// Attempts to connect that are left when the first packets of a connection are lost.
  var attemptsLeft = PhoneApplication.connectionAttempts

  /// The stage of an operation.
  enum Stage {
    /// Listening until the time is up.
    case scanning
    /// Listening for the recorder to connect to.
    case finding
    /// Making the connection.
    case connecting
    /// Getting a new link ready.
    case preparing(Preparation)
    /// The link was told to end; then the operation ends with this.
    case closing(Result<PhoneResult, PhoneFailure>)
    /// Making the link secure for the first time; the bond once it is there.
    case pairing(Bond?)
    /// Writing to the pairing characteristic.
    case unpairing(ClientToken)
    /// Reading the battery on request.
    case readingBattery(ClientToken)
    /// Asking for the list; of a sync, or to choose from it.
    case listing
    /// Asking for the size of a record.
    case sizing(RecordIdentifier)
    /// Receiving a record, into the library's record of this number where it is to be stored.
    case fetching(RecordIdentifier, RecordNumber?)
    /// Asking for the state of the file system.
    case checkingSpace
    /// Writing octets to the control point as they are.
    case writing
    /// Saying "receive complete" and waiting for the link to end.
    case finishing
    /// Asking the application for its bootloader.
    case entering(BootloaderEntry)
    /// Getting a new link to a bootloader ready.
    case preparingBootloader(BootloaderPreparation)
    /// Installing a package.
    case updating(UpdateRun.Step)
    /// Making a single request to a bootloader, and waiting for its answer where one is expected.
    case askingBootloader(BootloaderQuestion)
    /// Finding out versions.
    case reportingVersions(VersionInquiry)
    /// Running a procedure of the GATT client on request.
    case runningProcedure(ClientToken)
  }

  /// The rest of a sync.
  var plan = SyncPlan()
}

extension PhoneApplication {
  /// Attempts of one operation to connect when the first packets of a connection are lost; an update makes more.
  static let connectionAttempts = 4

  /// Takes an operation into the queue. A disconnect overtakes the others, which are abandoned.
  mutating func perform(
    _ token: OperationToken, _ operation: PhoneOperation, _ effects: inout ApplicationEffects
  ) {
    guard power != .off, queue.hasRoom else {
      effects.append(.event(.operationEnded(token, .failure(.abandoned))))
      return
    }
    if operation == .disconnect { abandonAll(sparingDisconnects: true, &effects) }
    queue.append(token, operation)
    startNext(&effects)
  }

  /// Abandons the running operation and those that wait.
  mutating func abandonAll(sparingDisconnects: Bool, _ effects: inout ApplicationEffects) {
    if let running, !(sparingDisconnects && running.operation == .disconnect) {
      clearStep(&effects)
      abandonUpdate(&effects)
      self.running = nil
      report(running.token, .failure(.abandoned), &effects)
    }
    for queued in queue.removeAll(sparingDisconnects: sparingDisconnects) {
      report(queued.token, .failure(.abandoned), &effects)
    }
  }

  /// Starts the operation at the head of the queue where nothing prevents it.
  mutating func startNext(_ effects: inout ApplicationEffects) {
    guard power == .on else { return }
    if let running, running.token == nil, case .finding = running.stage, !queue.isEmpty {
      // An automatic search gives way to any operation of the user.
      clearStep(&effects)
      self.running = nil
    }
    guard running == nil else { return }
    guard let next = queue.next else { return syncAutomatically(&effects) }
    // A link that is closing must end first, except for one more disconnect.
    if link != nil, isLinkClosing, next.operation != .disconnect { return }
    queue.removeNext()
    begin(next.token, next.operation, &effects)
  }

  private mutating func begin(
    _ token: OperationToken?, _ operation: PhoneOperation, _ effects: inout ApplicationEffects
  ) {
    running = RunningOperation(token: token, operation: operation, stage: .listing)
    if token != nil { effects.append(.event(.operationBegan(operation))) }
    switch operation {
    case .scan(let duration): beginScan(duration, &effects)
    case .connect(let choice), .sync(let choice, _), .connectPlainly(let choice), .connectUnsecured(let choice),
      .connectNarrowly(let choice):
      beginFinding(choice, &effects)
    case .attribute(let procedure): beginProcedure(procedure, &effects)
    case .pair: beginPairing(&effects)
    case .unpair: beginUnpairing(&effects)
    case .disconnect: beginDisconnect(&effects)
    case .list: beginExchange(.listFiles, at: .listing, &effects)
    case .inform(let selection), .download(let selection): beginSelecting(selection, &effects)
    case .fileSystemStatus: beginExchange(.fileSystemStatus, at: .checkingSpace, &effects)
    case .readBattery: beginBatteryRead(&effects)
    case .delete(let selection): delete(selection, &effects)
    case .listen(let selection, let end): listen(selection, until: end, &effects)
    case .writeControlPoint(let octets): beginExchange(.unaccepted(octets), at: .writing, &effects)
    case .update(let order, let choice): beginUpdate(order, choice, isAsked: true, &effects)
    case .lookForFirmware:
      lookIntoFeed(&effects)
      finish(.success(.offer(releaseFeed.standing)), &effects)
    case .answerOffer(let accepts): answerOffer(accepts: accepts, &effects)
    case .reportVersions: beginVersionReport(&effects)
    case .enterBootloader(let name): beginEntering(name, &effects)
    case .askApplication(let octets, let subscribes): askApplication(octets, subscribes: subscribes, &effects)
    case .connectBootloader(let choice, _): beginFindingBootloader(choice, &effects)
    case .askBootloader(let octets, let awaitsReply): askBootloader(octets, awaitsReply, &effects)
    case .sendToBootloader(let octets, let size): sendToBootloader(octets, packetSize: size, &effects)
    }
  }

  /// Ends the running operation and starts the next.
  mutating func finish(_ result: Result<PhoneResult, PhoneFailure>, _ effects: inout ApplicationEffects) {
    guard let ended = running else { preconditionFailure("an operation ends while none runs") }
    if updating.run != nil, case .failure(let failure) = result { return updateStumbled(failure, &effects) }
    if case .failure = result { noteTrouble(of: ended) }
    clearStep(&effects)
    running = nil
    report(ended.token, result, &effects)
    if ended.token == nil { automaticSyncEnded(&effects) }
    startNext(&effects)
  }

  /// Ends the running operation with a failure.
  mutating func fail(_ failure: PhoneFailure, _ effects: inout ApplicationEffects) {
    finish(.failure(failure), &effects)
  }

  private func report(
    _ token: OperationToken?, _ result: Result<PhoneResult, PhoneFailure>, _ effects: inout ApplicationEffects
  ) {
    guard let token else { return }
    effects.append(.event(.operationEnded(token, result)))
  }

  /// Clears the state of the running operation, except the link.
  private mutating func clearStep(_ effects: inout ApplicationEffects) {
    step.stop(&effects)
    exchange.settle.stop(&effects)
    stopListening(&effects)
    updating.timer.stop(&effects)
    exchange.clear()
  }

  /// The running step made no progress for too long.
  mutating func patienceEnded(_ effects: inout ApplicationEffects) {
    if power == .restarting { return switchOn(&effects) }
    guard let running else {
      dropLink(&effects)
      return startNext(&effects)
    }
    switch running.stage {
    case .scanning: finish(.success(.recorders(search.sightings)), &effects)
    case .finding: chooseRecorder(&effects)
    case .connecting:
      effects.append(.host(.cancelConnect))
      close(.failure(.noAnswer), &effects)
    case .preparing(let preparation): preparationPatienceEnded(preparation, &effects)
    case .closing(let result):
      dropLink(&effects)
      finish(result, &effects)
    case .finishing where exchange.phase == nil: finish(.success(.synced(running.plan.summary)), &effects)
    case .fetching where has(.storesTruncatedRecords): storeTruncated(.noAnswer, &effects)
    case .preparingBootloader: close(.failure(.noAnswer), &effects)
    case .entering(let entry): entryPatienceEnded(entry, &effects)
    case .updating(let step): updatePatienceEnded(step, &effects)
    case .pairing, .unpairing, .readingBattery, .listing, .sizing, .fetching, .checkingSpace, .writing, .finishing,
      .askingBootloader, .reportingVersions, .runningProcedure:
      fail(.noAnswer, &effects)
    }
  }
}

// MARK: - Power

extension PhoneApplication {
  /// Loads the library and sets the controller up.
  mutating func switchOn(_ effects: inout ApplicationEffects) {
    power = .starting
    startCount += 1
    linkState.take(.hostReset)
    link = nil
    // Until its link is down it still knows why it gives no time.
    battery.forget()
    search.attempt = nil
    background.clear()
    stopTimers(&effects)
    pairedRecorder =
      consult(&effects) { library throws(LibraryFailure) in try library.pairedRecorder()?.identity } ?? nil
    let bonds = consult(&effects) { library throws(LibraryFailure) in try library.bonds() } ?? []
    effects.append(.host(.start(hostConfiguration)))
    effects.append(.host(.setBonds(bonds)))
  }

  /// Ends the application: everything that is not in the library is forgotten. Its link ends as the operating system
  /// of a phone would end it, then the controller is set up anew.
  mutating func restart(_ effects: inout ApplicationEffects) {
    abandonAll(sparingDisconnects: false, &effects)
    newRecords.clear()
    if has(.forgetsPositions) { forgetPositions(&effects) }
    background.clear()
    automaticSync.stop(&effects)
    guard power == .on, link != nil else { return switchOn(&effects) }
    endLink(&effects)
    power = .restarting
    allow(configuration.timeouts.disconnect, &effects)
  }

  private mutating func stopTimers(_ effects: inout ApplicationEffects) {
    step.stop(&effects)
    exchange.settle.stop(&effects)
    battery.stop(&effects)
    background.stop(&effects)
    automaticSync.stop(&effects)
    updating.timer.stop(&effects)
    releaseFeed.stop(&effects)
  }

  /// The controller is set up.
  mutating func hostStarted(_ effects: inout ApplicationEffects) {
    guard power == .starting else { return }
    power = .on
    effects.append(.event(.started))
    lookIntoFeed(&effects)
    showNewRecords(&effects)
    askForTranscripts(&effects)
    startNext(&effects)
  }

  /// The controller does not work; nothing does until the phone is started again.
  mutating func hostFailed(_ failure: HostFailure, _ effects: inout ApplicationEffects) {
    power = .off
    abandonAll(sparingDisconnects: false, &effects)
    stopTimers(&effects)
    background.clear()
    linkState.take(.hostReset)
    search.attempt = nil
    if link != nil {
      link = nil
      effects.append(.event(.connectionStatus(.disconnected(nil))))
    }
    effects.append(.event(.failed(failure)))
  }
}
