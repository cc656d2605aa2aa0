import Bytes
import DictofunProtocol
import HCI
import HostStack
import SecureDFU
import Timeline

/// Installing a package: the loop that `UpdateRun` draws.
extension PhoneApplication {
  mutating func beginUpdate(
    _ order: FirmwareOrder, _ choice: RecorderChoice, isAsked: Bool, _ effects: inout ApplicationEffects
  ) {
    var order = order
    if has(.skipsPackageChecks) { order.isChecked = false }
    if let problem = UpdateFitness.problem(with: order.package, isChecked: order.isChecked) {
      return fail(.packageUnfit(problem), &effects)
    }
    effects.append(.event(.updateBegan(version: order.version, isAsked: isAsked)))
    if has(.skipsChecksums) { order.options.checksObjects = false }
    var run = UpdateRun(order, at: now)
    run.state.total = run.total
    updating.run = run
    show(.nowhere, .checking, &effects)
    running?.attemptsLeft = Self.updateAttempts
    beginFinding(choice, &effects)
  }

  /// Attempts of an update to connect, each time that it looks for a program, when the first packets of a connection are lost.
  /// Where two packets of five are lost four attempts fail once in thirty times, and a recorder must not be left in its
  /// bootloader for that.
  private static let updateAttempts = 16

  // MARK: The application is there

  /// A link to the application is ready.
  mutating func applicationReady(_ effects: inout ApplicationEffects) {
    guard let link, var run = updating.run else { return }
    let isFirst = run.application == nil
    run.application = link.peer
    updating.run = run
    if run.isCertain {
      show(.application, .verifying, &effects)
      return runUpdateStep(.discoverService(DictofunUUID.deviceInformationService), &effects) {
        .discoveringInformation($0)
      }
    }
    do throws(PhoneFailure) { _ = try readyLink() } catch { return fail(error, &effects) }
    guard isFirst, run.order.isChecked else { return enterForUpdate(&effects) }
    show(.application, .checking, &effects)
    running?.stage = .updating(.readingVersion)
    effects.append(.host(.readRemoteVersion(link.handle)))
    allow(configuration.timeouts.updateAnswer, &effects)
  }

  /// The other controller reported its version; Nordic's report their SoftDevice as subversion, others may report
  /// nothing.
  mutating func remoteVersionKnown(_ version: RemoteVersion?, _ effects: inout ApplicationEffects) {
    if case .reportingVersions(let inquiry) = running?.stage {
      return remoteVersionReported(version, inquiry, &effects)
    }
    guard case .updating(.readingVersion) = running?.stage, let run = updating.run, let link else { return }
    let installed = consult(&effects) { library throws(LibraryFailure) in
      try library.installedRelease(on: link.identity)
    }
    if let problem = UpdateFitness.problem(
      with: run.order, softDevice: version?.softDeviceIdentifier, installedVersion: (installed ?? nil)?.version)
    {
      return fail(.packageUnfit(problem), &effects)
    }
    enterForUpdate(&effects)
  }

  private mutating func enterForUpdate(_ effects: inout ApplicationEffects) {
    guard let link, updating.run != nil else { return }
    updating.run?.jumps += 1
    updating.run?.isAccepted = false
    guard let jumps = updating.run?.jumps, jumps <= UpdateRun.jumpLimit else {
      return giveUp(.trouble(.bootloaderNotFound), &effects)
    }
    noteBeginning(on: link, &effects)
    show(.application, .entering, &effects)
    enter(on: link, nil, &effects)
  }

  /// Remembers that the recorder may soon run its bootloader, even if this application ends.
  private mutating func noteBeginning(on link: Link, _ effects: inout ApplicationEffects) {
    guard let order = updating.run?.order, let version = order.version else { return }
    let pending = PendingUpdate(
      recorder: link.identity, bootloader: link.peer.ofBootloader, version: version, name: order.name,
      begunAt: timeServer.clock.wallTime(at: now))
    updating.run?.recorder = link.identity
    _ = consult(&effects) { library throws(LibraryFailure) in try library.begin(pending) }
  }

