import Bytes
import Packets

/// The client's half of one ATT bearer: the procedures of the GATT client (Core Specification Vol 3, Part G, 4), one
/// after the other in the order they were asked for.
///
///     idle ──procedure──▶ running: request ─▶ response ─▶ next request … ──▶ result, next procedure
///                            │
///                            └── no response within 30 s ──▶ dead: the bearer takes no requests any more
///
/// A request goes out only when the last one was answered (Vol 3, Part F, 3.3.2). A response is checked before it is
/// used: its kind, its handles (they must increase, or a hostile server could keep a discovery running forever), its
/// lengths, the echo of a prepared write.
struct AttributeClient: Sendable {
  /// Procedures that may wait for one connection.
  static let queueLimit = 256

  /// What the client wants done; in order.
  enum Action: Sendable {
    /// Send a request and restart the response timer.
    case request(ATTPDU)
    /// Send a command; ``AttributeClient/commandHandedOver(_:)`` reports that it went to the controller.
    case command(ATTPDU, ClientToken)
    /// The outstanding request was answered; stop the response timer.
    case answered
    /// ATT_MTU of the bearer takes this value.
    case setMaximumTransmissionUnit(UInt16)
    /// A procedure ended.
    case completed(ClientToken, Result<ClientResult, ClientFailure>)
    /// The server broke a rule.
    case violation(ProtocolViolation)
  }

  /// The step of the running procedure; each case names the outstanding request.
  enum Step: Sendable {
    /// Exchange MTU Request.
    case exchangingMTU
    /// Read By Group Type Request for services, these found so far.
    case findingServices([DiscoveredService])
    /// Find By Type Value Request for one service.
    case findingService(BluetoothUUID, [DiscoveredService])
    /// Read By Type Request for the characteristics of the service at `index`.
    case findingCharacteristics([DiscoveredService], index: Int)
    /// Find Information Request for the descriptors of a characteristic.
    case findingDescriptors([DiscoveredService], index: Int, characteristic: Int)
    /// Read Request, or Read Blob Request once something was read.
    case reading(AttributeHandle, [UInt8])
    /// Read By Type Request.
    case readingByType(BluetoothUUID, end: AttributeHandle, [AttributeValue])
    /// Write Request.
    case writing
    /// Prepare Write Request for the part at `offset`.
    case preparing(AttributeHandle, [UInt8], offset: Int)
    /// Execute Write Request that writes.
    case executing
    /// Execute Write Request that drops the queue, after this failure.
    case abandoning(ClientFailure)
    /// A command waits for the controller.
    case handingOver
    /// A request that the application made.
    case exchanging(ATTOpcode)
  }

  /// The state of the client.
  enum State: Sendable {
    /// Nothing runs.
    case idle
    /// A procedure runs.
    case running(ClientToken, Step)
    /// A request was not answered; nothing can run any more.
    case dead
  }

  var state = State.idle
  private var queue: [(token: ClientToken, procedure: ClientProcedure)] = []
  private var hasExchangedMTU = false
  /// ATT_MTU in force, told by the bearer.
  var maximumTransmissionUnit: UInt16 = ATTPDU.defaultMTU
  /// The largest PDU this side takes.
  let receiveMTU: UInt16

  init(receiveMTU: UInt16) { self.receiveMTU = receiveMTU }

  /// Whether a request waits for its response.
  var isWaiting: Bool {
    if case .running(_, let step) = state {
      if case .handingOver = step { return false }
      return true
    }
    return false
  }

  /// Puts a procedure into the queue, or refuses it at once.
  mutating func enqueue(_ token: ClientToken, _ procedure: ClientProcedure, _ actions: inout [Action]) {
    if case .dead = state { return actions.append(.completed(token, .failure(.timeout))) }
    guard queue.count < Self.queueLimit else { return actions.append(.completed(token, .failure(.notAllowed))) }
    queue.append((token, procedure))
    startNext(&actions)
  }

  /// Takes a response of the server.
  mutating func handle(_ response: ATTPDU, _ actions: inout [Action]) {
    guard case .running(let token, let step) = state, isWaiting else {
      return actions.append(
        .violation(ProtocolViolation("response without a request", reference: "Vol 3, Part F, 3.3.2")))
    }
    actions.append(.answered)
    switch advance(step, with: response) {
    case .next(let next, let request):
      state = .running(token, next)
      actions.append(.request(request))
    case .done(let result): finish(token, .success(result), &actions)
    case .exchanged(let size):
      actions.append(.setMaximumTransmissionUnit(size))
      finish(token, .success(.maximumTransmissionUnit(size)), &actions)
    case .failed(let failure):
      if case .malformedResponse(let violation) = failure { actions.append(.violation(violation)) }
      finish(token, .failure(failure), &actions)
    }
  }

