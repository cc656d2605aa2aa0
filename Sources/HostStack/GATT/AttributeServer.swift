import Bytes
import Packets

/// The server's half of one ATT bearer (Core Specification Vol 3, Part F, 3.3.2 and Part G, 3 and 4).
///
/// The client of the other end sends one request at a time and waits; the server answers each exactly once. Values that
/// the application serves make a detour, during which the request stays open:
///
///     request ──▶ allowed? ──no──▶ Error Response
///                    │ yes
///                    ├── stored value ─────────────────────────────▶ Response (and `written`, `subscriptionChanged`)
///                    └── application's ──▶ requestRead/-Write ──▶ answer ──▶ Response or Error Response
///
/// Rules kept here: which error goes with which lack of security (Vol 3, Part C, 10.3.1); a second request before the
/// answer is the client's mistake and is dropped; lists hold values of equal length and end at what ATT_MTU takes
/// (3.4.4); client configurations start at zero on every connection and take the bond's values only when the link is
/// secured with the bond's key (Part G, 3.3.3.3); one indication at a time waits for its confirmation (3.3.2).
struct AttributeServer: Sendable {
  /// Parts of values that a client may queue before it executes them.
  static let preparedWriteLimit = 64

  /// What the server wants done; in order.
  enum Action: Sendable {
    /// Send to the client.
    case send(ATTPDU)
    /// Ask the application for a value.
    case requestRead(AccessToken, AttributeHandle, offset: UInt16)
    /// Ask the application about a value to be written.
    case requestWrite(AccessToken, AttributeHandle, [UInt8])
    /// Ask the application for the client's subscriptions.
    case requestSubscriptions
    /// A stored value was written by the client.
    case written(AttributeHandle, [UInt8])
    /// A client configuration took a value.
    case subscriptionChanged(AttributeHandle, Subscription, SubscriptionCause)
    /// The client broke a rule.
    case violation(ProtocolViolation)
  }

  /// What the server must know of its link to judge a request.
  struct Circumstances: Sendable {
    /// ATT_MTU in force.
    var maximumTransmissionUnit: Int
    /// Whether the link is encrypted.
    var isEncrypted: Bool
    /// Whether a key exists with which the link could be encrypted.
    var hasKey: Bool
    /// Octets of the link's key.
    var keySize: UInt8
    /// Shortest key accepted.
    var minimumKeySize: UInt8
  }

  /// A request that waits for the application.
  enum Pending: Sendable {
    case read(AttributeHandle)
    case blob(AttributeHandle, offset: UInt16)
    case typed(AttributeHandle)
    case multiple(AttributeHandle, rest: [AttributeHandle], gathered: [UInt8])
    case write(AttributeHandle)
    case execute(AttributeHandle, rest: [AttributeValue])
  }

  /// A part of a value in the client's queue.
  struct PreparedWrite: Sendable {
    var handle: AttributeHandle
    var offset: UInt16
    var part: [UInt8]
  }

  /// The client configurations by slot.
  private(set) var subscriptions: [Subscription]
  /// Which of them this client has written on this connection.
  private var isWritten: [Bool]
  var pending: (token: AccessToken, access: Pending)?
  var prepared: [PreparedWrite] = []
  /// Whether the subscriptions are known; until then a request that touches one waits.
  private var knowsSubscriptions: Bool
  /// The request that waits for the subscriptions.
  private var deferred: ATTPDU?
  /// The indication that waits for its confirmation.
  var indication: NotificationTicket?

  init(_ table: AttributeTable, knowsSubscriptions: Bool = true) {
    self.knowsSubscriptions = knowsSubscriptions
    subscriptions = Array(repeating: [], count: table.configuredValues.count)
    isWritten = Array(repeating: false, count: subscriptions.count)
  }

