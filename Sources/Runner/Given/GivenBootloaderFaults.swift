import Recorder
import ScenarioLanguage

/// `bootloader-faults: {drop: 20, answer: result, answer-to: 4, result: 5, answers: 1}`
///
/// Packets, receipts, answers and requests are counted from 1 over all resets.
struct BootloaderFaultPlan: FieldGroupValue {
  /// What the fault does to a receipt.
  enum Receipt: String, FieldChoice {
    case lost, late, duplicated
    case wrongOffset = "wrong-offset"

    var meaning: String {
      switch self {
      case .lost: "It is never sent."
      case .late: "It is delayed by `receipt-delay`."
      case .duplicated: "It is sent twice."
      case .wrongOffset: "Its offset is four octets too high."
      }
    }
  }

  /// What the fault does to a reply.
  enum Answer: String, FieldChoice {
    case missing, result
    case wrongRequest = "wrong-request"
    case wrongChecksum = "wrong-checksum"
    case wrongOffset = "wrong-offset"

    var meaning: String {
      switch self {
      case .missing: "It is never sent."
      case .result: "It carries `result`, and `extended-error` if stated."
      case .wrongRequest: "It names a different request."
      case .wrongChecksum: "Its checksum is wrong."
      case .wrongOffset: "Its offset is four octets too high."
      }
    }
  }

  /// How a link ends.
  enum LinkEnd: String, FieldChoice {
    case terminated, silent

    var meaning: String {
      switch self {
      case .terminated: "The bootloader disconnects with reason 0x13."
      case .silent: "The bootloader stops sending; the phone's supervision timeout ends the link."
      }
    }
  }

  private static let delays = Duration.zero...Duration.seconds(86_400)

  static let dropField = Field<Int?>("drop", "Number of the packet that is lost.").limited(to: 1...10_000_000)
  static let dropEveryField = Field<Int?>("drop-every", "One packet in this many is lost.")
    .limited(to: 1...10_000_000)
  static let receiptField = Field<Receipt?>("receipt", "What happens to receipts.")
  static let receiptNumberField = Field<Int?>("receipt-number", "Which receipt; all unless stated.")
    .limited(to: 1...10_000_000)
  static let receiptDelayField = Field<Duration>("receipt-delay", "Delay of a receipt.", default: .seconds(1))
    .limited(to: delays)
  static let answerField = Field<Answer?>("answer", "What happens to replies.")
  static let answerToField = Field<Int?>("answer-to", "Opcode of the request; all unless stated.")
    .limited(to: 0...255)
  static let answersField = Field<Int?>("answers", "How many replies are affected; all unless stated.")
    .limited(to: 1...10_000_000)
  static let sparedField = Field<Int>("answers-before", "How many correct replies come first.", default: 0)
    .limited(to: 0...10_000_000)
  static let resultField = Field<Int>("result", "The result code in the reply.", default: 0x0A).limited(to: 0...255)
  static let extendedField = Field<Int?>("extended-error", "The extended error after the result code.")
    .limited(to: 0...255)
  static let delayField = Field<Duration>("answer-delay", "Delay of replies.", default: .zero)
    .limited(to: delays)
  static let muteField = Field<Bool>("mute", "Whether requests are not even acknowledged.", default: false)
  static let breakField = Field<LinkEnd?>("break", "How the link ends.")
  static let breakAtField = Field<Int>(
    "break-at", "Number of the request at which the link ends; 0 for the connection itself.", default: 0
  )
  .limited(to: 0...10_000_000)
  static let advertisingField = Field<Duration>(
    "advertising-delay", "Delay until it advertises.", default: .zero
  ).limited(to: delays)
  static let unheardField = Field<Bool>("unheard", "Whether it never advertises.", default: false)
  static let addressField = Field<Bool>("same-address", "Whether it uses the application's address.", default: false)
  static let namelessField = Field<Bool>("no-name", "Whether it advertises no name.", default: false)
  static let serviceField = Field<Bool>("no-service", "Whether it does not advertise its service.", default: false)
  static let mtuField = Field<Int>("mtu", "Largest ATT_MTU, before rounding.", default: 247)
    .limited(to: 23...247)
  static let nameField = Field<Int?>(
    "set-name", "The application does not store the name and replies with this result."
  )
  .limited(to: 0...255)
  static let nameEndField = Field<Bool>("set-name-disconnects", "Whether setting a name ends the link.", default: false)
  static let timeoutField = Field<Bool>("no-time-out", "Whether it never times out.", default: false)