  // MARK: The bootloader is there

  /// A link to the bootloader is ready.
  mutating func bootloaderReady(_ effects: inout ApplicationEffects) {
    guard let link, updating.run != nil else { return }
    updating.run?.bootloaderReady(at: link.peer, at: now)
    running?.stage = .updating(.transferring)
    step.stop(&effects)
    beginTransfer(&effects)
  }

  private mutating func beginTransfer(_ effects: inout ApplicationEffects) {
    guard let link else { return }
    let size = ImageTransfer.packetSize(maximumTransmissionUnit: Int(link.maximumTransmissionUnit))
    feedTransfer(.linkReady(packetSize: size), &effects)
  }

  /// Gives the transfer an input and carries out its effects.
  mutating func feedTransfer(_ input: ImageTransferInput, _ effects: inout ApplicationEffects) {
    guard updating.run != nil else { return }
    var wishes: [ImageTransferEffect] = []
    updating.run?.transfer.handle(input, &wishes)
    for wish in wishes { carryOut(wish, &effects) }
    if has(.showsSentAsArrived) { show(updating.run?.countSentAsArrived(), &effects) }
  }

  private mutating func carryOut(_ wish: ImageTransferEffect, _ effects: inout ApplicationEffects) {
    switch wish {
    case .writeControlPoint(let octets):
      guard let link, let attributes = link.bootloader, !isLinkClosing else { return }
      let token = run(.write(attributes.controlPoint, octets), on: link, &effects)
      updating.run?.request = token
    case .writePacket(let octets):
      guard let link, let attributes = link.bootloader, !isLinkClosing else { return }
      _ = run(.writeWithoutResponse(attributes.packet, octets), on: link, &effects)
    case .startTimer(let milliseconds): updating.timer.start(.milliseconds(milliseconds), &effects)
    case .stopTimer: updating.timer.stop(&effects)
    case .progressed(let phase, let octets):
      show(updating.run?.progressed(phase, octets, at: now), &effects)
    case .renewLink: endLink(&effects)
    case .trouble(let text): effects.append(.event(.protocolTrouble(text)))
    case .ended(let outcome): transferEnded(outcome, &effects)
    }
  }

  /// The write of the control point ended; the answer comes as a notification.
  mutating func updateRequestEnded(
    _ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects
  ) {
    updating.run?.request = nil
    guard case .failure(let failure) = outcome else { return }
    // A request that was not sent counts as refused.
    if case .refused(let code) = failure { return feedTransfer(.requestRefused(code.rawValue), &effects) }
    feedTransfer(.requestRefused(0), &effects)
  }

  private mutating func transferEnded(_ outcome: ImageTransferOutcome, _ effects: inout ApplicationEffects) {
    switch outcome {
    case .accepted:
      updating.run?.transferEnded = now
      if updating.run?.advanceToNextImage() == false {
        updating.run?.isAccepted = true
        show(.bootloader, .activating, &effects)
        if has(.trustsTheLastAnswer) { return concludeUpdate(firmwareRevision: nil, &effects) }
      }
      leave(&effects)
    case .alreadyInstalled:
      if updating.run?.advanceToNextImage() == false { updating.run?.isCertain = true }
      abortUpdate(&effects)
    case .initPacketRefused(let reply):
      guard updating.run?.passOver(reply) == true else { return refused(reply, &effects) }
      // The bootloader waits for the next init packet on this link.
      beginTransfer(&effects)
    case .imageRefused(let reply): refused(reply, &effects)
    case .checksumsDiffer: giveUpWithBootloader(.trouble(.checksumsDiffer), &effects)
    case .noAnswer: giveUpWithBootloader(.trouble(.noAnswer), &effects)
    }
  }

  private mutating func refused(_ reply: ControlPointReply, _ effects: inout ApplicationEffects) {
    let octets = [DFUOpCode.response, reply.opCode, reply.resultCode] + (reply.extendedError.map { [$0] } ?? [])
    giveUpWithBootloader(.refused(octets), &effects)
  }

