import Bytes
import Charts
import DictofunProtocol
import HostStack
import Timeline

/// The requests to the File Transfer Service on one link and their answers, a machine without I/O.
///
/// It moves on the chart ``FileTransfer``. There is never a second request before the first has ended, because the recorder drops what arrives while it is
/// busy.
struct FileExchange {
  /// The way in which a request ended.
  enum Answer {
    /// Identifiers as listed.
    case list([RecordIdentifier])
    /// Size of a record in octets.
    case size(UInt32)
    /// A record, complete.
    case record([UInt8])
    /// State of the file system.
    case fileSystem(FileSystemStatus)
    /// The request was written; it has no answer.
    case written
  }

  /// The next step before a request is written, or writing it.
  enum Step {
    /// Run this procedure of the GATT client.
    case procedure(ClientProcedure)
    /// Wait this long.
    case settle(Duration)
  }

  /// The outcome of an input.
  enum Outcome {
    /// Nothing that others need to know.
    case nothing
    /// Octets that belong to the answer arrived.
    case progressed
    /// Another percent of a record arrived.
    case notable
    /// The next step is due.
    case advances
    /// The request is written; its answer may take this long.
    case awaits(Duration)
    /// The request ended; where a record arrived last, its progress is notable.
    case ended(Answer)
    /// The request failed.
    case failed(PhoneFailure)
    /// The request failed because of a value that the protocol does not allow.
    case malformed(String)
    /// A value came that nothing was asked for.
    case unasked(String)
  }

  private struct Request {
    let request: ControlPointRequest
    /// The client procedure on its way.
    var procedure: ClientToken?
    /// The answer, where it was complete before the acknowledgement was handled.
    var answer: Answer?
    var list = FilesListAssembler()
  }

  private var current: Request?
  /// How far the request has come.
  var state = ChartedState(FileTransfer.chart)
  /// The record that is arriving; outside `current`, so that a notification is appended in place.
  private(set) var inbox = RecordInbox()
  /// Client configurations of the service that are enabled on this link.
  private var enabled: [AttributeHandle] = []
  /// The client configuration that is being written.
  private var change: ConfigurationChange?
  /// When the recorder can take the next request.
  private var quietUntil = Instant.zero
  /// Whether a record was asked for and none of its octets has arrived.
  private var awaitsFirstOctets = false
  /// Whether something was written that may be answered in any way.
  private var mayAnswerUnasked = false
  /// Runs while the recorder closes the file of the request before.
  var settle = ApplicationTimer(.settle)

  /// The phase of the request; `nil` where there is none.
  var phase: TransferState? { current == nil ? nil : state.state }
  /// The client procedure of the request that is on its way.
  var procedure: ClientToken? { current?.procedure }

  /// A link was made: nothing is written on it yet.
  mutating func linkMade() {
    enabled = []
    change = nil
    quietUntil = .zero
    mayAnswerUnasked = false
  }

  /// Its state in words, with times counted from `now`: two exchanges with the same words do the same from then on.
  func outline(at now: Instant) -> String {
    let request = current.map {
      let answer = $0.answer.map { " answered \($0)" } ?? ""
      return "\($0.request.encoded) list \($0.list.octetCount)\(answer)\($0.procedure == nil ? "" : " under way")"
    }
    let quiet = max(.zero, now.duration(to: quietUntil)) / .microseconds(1)
    let writing = change.map { " writing \($0.handle) \($0.enables)" } ?? ""
    return "\(state.state) \(request ?? "nothing"), \(inbox.outline), enabled \(enabled)\(writing) quiet \(quiet)"
      + "\(awaitsFirstOctets ? " first" : "")\(mayAnswerUnasked ? " unasked" : "")\(settle.isRunning ? " settling" : "")"
  }

  // MARK: Asking

  /// Begins a request.
  mutating func begin(_ request: ControlPointRequest) {
    if state.take(.requested) { current = Request(request: request) }
  }

  /// Prepares to receive a record.
  mutating func expect(_ identifier: RecordIdentifier, size: UInt32) { inbox.open(identifier, size: size) }