  /// Takes a response that could not be read.
  mutating func handleMalformed(_ violation: ProtocolViolation, _ actions: inout [Action]) {
    guard case .running(let token, _) = state, isWaiting else { return }
    actions.append(.answered)
    actions.append(.violation(violation))
    finish(token, .failure(.malformedResponse(violation)), &actions)
  }

  /// A command's last fragment went to the controller.
  mutating func commandHandedOver(_ token: ClientToken, _ actions: inout [Action]) {
    guard case .running(token, .handingOver) = state else { return }
    finish(token, .success(.written), &actions)
  }

  /// The response timer ran out: the procedure and all that wait have failed (Vol 3, Part F, 3.3.3).
  mutating func timeOut(_ actions: inout [Action]) {
    fail(.timeout, &actions)
    state = .dead
  }

  /// The connection ended.
  mutating func disconnect(_ actions: inout [Action]) {
    fail(.disconnected, &actions)
    state = .dead
  }

  private mutating func fail(_ failure: ClientFailure, _ actions: inout [Action]) {
    if case .running(let token, _) = state { actions.append(.completed(token, .failure(failure))) }
    for (token, _) in queue { actions.append(.completed(token, .failure(failure))) }
    queue = []
  }

  private mutating func finish(
    _ token: ClientToken, _ result: Result<ClientResult, ClientFailure>, _ actions: inout [Action]
  ) {
    state = .idle
    actions.append(.completed(token, result))
    startNext(&actions)
  }

  private mutating func startNext(_ actions: inout [Action]) {
    while case .idle = state, !queue.isEmpty {
      let (token, procedure) = queue.removeFirst()
      guard let (step, pdu) = begin(procedure) else {
        actions.append(.completed(token, .failure(.notAllowed)))
        continue
      }
      state = .running(token, step)
      if case .handingOver = step {
        actions.append(.command(pdu, token))
      } else {
        actions.append(.request(pdu))
      }
    }
  }

  /// First step and request of a procedure; `nil` for one that cannot be run.
  private mutating func begin(_ procedure: ClientProcedure) -> (Step, ATTPDU)? {
    let types = DeclarationType.self
    switch procedure {
    case .exchangeMaximumTransmissionUnit:
      guard !hasExchangedMTU else { return nil }
      hasExchangedMTU = true
      return (.exchangingMTU, .exchangeMTURequest(receiveMTU))
    case .discoverAll: return (.findingServices([]), .readByGroupTypeRequest(.all, types.primaryService))
    case .discoverService(let uuid): return (.findingService(uuid, []), Self.search(for: uuid, from: .first))
    case .read(let handle): return (.reading(handle, []), .readRequest(handle))
    case .readByType(let type, let start, let end):
      let range = HandleRange(start, end)
      return range.isValid ? (.readingByType(type, end: end, []), .readByTypeRequest(range, type)) : nil
    case .write(let handle, let value): return beginWriting(handle, value)
    case .writeWithoutResponse(let handle, let value):
      return value.count <= maximumTransmissionUnit - 3 ? (.handingOver, .writeCommand(handle, value)) : nil
    case .subscribe(let handle, let subscription):
      let value = [UInt8(truncatingIfNeeded: subscription.rawValue), UInt8(subscription.rawValue >> 8)]
      return (.writing, .writeRequest(handle, value))
    case .exchange(let pdu):
      guard pdu.opcode.role == .request, pdu.opcode != .exchangeMTURequest else { return nil }
      return (.exchanging(pdu.opcode), pdu)
    }
  }

  private func beginWriting(_ handle: AttributeHandle, _ value: [UInt8]) -> (Step, ATTPDU)? {
    guard value.count <= ATTPDU.maximumValueLength else { return nil }
    if value.count <= maximumTransmissionUnit - 3 { return (.writing, .writeRequest(handle, value)) }
    return (.preparing(handle, value, offset: 0), part(of: value, handle, at: 0))
  }

  /// The Prepare Write Request for the part of `value` at `offset`.
  func part(of value: [UInt8], _ handle: AttributeHandle, at offset: Int) -> ATTPDU {
    let end = min(offset + Int(maximumTransmissionUnit) - 5, value.count)
    return .prepareWriteRequest(handle, offset: UInt16(offset), Array(value[offset..<end]))
  }

  /// The Find By Type Value Request for services of one type.
  static func search(for uuid: BluetoothUUID, from start: AttributeHandle) -> ATTPDU {
    .findByTypeValueRequest(HandleRange(start, .last), type: 0x2800, value: uuid.littleEndian)
  }
}