  /// Takes a request or command of the client.
  mutating func handle(
    _ pdu: ATTPDU, _ circumstances: Circumstances, _ table: inout AttributeTable, _ tokens: inout TokenSource,
    _ actions: inout [Action]
  ) {
    if case .writeCommand(let handle, let value) = pdu {
      return writeWithoutResponse(handle, value, circumstances, &table, &tokens, &actions)
    }
    guard pending == nil, deferred == nil else {
      let violation = ProtocolViolation(
        "request before the answer to the last one", reference: "Vol 3, Part F, 3.3.2")
      return actions.append(.violation(violation))
    }
    if !knowsSubscriptions, table.isConfigurationTouched(by: pdu) {
      deferred = pdu
      return actions.append(.requestSubscriptions)
    }
    switch pdu {
    case .readRequest(let handle): read(handle, circumstances, table, &tokens, &actions)
    case .readBlobRequest(let handle, let offset): read(handle, from: offset, circumstances, table, &tokens, &actions)
    case .readMultipleRequest(let handles): read(handles, [], circumstances, table, &tokens, &actions)
    case .readByTypeRequest(let range, let type): read(range, type, circumstances, table, &tokens, &actions)
    case .readByGroupTypeRequest(let range, let type): readGroups(range, type, circumstances, table, &actions)
    case .findInformationRequest(let range): findInformation(range, circumstances, table, &actions)
    case .findByTypeValueRequest(let range, let type, let value):
      find(range, BluetoothUUID(type), value, circumstances, table, &actions)
    case .writeRequest(let handle, let value): write(handle, value, circumstances, &table, &tokens, &actions)
    case .prepareWriteRequest(let handle, let offset, let part):
      prepare(PreparedWrite(handle: handle, offset: offset, part: part), circumstances, table, &actions)
    case .executeWriteRequest(let commits): execute(commits, &table, &tokens, &actions)
    default: refuse(pdu.opcode, nil, .requestNotSupported, &actions)
    }
  }

  /// Takes the application's answer to a read; an answer to nothing is dropped.
  mutating func answerRead(
    _ token: AccessToken, _ answer: Result<[UInt8], ATTErrorCode>, _ circumstances: Circumstances,
    _ table: AttributeTable, _ tokens: inout TokenSource, _ actions: inout [Action]
  ) {
    guard let (expected, access) = pending, expected == token else { return }
    switch (access, answer) {
    case (.read(let handle), .success(let value)):
      pending = nil
      respond(with: value, from: 0, of: handle, .readRequest, circumstances, &actions)
    case (.blob(let handle, let offset), .success(let value)):
      pending = nil
      respond(with: value, from: offset, of: handle, .readBlobRequest, circumstances, &actions)
    case (.typed(let handle), .success(let value)):
      pending = nil
      let part = value.prefix(circumstances.typedValueLimit)
      actions.append(.send(.readByTypeResponse([AttributeValue(handle, Array(part))])))
    case (.multiple(_, let rest, let gathered), .success(let value)):
      pending = nil
      read(rest, gathered + value, circumstances, table, &tokens, &actions)
    case (.read(let handle), .failure(let code)): refusePending(.readRequest, handle, code, &actions)
    case (.blob(let handle, _), .failure(let code)): refusePending(.readBlobRequest, handle, code, &actions)
    case (.typed(let handle), .failure(let code)): refusePending(.readByTypeRequest, handle, code, &actions)
    case (.multiple(let handle, _, _), .failure(let code)):
      refusePending(.readMultipleRequest, handle, code, &actions)
    case (.write, _), (.execute, _): return
    }
  }

  /// Takes the application's answer to a write; an answer to nothing, or to a command, is dropped.
  mutating func answerWrite(
    _ token: AccessToken, _ refusal: ATTErrorCode?, _ table: inout AttributeTable, _ tokens: inout TokenSource,
    _ actions: inout [Action]
  ) {
    guard let (expected, access) = pending, expected == token else { return }
    switch (access, refusal) {
    case (.write, nil):
      pending = nil
      actions.append(.send(.writeResponse))
    case (.execute(_, let rest), nil):
      pending = nil
      commit(rest, &table, &tokens, &actions)
    case (.write(let handle), let code?): refusePending(.writeRequest, handle, code, &actions)
    case (.execute(let handle, _), let code?): refusePending(.executeWriteRequest, handle, code, &actions)
    default: return
    }
  }