  /// The next step of a request that is not written yet; `nil` where there is none.
  mutating func step(
    _ attributes: RecorderAttributes, at now: Instant, _ policies: PhonePolicies, faults: [PhoneFault]
  ) -> Step? {
    guard let request = current?.request else { return nil }
    let changes = attributes.changes(
      for: request, policies.enabling, includingContinuation: !faults.contains(.skipsContinuationSubscription))
    change = changes.first { $0.enables != enabled.contains($0.handle) }
    if let change { return .procedure(.subscribe(change.handle, change.enables ? .notifications : [])) }
    let rest = now.duration(to: quietUntil)
    if rest > .zero, policies.settling == .waits, !faults.contains(.skipsSettling) {
      state.take(.recorderBusy)
      return .settle(rest)
    }
    guard state.take(.requestSent) else { return nil }
    if case .unaccepted = request { mayAnswerUnasked = true }
    return .procedure(.write(attributes.controlPoint, request.encoded))
  }

  /// The procedure of a step was started.
  mutating func began(_ procedure: ClientToken) { current?.procedure = procedure }

  /// The procedure of a step ended: a subscription or the request itself.
  mutating func procedureEnded(
    _ outcome: Result<ClientResult, PhoneFailure>, _ timeouts: PhoneTimeouts
  ) -> Outcome {
    guard let request = current?.request else { return .nothing }
    current?.procedure = nil
    if case .failure(let failure) = outcome { return .failed(failure) }
    if state.state == .subscribing {
      state.take(.configurationWritten)
      configurationWritten()
      return .advances
    }
    if let answer = current?.answer { return .ended(answer) }
    return switch request {
    case .receiveComplete, .unaccepted: .ended(.written)
    case .listFiles: awaitAnswer(timeouts.list)
    case .fileInformation: awaitAnswer(timeouts.information)
    case .fileSystemStatus: awaitAnswer(timeouts.fileSystem)
    case .fileData: awaitAnswer(awaitFileData(timeouts))
    }
  }

  private mutating func configurationWritten() {
    guard let written = change else { return }
    change = nil
    if written.enables { enabled.append(written.handle) } else { enabled.removeAll { $0 == written.handle } }
  }

  private mutating func awaitAnswer(_ duration: Duration) -> Outcome {
    state.take(.acknowledged)
    return .awaits(duration)
  }

  private mutating func awaitFileData(_ timeouts: PhoneTimeouts) -> Duration {
    awaitsFirstOctets = inbox.received == 0
    return awaitsFirstOctets ? timeouts.firstData : timeouts.nextData
  }

  /// Says once whether what arrived is the beginning of a record, after which another limit counts.
  mutating func takeBeginning() -> Bool {
    defer { awaitsFirstOctets = false }
    return awaitsFirstOctets
  }

  // MARK: Answers

  /// The recorder notified a value other than file data; of the Battery Level the battery watch knows.
  mutating func notified(
    _ attribute: AttributeHandle, _ value: [UInt8], _ attributes: RecorderAttributes
  ) -> Outcome {
    if attribute == attributes.generalStatus.value { return statusArrived(value) }
    if attribute == attributes.filesList.value || attribute == attributes.filesListContinuation.value {
      return listArrived(value)
    }
    if attribute == attributes.fileInformation.value { return informationArrived(value) }
    if attribute == attributes.fileSystemStatus.value { return fileSystemStatusArrived(value) }
    return .nothing
  }

  /// The request whose answer may come now.
  private var askedRequest: ControlPointRequest? {
    guard state.state == .asking || state.state == .awaitingAnswer else { return nil }
    return current?.request
  }

  /// Whether the request is on its way or written.
  private var mayBeAnswered: Bool {
    switch state.state {
    case .idle, .subscribing, .settling: false
    case .asking, .answeredEarly, .awaitingAnswer: true
    }
  }

