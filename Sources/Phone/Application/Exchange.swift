import Bytes
import DictofunProtocol
import HostStack
import Timeline

/// One request to the File Transfer Service with its answer. There is never a second one before the first has ended,
/// because the recorder drops what it is asked while it is busy.
struct Exchange {
  /// How far it is.
  enum Phase {
    /// Writing the client configurations, which every connection needs anew.
    case subscribing
    /// Waiting until the recorder can take a request.
    case settling
    /// The request is on its way or written; its answer may come.
    case asking
  }

  /// What an exchange ended in.
  enum Answer {
    /// Identifiers as listed.
    case list([RecordIdentifier])
    /// Size of a record in octets.
    case size(UInt32)
    /// A record, whole.
    case record([UInt8])
    /// State of the file system.
    case fileSystem(FileSystemStatus)
    /// The request was written; it has no answer.
    case written
  }

  let request: ControlPointRequest
  var phase = Phase.subscribing
  /// The client procedure on its way.
  var procedure: ClientToken?
  /// Whether the recorder has acknowledged the request.
  var isWritten = false
  /// The answer, where it was complete before the acknowledgement was handled.
  var answer: Answer?
  var list = FilesListAssembler()

  init(_ request: ControlPointRequest) { self.request = request }
}

extension PhoneApplication {
  /// Asks the File Transfer Service, at this stage of the running operation.
  mutating func beginExchange(
    _ request: ControlPointRequest, at stage: RunningOperation.Stage, _ effects: inout ApplicationEffects
  ) {
    do throws(PhoneFailure) {
      guard try readyLink().attributes != nil else { throw .notConnected }
    } catch {
      return fail(error, &effects)
    }
    running?.stage = stage
    exchange = Exchange(request)
    advanceExchange(&effects)
  }

  /// Goes on with an exchange whose request is not written yet.
  mutating func advanceExchange(_ effects: inout ApplicationEffects) {
    guard let exchange, let link, let attributes = link.attributes else { return }
    let configurations = attributes.configurations(includingContinuation: !has(.skipsContinuationSubscription))
    if link.subscriptions < configurations.count {
      let next = configurations[link.subscriptions]
      let procedure = run(.subscribe(next, .notifications), on: link, &effects)
      self.exchange?.procedure = procedure
      return allow(configuration.timeouts.attribute, &effects)
    }
    let rest = now.duration(to: link.quietUntil)
    if rest > .zero, !has(.skipsSettling) {
      self.exchange?.phase = .settling
      step.stop(&effects)
      return settle.start(rest, &effects)
    }
    if case .unaccepted = exchange.request { self.link?.mayAnswerUnasked = true }
    let procedure = run(.write(attributes.controlPoint, exchange.request.encoded), on: link, &effects)
    self.exchange?.phase = .asking
    self.exchange?.procedure = procedure
    allow(configuration.timeouts.attribute, &effects)
  }

  /// A client procedure of the exchange ended: a subscription or the request itself.
  mutating func exchangeProcedureEnded(
    _ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects
  ) {
    guard var exchange else { return }
    exchange.procedure = nil
    if case .failure(let failure) = outcome { return exchangeFailed(failure, &effects) }
    guard case .asking = exchange.phase else {
      link?.subscriptions += 1
      self.exchange = exchange
      return advanceExchange(&effects)
    }
    exchange.isWritten = true
    self.exchange = exchange
    if let answer = exchange.answer { return exchangeEnded(answer, &effects) }
    switch exchange.request {
    case .receiveComplete, .unaccepted: exchangeEnded(.written, &effects)
    case .listFiles: allow(configuration.timeouts.list, &effects)
    case .fileInformation: allow(configuration.timeouts.information, &effects)
    case .fileSystemStatus: allow(configuration.timeouts.fileSystem, &effects)
    case .fileData:
      let hasBegun = inbox.received > 0
      allow(hasBegun ? configuration.timeouts.nextData : configuration.timeouts.firstData, &effects)
    }
  }

  // MARK: Notifications

  /// The recorder notified a value.
  mutating func notified(
    _ attribute: AttributeHandle, _ value: [UInt8], _ link: borrowing Link, _ effects: inout ApplicationEffects
  ) {
    guard let attributes = link.attributes else {
      if link.isPlain { return valueReceived(attribute, value, isIndication: false, &effects) }
      if attribute == link.bootloader?.controlPoint { bootloaderNotified(value, &effects) }
      return
    }
    if attribute == attributes.fileData.value {
      dataArrived(value, &effects)
    } else if attribute == attributes.batteryLevel?.value {
      observeBattery(value, &effects)
    } else if attribute == attributes.generalStatus.value {
      statusArrived(value, &effects)
    } else if attribute == attributes.filesList.value || attribute == attributes.filesListContinuation.value {
      listArrived(value, &effects)
    } else if attribute == attributes.fileInformation.value {
      informationArrived(value, &effects)
    } else if attribute == attributes.fileSystemStatus.value {
      fileSystemStatusArrived(value, &effects)
    }
  }