  private mutating func giveUpWithBootloader(_ failure: UpdateRun.Failure, _ effects: inout ApplicationEffects) {
    updating.run?.failure = failure
    abortUpdate(&effects)
  }

  /// Sends the recorder back to its application, which it would otherwise not start for a minute.
  private mutating func abortUpdate(_ effects: inout ApplicationEffects) {
    if let link, let attributes = link.bootloader, !isLinkClosing {
      _ = run(.write(attributes.controlPoint, ImageTransfer.abortRequest), on: link, &effects)
    }
    leave(&effects)
  }

  /// Waits until the bootloader ends the link.
  private mutating func leave(_ effects: inout ApplicationEffects) {
    running?.stage = .updating(.leaving)
    allow(configuration.timeouts.updateLinkEnd, &effects)
  }

  // MARK: Links end, time runs out

  mutating func updateLinkEnded(_ step: UpdateRun.Step, _ code: ErrorCode, _ effects: inout ApplicationEffects) {
    updating.run?.request = nil
    switch step {
    case .readingVersion: fail(.disconnected(code), &effects)
    case .transferring:
      feedTransfer(.linkLost, &effects)
      if has(.neverResumesUpdates) {
        return endUpdate(.failure(.updateFailed(.linkLost, .unknown)), .unknown, &effects)
      }
      seek(&effects)
    case .leaving:
      feedTransfer(.linkLost, &effects)
      updating.run?.leftBootloader(code)
      seek(&effects)
    case .discoveringInformation, .readingRevision: concludeUpdate(firmwareRevision: nil, &effects)
    }
  }

  mutating func updatePatienceEnded(_ step: UpdateRun.Step, _ effects: inout ApplicationEffects) {
    switch step {
    case .readingVersion: remoteVersionKnown(nil, &effects)
    case .transferring: break
    case .leaving:
      endLink(&effects)
      if link == nil { seek(&effects) } else { allow(configuration.timeouts.disconnect, &effects) }
    case .discoveringInformation, .readingRevision: concludeUpdate(firmwareRevision: nil, &effects)
    }
  }

  /// Looks for the program that the recorder runs now.
  mutating func seek(_ effects: inout ApplicationEffects) {
    guard let application = updating.run?.application, let sought = updating.run?.seek() else { return }
    show(.nowhere, sought.phase, &effects)
    running?.stage = .finding
    running?.attemptsLeft = Self.updateAttempts
    effects.append(.event(.connectionStatus(.searching)))
    startListening(.recorder(application), .either, &effects)
    let timeouts = configuration.timeouts
    allow(sought.awaitsApplication ? timeouts.applicationReturn : timeouts.bootloaderSearch, &effects)
  }

  /// A program was heard after the update was given up: it shows which firmware is installed.
  mutating func heardAfterFailure(_ program: ConnectedProgram, _ effects: inout ApplicationEffects) {
    guard let failure = updating.run?.failure, let installed = updating.run?.installedAfterFailure(program) else {
      return
    }
    endUpdate(.failure(failure.ended(installed)), installed, &effects)
  }

  /// Neither program was heard in time.
  mutating func searchEnded(_ effects: inout ApplicationEffects) {
    guard let run = updating.run else { return }
    guard let end = run.endOfSearch else { return giveUp(.trouble(.bootloaderNotFound), &effects) }
    endUpdate(.failure(end.failure), end.installed, &effects)
  }

  /// Gives the update up, and finds out which firmware is installed.
  private mutating func giveUp(_ failure: UpdateRun.Failure, _ effects: inout ApplicationEffects) {
    updating.run?.failure = failure
    guard link == nil else { return close(.failure(.noAnswer), &effects) }
    seek(&effects)
  }

  /// A step that other operations have as well failed. Before the recorder was touched that ends the update; afterwards
  /// the update looks again for the recorder.
  mutating func updateStumbled(_ failure: PhoneFailure, _ effects: inout ApplicationEffects) {
    guard let run = updating.run, run.hasTouched else { return endUpdate(.failure(failure), .old, &effects) }
    updating.run?.stumbled(failure)
    guard link == nil else { return close(.failure(failure), &effects) }
    // A link that fails during preparation counts like a lost one.
    updating.run?.links += 1
    seek(&effects)
  }