  private mutating func refusePending(
    _ request: ATTOpcode, _ handle: AttributeHandle, _ code: ATTErrorCode, _ actions: inout [Action]
  ) {
    pending = nil
    refuse(request, handle, code, &actions)
  }

  func refuse(_ request: ATTOpcode, _ handle: AttributeHandle?, _ code: ATTErrorCode, _ actions: inout [Action]) {
    actions.append(.send(.errorResponse(request: request, handle: handle ?? AttributeHandle(0), code)))
  }
}

// MARK: Client configurations

extension AttributeServer {
  /// Takes over a client's own choice.
  mutating func setSubscription(_ subscription: Subscription, slot: Int) {
    subscriptions[slot] = subscription
    isWritten[slot] = true
  }

  /// Takes the configurations that the application gives; the request that waited for them goes on.
  mutating func know(
    _ stored: [StoredSubscription], _ circumstances: Circumstances, _ table: inout AttributeTable,
    _ tokens: inout TokenSource, _ actions: inout [Action]
  ) {
    for slot in subscriptions.indices { subscriptions[slot] = [] }
    for entry in stored {
      if let slot = table.slot(ofValue: entry.handle) { subscriptions[slot] = entry.subscription }
    }
    knowsSubscriptions = true
    guard let request = deferred else { return }
    deferred = nil
    handle(request, circumstances, &table, &tokens, &actions)
  }

  /// Restores the configurations stored with the bond that the client has not written on this connection.
  mutating func restore(_ stored: [StoredSubscription], _ table: AttributeTable, _ actions: inout [Action]) {
    for entry in stored {
      guard let slot = table.slot(ofValue: entry.handle), !isWritten[slot], subscriptions[slot] != entry.subscription
      else { continue }
      subscriptions[slot] = entry.subscription
      actions.append(.subscriptionChanged(entry.handle, entry.subscription, .restored))
    }
  }

  /// The configurations that are not zero, to be kept with the bond.
  func storedSubscriptions(_ table: AttributeTable) -> [StoredSubscription] {
    zip(table.configuredValues, subscriptions).compactMap { handle, subscription in
      subscription.isEmpty ? nil : StoredSubscription(handle: handle, subscription: subscription)
    }
  }

  /// Whether this client wants the value told in this way.
  func isSubscribed(_ handle: AttributeHandle, _ way: Subscription, _ table: AttributeTable) -> Bool {
    guard let slot = table.slot(ofValue: handle) else { return false }
    return subscriptions[slot].contains(way)
  }
}

extension AttributeServer.Circumstances {
  /// Octets of one value in a Read By Type Response (Vol 3, Part F, 3.4.4.2).
  var typedValueLimit: Int { min(maximumTransmissionUnit - 4, 253) }
  /// Octets of one value in a Read By Group Type Response (3.4.4.10).
  var groupValueLimit: Int { min(maximumTransmissionUnit - 6, 251) }

  /// Why access is refused, or `nil`; `forbidden` is the code for access that is never allowed.
  ///
  /// Vol 3, Part C, 10.3.1: without a key the client must pair, with one it must encrypt.
  func refusal(_ requirement: AccessRequirement, forbidden: ATTErrorCode) -> ATTErrorCode? {
    switch requirement {
    case .never: forbidden
    case .open: nil
    case .encrypted where isEncrypted: keySize < minimumKeySize ? .encryptionKeySizeTooShort : nil
    case .encrypted: hasKey ? .insufficientEncryption : .insufficientAuthentication
    }
  }
}

/// Issues numbers that are not reused while an earlier one could still be in use.
struct TokenSource: Hashable, Sendable {
  private var last: UInt32 = 0

  mutating func next() -> UInt32 {
    last &+= 1
    return last
  }
}
