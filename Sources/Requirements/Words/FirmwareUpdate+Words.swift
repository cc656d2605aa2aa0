import Bytes
import DictofunProtocol
import SecureDFU
import Text
import Verdicts

extension FirmwareUpdateHappening {
  /// The way it took between phone and recorder.
  var way: ReportedEvent.Way {
    switch self {
    case .bootloaderKnown: .local
    case .subscribed, .buttonlessRequested, .requested, .packet: .toRecorder
    case .buttonlessAnswered, .requestRefused, .answered, .receipt, .notUnderstood: .toPhone
    }
  }

  /// What happened as a person would tell it.
  var words: String {
    switch self {
    case .bootloaderKnown: "finds the bootloader's attributes"
    case .subscribed(let isOn): "switches the answers of the update service \(isOn ? "on" : "off")"
    case .buttonlessRequested(let request): "asks the application to \(request.words)"
    case .buttonlessAnswered(let request, let result):
      "answers the request to \(request.words): \(result == 1 ? "done" : "refused with result \(result)")"
    case .requested(let request): "asks the bootloader to \(request.words)"
    case .requestRefused(let error): "refuses the write of the request: \(AttributeErrorWords.text(error))"
    case .answered(let request, let answer): "answers the request to \(request.words): \(answer.words)"
    case .receipt(let answer): "confirms packets: \(answer.words)"
    case .packet(let object, let octets):
      "sends \(NumberText.octets(octets)) of \(object.map(\.words) ?? "no object that was selected")"
    case .notUnderstood(let reason): "sends what its protocol does not allow: \(reason)"
    }
  }
}

extension FirmwareObject {
  /// The object as a person would call it.
  var words: String {
    switch self {
    case .command: "the init packet"
    case .data: "the image"
    }
  }
}

extension ButtonlessRequest {
  /// The request as a person would tell it, after `asks the application to`.
  var words: String {
    switch self {
    case .startBootloader: "start the bootloader"
    case .setName(let octets): "advertise the bootloader under a name of \(NumberText.octets(octets))"
    case .other(let octet): "do something unknown (\(octet))"
    }
  }
}

extension BootloaderRequest {
  /// The request as a person would tell it, after `asks the bootloader to`.
  var words: String {
    let subject = object.map(\.words) ?? "an object that does not exist"
    switch opCode {
    case .createObject?: return "take \(size.map { NumberText.octets($0) } ?? "octets") of \(subject)"
    case .setPacketReceiptNotification?:
      let interval = receiptInterval ?? 0
      return interval == 0 ? "confirm no packets" : "confirm every \(Wording.count(interval, "packet"))"
    case .getChecksum?: return "report the checksum of what it has"
    case .executeObject?: return "execute what it has"
    case .selectObject?: return "report the state of \(subject)"
    case .abort?: return "give up the update"
    case let opCode?: return "perform `\(opCode)`"
    case nil: return "do something unknown (\(octet))"
    }
  }
}

extension BootloaderAnswer {
  /// The answer as a person would tell it.
  fileprivate var words: String {
    guard reply.isSuccess else { return "refused: \(reply)" }
    guard let state = reply.object else { return "done" }
    let agreement =
      switch isAsSent {
      case true?: ", which is what was sent"
      case false?: ", which is not what was sent"
      case nil: ""
      }
    let has = object.map { " of \($0.words)" } ?? ""
    let checksum = "checksum \(Hexadecimal.digits(state.checksum))"
    return "it has \(NumberText.octets(state.offset))\(has), \(checksum)\(agreement)"
  }
}