  static var group: FieldGroup {
    FieldGroup(
      [
        dropField, dropEveryField, receiptField, receiptNumberField, receiptDelayField, answerField, answerToField,
        answersField, sparedField, resultField, extendedField, delayField, muteField, breakField, breakAtField,
        advertisingField,
        unheardField, addressField, namelessField, serviceField, mtuField, nameField, nameEndField, timeoutField,
      ],
      rules: [
        .owned(by: receiptField, receiptNumberField, receiptDelayField),
        .owned(by: answerField, answerToField, answersField, sparedField, resultField, extendedField),
        .owned(by: breakField, breakAtField), .single(of: nameField, nameEndField),
      ])
  }

  /// The faults.
  let faults: BootloaderFaults

  init(_ arguments: Arguments) {
    var faults = BootloaderFaults()
    faults.droppedPacket = arguments[Self.dropField]
    faults.droppedPacketInterval = arguments[Self.dropEveryField]
    faults.receipt = Self.receipt(arguments)
    faults.answer = Self.answer(arguments)
    faults.answerDelay = arguments[Self.delayField]
    faults.isMute = arguments[Self.muteField]
    faults.linkBreak = arguments[Self.breakField].map {
      BootloaderFaults.LinkBreak(exchange: arguments[Self.breakAtField], isSilent: $0 == .silent)
    }
    faults.advertisingDelay = arguments[Self.advertisingField]
    faults.neverAdvertises = arguments[Self.unheardField]
    faults.keepsAddress = arguments[Self.addressField]
    faults.hidesName = arguments[Self.namelessField]
    faults.hidesService = arguments[Self.serviceField]
    faults.maximumTransmissionUnit = UInt16(clamping: arguments[Self.mtuField])
    faults.name = arguments[Self.nameField].map { .result(UInt8(clamping: $0)) }
    if arguments[Self.nameEndField] { faults.name = .disconnects }
    faults.neverTimesOut = arguments[Self.timeoutField]
    self.faults = faults
  }

  private static func receipt(_ arguments: Arguments) -> BootloaderFaults.ReceiptFault? {
    guard let receipt = arguments[receiptField] else { return nil }
    let kind: BootloaderFaults.ReceiptFault.Kind =
      switch receipt {
      case .lost: .lost
      case .late: .late(arguments[receiptDelayField])
      case .duplicated: .duplicated
      case .wrongOffset: .wrongOffset
      }
    return BootloaderFaults.ReceiptFault(kind, number: arguments[receiptNumberField])
  }

  private static func answer(_ arguments: Arguments) -> BootloaderFaults.AnswerFault? {
    guard let answer = arguments[answerField] else { return nil }
    let result = [arguments[resultField]] + (arguments[extendedField].map { [$0] } ?? [])
    let kind: BootloaderFaults.AnswerFault.Kind =
      switch answer {
      case .missing: .missing
      case .result: .result(result.map { UInt8(clamping: $0) })
      case .wrongRequest: .wrongOpCode
      case .wrongChecksum: .wrongChecksum
      case .wrongOffset: .wrongOffset
      }
    return BootloaderFaults.AnswerFault(
      kind, to: arguments[answerToField].map { UInt8(clamping: $0) }, count: arguments[answersField],
      sparing: arguments[sparedField])
  }
}