  /// The hot path: octets of a record are appended in place and nothing else is done for most of them.
  mutating func dataArrived(_ value: ArraySlice<UInt8>) -> Outcome {
    guard inbox.isOpen, mayBeAnswered else { return .unasked("file data") }
    return switch inbox.append(value) {
    case .incomplete: .progressed
    case .notable, .complete: .notable
    case .tooMuch: .malformed("more octets than the announced size")
    }
  }

  /// Hands over the record that has arrived, where it is complete.
  mutating func completeRecord() -> Outcome {
    inbox.isComplete ? answered(.record(inbox.take())) : .nothing
  }

  private mutating func listArrived(_ value: [UInt8]) -> Outcome {
    guard case .listFiles = askedRequest else { return .unasked("files list") }
    do throws(DecodingFailure) {
      guard case .complete(let identifiers)? = try current?.list.append(value) else { return .progressed }
      return answered(.list(identifiers), orElse: .progressed)
    } catch { return .malformed("files list: \(error)") }
  }

  private mutating func informationArrived(_ value: [UInt8]) -> Outcome {
    guard case .fileInformation = askedRequest else { return .unasked("file info") }
    do throws(DecodingFailure) {
      let size = try FileInformation(decoding: value).size
      guard size <= UInt32(FileSystemGeometry.capacityBytes) else {
        return .malformed("file info: \(size) octets, more than the recorder's memory holds")
      }
      return answered(.size(size))
    } catch {
      return .malformed("file info: \(error)")
    }
  }

  private mutating func fileSystemStatusArrived(_ value: [UInt8]) -> Outcome {
    guard case .fileSystemStatus = askedRequest else { return .unasked("FS status") }
    do throws(DecodingFailure) { return answered(.fileSystem(try FileSystemStatus(decoding: value))) } catch {
      return .malformed("FS status: \(error)")
    }
  }

  private func statusArrived(_ value: [UInt8]) -> Outcome {
    guard let request = askedRequest else { return .unasked("general status") }
    do throws(DecodingFailure) {
      switch (try GeneralStatus(decoding: value), request) {
      case (.ok, _): return .nothing
      case (.fileNotFound(let named), .fileInformation(let asked)),
        (.fileNotFound(let named), .fileData(let asked)):
        guard named == asked else { return .unasked("general status of record \(named)") }
        return .failed(.recordNotFound(asked.description))
      case (.fileNotFound, _): return .unasked("general status: not found")
      case (.fileSystemCorrupt, _): return .failed(.fileSystemCorrupt)
      case (.aborted, _), (.genericFailure, _): return .failed(.status(value[0]))
      }
    } catch { return .malformed("general status: \(error)") }
  }

  /// Ends the request, or keeps the answer until the request is acknowledged.
  private mutating func answered(_ answer: Answer, orElse outcome: Outcome = .nothing) -> Outcome {
    if state.state == .awaitingAnswer { return .ended(answer) }
    if state.take(.answered) { current?.answer = answer }
    return outcome
  }

  /// Whether a value that nothing was asked for is worth a report.
  var reportsUnasked: Bool { !mayAnswerUnasked }

  // MARK: Ends

  /// Puts the request down, if there is one.
  mutating func clear() { putDown(.abandoned) }

  private mutating func putDown(_ event: TransferEvent) {
    if current != nil { state.take(event) }
    current = nil
    awaitsFirstOctets = false
    inbox.clear()
  }

  /// The request was completed or failed; the recorder takes the next one after `pause`.
  mutating func end(_ event: TransferEvent, at now: Instant, pause: Duration) {
    putDown(event)
    quietUntil = now.advanced(by: pause)
  }

  /// Hands over the part of the record that is here; the rest is lost.
  mutating func takePart() -> [UInt8] { inbox.take() }
}

// MARK: - In the application

extension PhoneApplication {
  /// Begins a request to the File Transfer Service at this stage of the running operation.
  mutating func beginExchange(
    _ request: ControlPointRequest, at stage: RunningOperation.Stage, _ effects: inout ApplicationEffects
  ) {
    do throws(PhoneFailure) {
      guard try readyLink().attributes != nil else { throw .notConnected }
    } catch {
      return fail(error, &effects)
    }
    running?.stage = stage
    exchange.begin(request)
    advanceExchange(&effects)
  }