  private mutating func listArrived(_ value: [UInt8], _ effects: inout ApplicationEffects) {
    guard case .listFiles = askedRequest else { return unasked("files list", &effects) }
    do throws(DecodingFailure) {
      let progress = try exchange?.list.append(value)
      lastProgress = now
      if case .complete(let identifiers) = progress { answered(.list(identifiers), &effects) }
    } catch {
      malformed("files list: \(error)", &effects)
    }
  }

  private mutating func informationArrived(_ value: [UInt8], _ effects: inout ApplicationEffects) {
    guard case .fileInformation = askedRequest else { return unasked("file info", &effects) }
    do throws(DecodingFailure) { answered(.size(try FileInformation(decoding: value).size), &effects) } catch {
      malformed("file info: \(error)", &effects)
    }
  }

  private mutating func fileSystemStatusArrived(_ value: [UInt8], _ effects: inout ApplicationEffects) {
    guard case .fileSystemStatus = askedRequest else { return unasked("FS status", &effects) }
    do throws(DecodingFailure) { answered(.fileSystem(try FileSystemStatus(decoding: value)), &effects) } catch {
      malformed("FS status: \(error)", &effects)
    }
  }

  /// The hot path: octets of a record are appended in place and nothing else is done for most of them.
  private mutating func dataArrived(_ value: [UInt8], _ effects: inout ApplicationEffects) {
    guard inbox.isOpen, case .asking = exchange?.phase else { return unasked("file data", &effects) }
    let outcome = inbox.append(value)
    lastProgress = now
    switch outcome {
    case .incomplete: break
    case .notable: if isForeground { showProgress(&effects) }
    case .complete:
      if isForeground { showProgress(&effects) }
      answered(.record(inbox.take()), &effects)
    case .tooMuch: malformed("more octets than the size that was told", &effects)
    }
  }

  private mutating func statusArrived(_ value: [UInt8], _ effects: inout ApplicationEffects) {
    guard let request = askedRequest else { return unasked("general status", &effects) }
    do throws(DecodingFailure) {
      switch (try GeneralStatus(decoding: value), request) {
      case (.ok, _): break
      case (.fileNotFound(let named), .fileInformation(let asked)),
        (.fileNotFound(let named), .fileData(let asked)):
        guard named == asked else { return unasked("general status of record \(named)", &effects) }
        exchangeFailed(.recordNotFound(asked.description), &effects)
      case (.fileNotFound, _): unasked("general status: not found", &effects)
      case (.fileSystemCorrupt, _): exchangeFailed(.fileSystemCorrupt, &effects)
      case (.aborted, _), (.genericFailure, _): exchangeFailed(.status(value[0]), &effects)
      }
    } catch {
      malformed("general status: \(error)", &effects)
    }
  }

  // MARK: Ends

  /// The request whose answer may come now.
  private var askedRequest: ControlPointRequest? {
    guard let exchange, case .asking = exchange.phase, exchange.answer == nil else { return nil }
    return exchange.request
  }

  private mutating func answered(_ answer: Exchange.Answer, _ effects: inout ApplicationEffects) {
    guard exchange?.isWritten == true else {
      exchange?.answer = answer
      return
    }
    exchangeEnded(answer, &effects)
  }

  private mutating func malformed(_ text: String, _ effects: inout ApplicationEffects) {
    effects.append(.event(.protocolTrouble(text)))
    exchangeFailed(.malformedAnswer(text), &effects)
  }

  private mutating func unasked(_ what: String, _ effects: inout ApplicationEffects) {
    guard link?.mayAnswerUnasked == false else { return }
    effects.append(.event(.protocolTrouble("\(what) without a request")))
  }

  private mutating func exchangeEnded(_ answer: Exchange.Answer, _ effects: inout ApplicationEffects) {
    putDownExchange(&effects)
    operationAnswered(answer, &effects)
  }

  private mutating func exchangeFailed(_ failure: PhoneFailure, _ effects: inout ApplicationEffects) {
    putDownExchange(&effects)
    operationFailed(failure, &effects)
  }

  private mutating func putDownExchange(_ effects: inout ApplicationEffects) {
    exchange = nil
    inbox.clear()
    step.stop(&effects)
    settle.stop(&effects)
    if let link { self.link?.quietUntil = now.advanced(by: configuration.timeouts.settle + link.interval) }
  }
}