  // MARK: The end

  /// The new application runs and is asked for its version.
  mutating func updateProcedureEnded(
    _ step: UpdateRun.Step, _ token: ClientToken, _ outcome: Result<ClientResult, PhoneFailure>,
    _ effects: inout ApplicationEffects
  ) {
    switch (step, outcome) {
    case (.discoveringInformation(token), .success(.services(let services))):
      let characteristics = services.first { $0.uuid == DictofunUUID.deviceInformationService }?.characteristics
      guard let revision = characteristics?.first(where: { $0.uuid == DictofunUUID.firmwareRevision }) else {
        return concludeUpdate(firmwareRevision: nil, &effects)
      }
      runUpdateStep(.read(revision.valueHandle), &effects) { .readingRevision($0) }
    case (.readingRevision(token), .success(.value(let value))):
      concludeUpdate(firmwareRevision: String(decoding: value, as: UTF8.self), &effects)
    case (.discoveringInformation(token), _), (.readingRevision(token), _):
      concludeUpdate(firmwareRevision: nil, &effects)
    default: break
    }
  }

  private mutating func runUpdateStep(
    _ procedure: ClientProcedure, _ effects: inout ApplicationEffects, _ step: (ClientToken) -> UpdateRun.Step
  ) {
    guard let link else { return }
    let token = run(procedure, on: link, &effects)
    running?.stage = .updating(step(token))
    allow(configuration.timeouts.attribute, &effects)
  }

  private mutating func concludeUpdate(firmwareRevision: String?, _ effects: inout ApplicationEffects) {
    guard let run = updating.run else { return }
    let summary = run.summary(firmwareRevision: firmwareRevision, at: now)
    endUpdate(.success(.updated(summary)), .new, &effects)
  }

  private mutating func endUpdate(
    _ result: Result<PhoneResult, PhoneFailure>, _ installed: InstalledAfterUpdate,
    _ effects: inout ApplicationEffects
  ) {
    show(
      isLinkReady ? (link?.program == .bootloader ? .bootloader : .application) : .nowhere, .ended, &effects)
    effects.append(.event(.updateEnded(installed)))
    noteEnd(installed, &effects)
    updating.end()
    finish(result, &effects)
  }

  /// Remembers the end of the update; where it is not known, the update stays pending.
  private mutating func noteEnd(_ installed: InstalledAfterUpdate, _ effects: inout ApplicationEffects) {
    guard let recorder = updating.run?.recorder else { return }
    let time = timeServer.clock.wallTime(at: now)
    _ = consult(&effects) { library throws(LibraryFailure) in
      switch installed {
      case .new: try library.completeUpdate(of: recorder, at: time)
      case .old: try library.abandonUpdate(of: recorder)
      case .none, .unknown: break
      }
    }
  }

  /// The operation was overtaken by a restart or a disconnect; the state of the recorder is not known.
  mutating func abandonUpdate(_ effects: inout ApplicationEffects) {
    guard updating.run != nil else { return }
    show(.nowhere, .ended, &effects)
    effects.append(.event(.updateEnded(updating.run?.hasTouched == true ? .unknown : .old)))
    updating.end()
  }

  private mutating func show(
    _ place: UpdateState.Place, _ phase: UpdateState.Phase, _ effects: inout ApplicationEffects
  ) {
    show(updating.run?.show(place, phase), &effects)
  }

  private func show(_ state: UpdateState??, _ effects: inout ApplicationEffects) {
    guard let state, var state else { return }
    if has(.hidesTheBootloader), state.place == .bootloader { state.place = .application }
    effects.append(.event(.update(state)))
  }
}

extension RemoteVersion {
  /// Nordic Semiconductor (Assigned Numbers, 7.1).
  private static let nordic: UInt16 = 0x0059

  /// Firmware identifier of the SoftDevice; `nil` where the controller is not one of Nordic's.
  var softDeviceIdentifier: UInt32? { company == Self.nordic ? UInt32(subversion) : nil }
}
