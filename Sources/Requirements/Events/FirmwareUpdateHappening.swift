import DictofunProtocol
import SecureDFU
import Verdicts

/// What a firmware update did on the air: Nordic's buttonless service in the application, the control point and the
/// packets in the bootloader (nRF5 SDK 17.1.0, `ble_dfu.c` and `nrf_dfu_ble.c`).
public enum FirmwareUpdateHappening: Hashable, Sendable {
  /// The other end of the link is a bootloader: told by discovery, or remembered from an earlier link with the same
  /// address.
  case bootloaderKnown(remembered: Bool)
  /// The phone switched the indications of the application, or the notifications of the bootloader, on or off.
  case subscribed(Bool)
  /// The phone asked the application for something.
  case buttonlessRequested(ButtonlessRequest)
  /// The application answered; the result as it stands in the indication.
  case buttonlessAnswered(ButtonlessRequest, result: UInt8)
  /// The phone asked the bootloader for something.
  case requested(BootloaderRequest)
  /// The write of a request was refused with this ATT error, so that nothing was asked.
  case requestRefused(attributeError: UInt8)
  /// The bootloader answered a request.
  case answered(BootloaderRequest, BootloaderAnswer)
  /// The bootloader told by itself how far the object is.
  case receipt(BootloaderAnswer)
  /// A packet was sent: the number of octets, and the object they belong to; `nil` if none was selected on this link.
  case packet(FirmwareObject?, octets: UInt32)
  /// The recorder said what its protocol does not allow; the text says what is wrong.
  case notUnderstood(String)
}

/// What is transferred to a bootloader.
public enum FirmwareObject: UInt8, Hashable, Sendable {
  /// The init packet, which Nordic calls a command.
  case command = 1
  /// A part of the image.
  case data = 2
}

/// A request to the buttonless service of an application.
public enum ButtonlessRequest: Hashable, Sendable {
  /// Start the bootloader.
  case startBootloader
  /// Makes the bootloader advertise a name with this number of octets.
  case setName(octets: Int)
  /// Anything else, by its first octet.
  case other(UInt8)

  /// Takes what was written; `nil` where that is nothing.
  init?(_ value: [UInt8]) {
    guard let octet = value.first else { return nil }
    switch ButtonlessUpdate.OpCode(rawValue: octet) {
    case .enterBootloader: self = .startBootloader
    case .setName: self = .setName(octets: max(0, value.count - 2))
    case nil: self = .other(octet)
    }
  }

  /// The first octet, which the answer repeats.
  public var octet: UInt8 {
    switch self {
    case .startBootloader: ButtonlessUpdate.OpCode.enterBootloader.rawValue
    case .setName: ButtonlessUpdate.OpCode.setName.rawValue
    case .other(let octet): octet
    }
  }
}

/// A request to a bootloader's control point, as far as it can be read.
public struct BootloaderRequest: Hashable, Sendable {
  /// The first octet, which the answer repeats.
  public var octet: UInt8
  /// The object that is selected or created; `nil` for other requests and for an object that does not exist.
  public var object: FirmwareObject?
  /// Octets of the object that is created.
  public var size: UInt32?
  /// After how many packets a receipt is asked for; 0 for never.
  public var receiptInterval: UInt16?

  /// Takes what was written; `nil` where that is nothing.
  public init?(_ value: [UInt8]) {
    guard let octet = value.first else { return nil }
    self.octet = octet
    switch opCode {
    case .createObject?:
      object = value.count > 1 ? FirmwareObject(rawValue: value[1]) : nil
      if value.count >= 6 { size = (2..<6).reversed().reduce(0) { $0 << 8 | UInt32(value[$1]) } }
    case .selectObject?: object = value.count > 1 ? FirmwareObject(rawValue: value[1]) : nil
    case .setPacketReceiptNotification? where value.count >= 3:
      receiptInterval = UInt16(value[1]) | UInt16(value[2]) << 8
    default: break
    }
  }

  /// The request; `nil` if the first octet is not a request of the protocol.
  public var opCode: DFUOpCode? { DFUOpCode(rawValue: octet) }

