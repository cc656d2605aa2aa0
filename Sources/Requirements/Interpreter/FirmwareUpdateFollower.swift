import DictofunProtocol
import SecureDFU

/// Follows a firmware update on one link from its requests, packets and answers.
struct FirmwareUpdateFollower {
  /// Requests that wait for an answer, and receipts that are due: beyond it the oldest is forgotten. A phone has one.
  static let waitingLimit = 16

  /// Whether it was said that the other end is a bootloader.
  var isBootloaderReported = false

  private var buttonless: ButtonlessRequest?
  /// The request whose write is not acknowledged.
  private var written: BootloaderRequest?
  private var waiting: [BootloaderRequest] = []
  /// The object that packets go to.
  private var current: FirmwareObject?
  private var command = SentObject(base: .init(offset: 0, checksum: 0))
  private var data = SentObject()
  /// After how many packets a receipt comes. A bootloader remembers it from one link to the next, so that it is not
  /// known in the beginning.
  private var receiptInterval: UInt16?
  private var packetsSinceReceipt: UInt16 = 0
  /// How many octets were sent when a receipt became due.
  private var receiptsDue: [UInt32?] = []

  // MARK: What the phone writes

  /// A request was written to the application's characteristic.
  mutating func buttonlessRequest(_ value: [UInt8]) -> FirmwareUpdateHappening? {
    guard let request = ButtonlessRequest(value) else { return nil }
    buttonless = request
    return .buttonlessRequested(request)
  }

  /// A request was written to the bootloader's control point.
  mutating func request(_ value: [UInt8]) -> FirmwareUpdateHappening? {
    guard let request = BootloaderRequest(value) else { return nil }
    written = request
    if request.isAnswered {
      if waiting.count == Self.waitingLimit { waiting.removeFirst() }
      waiting.append(request)
    }
    switch request.opCode {
    case .createObject?:
      current = request.object
      packetsSinceReceipt = 0
    case .selectObject?: current = request.object
    case .setPacketReceiptNotification?:
      receiptInterval = request.receiptInterval
      packetsSinceReceipt = 0
    default: break
    }
    return .requested(request)
  }

  /// A write was acknowledged.
  mutating func taken() { written = nil }

  /// The write of a request was refused with an ATT error.
  mutating func refused(_ attributeError: UInt8, isButtonless: Bool) -> FirmwareUpdateHappening {
    if isButtonless {
      buttonless = nil
    } else if let request = written {
      written = nil
      if request.isAnswered, waiting.last == request { waiting.removeLast() }
      if request.receiptInterval != nil { receiptInterval = nil }
    }
    return .requestRefused(attributeError: attributeError)
  }

  /// A packet was written.
  mutating func packet(_ octets: [UInt8]) -> FirmwareUpdateHappening {
    switch current {
    case .command?: command.append(octets)
    case .data?: data.append(octets)
    case nil: break
    }
    if let receiptInterval, receiptInterval > 0 {
      packetsSinceReceipt += 1
      if packetsSinceReceipt >= receiptInterval {
        packetsSinceReceipt = 0
        if receiptsDue.count == Self.waitingLimit { receiptsDue.removeFirst() }
        receiptsDue.append(current == .command ? command.sentOctets : data.sentOctets)
      }
    }
    return .packet(current, octets: UInt32(truncatingIfNeeded: octets.count))
  }

  // MARK: What the recorder says

  /// The application's characteristic indicated.
  mutating func buttonlessIndicated(_ value: [UInt8]) -> FirmwareUpdateHappening {
    guard value.count == ButtonlessUpdate.responseLength, value[0] == ButtonlessUpdate.response else {
      return .notUnderstood("an answer of the buttonless service must have three octets and begin with 0x20")
    }
    guard let request = buttonless, request.octet == value[1] else {
      return .notUnderstood("the buttonless service answered request \(value[1]), which the phone had not made")
    }
    buttonless = nil
    return .buttonlessAnswered(request, result: value[2])
  }

  /// The bootloader's control point notified.
  mutating func notified(_ value: [UInt8]) -> FirmwareUpdateHappening {
    let reply: ControlPointReply
    do { reply = try ControlPointReply(decoding: value) } catch { return .notUnderstood("\(error)") }
    guard value.count == Self.length(reply) else {
      return .notUnderstood(
        "an answer to \(Self.name(reply)) has \(value.count) octets, expected \(Self.length(reply))")
    }
    let index = waiting.firstIndex { $0.octet == reply.opCode }
    if reply.answers(.getChecksum), isReceipt(reply, isAsked: index != nil) { return receipt(reply) }
    guard let index else {
      return .notUnderstood("the bootloader answered \(Self.name(reply)), which the phone had not requested")
    }
    let request = waiting[index]
    // What was asked before it has no answer any more.
    waiting.removeSubrange(...index)
    return .answered(request, answer(request, reply))
  }

  private static func name(_ reply: ControlPointReply) -> String {
    DFUOpCode(rawValue: reply.opCode).map { "\($0)" } ?? "the request \(reply.opCode)"
  }

  /// Octets that a reply must have.
  private static func length(_ reply: ControlPointReply) -> Int {
    3 + (reply.extendedError == nil ? 0 : 1) + (reply.limit == nil ? 0 : 4) + (reply.object == nil ? 0 : 8)
  }

  /// Whether what looks like an answer to a request for the checksum is a receipt: where both are awaited, the one for
  /// what was sent when it became due.
  private func isReceipt(_ reply: ControlPointReply, isAsked: Bool) -> Bool {
    guard let due = receiptsDue.first else { return !isAsked && receiptInterval == nil }
    return !isAsked || reply.object?.offset == due
  }

  private mutating func receipt(_ reply: ControlPointReply) -> FirmwareUpdateHappening {
    if !receiptsDue.isEmpty { receiptsDue.removeFirst() }
    let isFalse = reply.object.map { current == .command ? command.contradicts($0) : data.contradicts($0) } ?? false
    let isAsSent = reply.object.flatMap { current == .command ? command.received($0) : data.received($0) }
    var answer = BootloaderAnswer(reply: reply, object: current, isAsSent: isAsSent)
    answer.hasFalseChecksum = isFalse
    return .receipt(answer)
  }

  private mutating func answer(_ request: BootloaderRequest, _ reply: ControlPointReply) -> BootloaderAnswer {
    var answer = BootloaderAnswer(reply: reply)
    switch request.opCode {
    case .selectObject?, .createObject?: answer.object = request.object
    case .getChecksum?, .executeObject?: answer.object = current
    default: return answer
    }
    guard let object = answer.object, reply.isSuccess else { return answer }
    if request.opCode == .getChecksum, let state = reply.object {
      answer.hasFalseChecksum = object == .command ? command.contradicts(state) : data.contradicts(state)
    }
    switch object {
    case .command: answer.isAsSent = Self.follow(&command, request, reply)
    case .data: answer.isAsSent = Self.follow(&data, request, reply)
    }
    switch (request.opCode, object) {
    // A new init packet takes all that was there of an image with it.
    case (.createObject?, .command): data = SentObject(base: .init(offset: 0, checksum: 0))
    case (.executeObject?, .data): data.executed()
    default: break
    }
    return answer
  }

  private static func follow(
    _ sent: inout SentObject, _ request: BootloaderRequest, _ reply: ControlPointReply
  ) -> Bool? {
    switch request.opCode {
    case .createObject?: sent.begin()
    case .selectObject?: return reply.object.flatMap { sent.selected($0) }
    case .getChecksum?: return reply.object.flatMap { sent.checked($0) }
    default: break
    }
    return nil
  }
}