  /// Goes on with a request that is not written yet.
  mutating func advanceExchange(_ effects: inout ApplicationEffects) {
    guard let link, let attributes = link.attributes else { return }
    switch exchange.step(attributes, at: now, configuration.policies, faults: configuration.faults) {
    case .procedure(let procedure)?:
      exchange.began(run(procedure, on: link, &effects))
      if has(.stormsRequests), case .write = procedure {
        for _ in 0..<6 { _ = run(procedure, on: link, &effects) }
      }
      allow(configuration.timeouts.attribute, &effects)
    case .settle(let duration)?:
      step.stop(&effects)
      exchange.settle.start(duration, &effects)
    case nil: break
    }
  }

  /// A client procedure of the request ended.
  mutating func exchangeProcedureEnded(
    _ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects
  ) {
    let isRequest = exchange.phase != .subscribing
    let next = exchange.procedureEnded(outcome, configuration.timeouts)
    if isRequest { readBatteryAfterRequest(&effects) }
    carryOut(next, &effects)
  }

  /// The recorder notified octets of a record. Apart from all other values, because they need nothing of the link, which
  /// would be copied for each of them.
  mutating func dataArrived(_ value: ArraySlice<UInt8>, _ effects: inout ApplicationEffects) {
    carryOut(exchange.dataArrived(value), &effects)
  }

  /// The recorder notified another value.
  mutating func notified(
    _ attribute: AttributeHandle, _ value: ArraySlice<UInt8>, _ link: borrowing Link,
    _ effects: inout ApplicationEffects
  ) {
    guard let attributes = link.attributes else {
      if link.isPlain { return valueReceived(attribute, Array(value), isIndication: false, &effects) }
      if attribute == link.bootloader?.controlPoint { bootloaderNotified(Array(value), &effects) }
      return
    }
    if attribute == attributes.batteryLevel?.value {
      observeBattery(Array(value), &effects)
    } else {
      carryOut(exchange.notified(attribute, Array(value), attributes), &effects)
    }
  }

  private mutating func carryOut(_ outcome: FileExchange.Outcome, _ effects: inout ApplicationEffects) {
    switch outcome {
    case .nothing: break
    case .progressed: progressed(&effects)
    case .notable:
      progressed(&effects)
      if background.isForeground { showProgress(&effects) }
      carryOut(exchange.completeRecord(), &effects)
    case .advances: advanceExchange(&effects)
    case .awaits(let duration): allowAnswer(duration, &effects)
    case .ended(let answer):
      endExchange(.completed, &effects)
      operationAnswered(answer, &effects)
    case .failed(let failure):
      endExchange(.failed, &effects)
      operationFailed(failure, &effects)
    case .malformed(let text):
      effects.append(.event(.protocolTrouble(text)))
      carryOut(.failed(.malformedAnswer(text)), &effects)
    case .unasked(let name):
      guard exchange.reportsUnasked else { return }
      effects.append(.event(.protocolTrouble("\(name) without a request")))
    }
  }

  private mutating func progressed(_ effects: inout ApplicationEffects) {
    if exchange.takeBeginning() {
      allowAnswer(configuration.timeouts.nextData, &effects)
    } else {
      step.progressed(at: now)
    }
  }

  /// Gives the recorder this long to answer, or as long as the link lasts.
  mutating func allowAnswer(_ duration: Duration, _ effects: inout ApplicationEffects) {
    switch configuration.policies.patience {
    case .isLimited: allow(duration, &effects)
    case .isUnlimited: step.stop(&effects)
    }
  }

  private mutating func endExchange(_ event: TransferEvent, _ effects: inout ApplicationEffects) {
    exchange.end(event, at: now, pause: configuration.timeouts.settle + (link?.interval ?? .zero))
    step.stop(&effects)
    exchange.settle.stop(&effects)
  }
}