  /// Whether a bootloader answers it. It leaves when it is told to abort, and over the air it has nothing to say to a
  /// write of an object.
  var isAnswered: Bool { opCode != .abort && opCode != .writeObject }
}

/// What a bootloader said, and what of it can be compared with what was sent.
public struct BootloaderAnswer: Hashable, Sendable {
  /// The octets of the notification.
  public var reply: ControlPointReply
  /// The object it is about; `nil` where it is about none.
  public var object: FirmwareObject?
  /// Whether the state in it agrees with everything that was sent. `nil` if it tells no state, if there is nothing to
  /// compare it with, or if a receipt is about a part of what is on its way.
  public var isAsSent: Bool?
  /// Whether it states for all the octets that were sent a checksum that they do not have.
  public var hasFalseChecksum = false

  public init(reply: ControlPointReply, object: FirmwareObject? = nil, isAsSent: Bool? = nil) {
    self.reply = reply
    self.object = object
    self.isAsSent = isAsSent
  }
}

// MARK: Text

extension FirmwareUpdateHappening {
  /// The name behind `dfu.`.
  var name: String {
    switch self {
    case .bootloaderKnown: "bootloader"
    case .subscribed: "subscribed"
    case .buttonlessRequested: "buttonless-request"
    case .buttonlessAnswered: "buttonless-reply"
    case .requested: "request"
    case .requestRefused: "request-refused"
    case .answered: "reply"
    case .receipt: "receipt"
    case .packet: "packet"
    case .notUnderstood: "not-understood"
    }
  }

  /// What it holds, in a fixed order.
  var details: [EventDetail] {
    switch self {
    case .bootloaderKnown(let isRemembered): [.init("remembered", isRemembered)]
    case .subscribed(let isOn): [.init("on", isOn)]
    case .buttonlessRequested(let request): request.details
    case .buttonlessAnswered(let request, let result): request.details + [.init("result", Int64(result))]
    case .requested(let request): request.details
    case .requestRefused(let error): [.init("error", Int64(error))]
    case .answered(let request, let answer): [.init("opcode", request.name)] + answer.details
    case .receipt(let answer): answer.details
    case .packet(let object, let octets):
      [.init("object", object.map { "\($0)" } ?? "none"), .init("octets", Int64(octets))]
    case .notUnderstood(let reason): [.init("reason", reason)]
    }
  }
}

extension ButtonlessRequest {
  fileprivate var details: [EventDetail] {
    switch self {
    case .startBootloader: [.init("opcode", "start-bootloader")]
    case .setName(let octets): [.init("opcode", "set-name"), .init("length", Int64(octets))]
    case .other(let octet): [.init("opcode", Int64(octet))]
    }
  }
}

extension BootloaderRequest {
  /// The request's name in reports: the word of scenarios, where they have one for it.
  public var name: String {
    switch opCode {
    case .createObject?: "create"
    case .setPacketReceiptNotification?: "set-receipts"
    case .getChecksum?: "checksum"
    case .executeObject?: "execute"
    case .selectObject?: "select"
    case let opCode?: "\(opCode)"
    case nil: "unknown \(octet)"
    }
  }

  fileprivate var details: [EventDetail] {
    var details = [EventDetail("opcode", name)]
    if let object { details.append(.init("object", "\(object)")) }
    if let size { details.append(.init("size", Int64(size))) }
    if let receiptInterval { details.append(.init("interval", Int64(receiptInterval))) }
    return details
  }
}

extension BootloaderAnswer {
  fileprivate var details: [EventDetail] {
    var details = [EventDetail("result", "\(reply)")]
    if let object { details.append(.init("object", "\(object)")) }
    if let limit = reply.limit { details.append(.init("limit", Int64(limit))) }
    if let state = reply.object {
      details += [.init("offset", Int64(state.offset)), .init("checksum", Int64(state.checksum))]
    }
    if let isAsSent { details.append(.init("asSent", isAsSent)) }
    return details
  }
}
