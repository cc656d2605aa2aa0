import Bytes
import HostStack
import Phone
import Requirements
import ScenarioLanguage

/// The words by which a step names how a phone's operation failed.
extension FailureDeclaration {
  static let nothingInSight = FailureDeclaration(
    "nothing-in-sight", "The phone hears no recorder.", isOutOfReach: true)
  static let severalInSight = FailureDeclaration(
    "several-in-sight", "The phone hears several recorders and the step names none.")
  static let alreadyPaired = FailureDeclaration(
    "already-paired", "Another recorder is paired and must be unpaired first.")
  static let notPaired = FailureDeclaration("not-paired", "No recorder is paired.")
  static let notConnected = FailureDeclaration(
    "not-connected", "There is no connection.", isOutOfReach: true)
  static let connectionFailed = FailureDeclaration(
    "connection-failed", "The connection cannot be made.", isOutOfReach: true, hasCode: true)
  static let disconnected = FailureDeclaration(
    "disconnected", "The connection ends before the operation does.", hasCode: true)
  static let serviceMissing = FailureDeclaration(
    "service-missing", "The recorder does not have a service or characteristic.")
  static let refused = FailureDeclaration("refused", "The recorder answers a request with an ATT error.", hasCode: true)
  static let pairingFailed = FailureDeclaration("pairing-failed", "Pairing fails.", hasCode: true)
  static let securityFailed = FailureDeclaration(
    "security-failed", "The link cannot be encrypted with the stored keys.", hasCode: true)
  static let recordNotFound = FailureDeclaration("record-not-found", "The recorder does not know the record.")
  static let fileSystemCorrupt = FailureDeclaration(
    "file-system-corrupt", "The recorder reports that its file system is corrupt.")
  static let status = FailureDeclaration("status", "The recorder ends the request with another status.", hasCode: true)
  static let noAnswer = FailureDeclaration("no-answer", "The recorder does not answer in time.")
  static let malformedAnswer = FailureDeclaration("malformed-answer", "The recorder's answer cannot be understood.")
  static let batteryLow = FailureDeclaration(
    "battery-low", "The phone sends no request while the recorder's battery is low.")
  static let noSuchRecord = FailureDeclaration("no-such-record", "The record is not in the phone's library.")
  static let library = FailureDeclaration("library", "The phone's library cannot be read or written.")
  static let abandoned = FailureDeclaration(
    "abandoned", "The phone was restarted, or told to disconnect, before the operation ended.", isOutOfReach: true)

  /// Every failure of an operation that is not about firmware, in the order of the reference.
  public static let ofPhones = [
    nothingInSight, severalInSight, alreadyPaired, notPaired, notConnected, connectionFailed, disconnected,
    serviceMissing, refused, pairingFailed, securityFailed, recordNotFound, fileSystemCorrupt, status, noAnswer,
    malformedAnswer, batteryLow, noSuchRecord, library, abandoned,
  ]

  /// The failure that somebody else's application names; a word that is not ours stays as it is.
  static func named(_ word: String) -> FailureDeclaration {
    ofUpdates.first { $0.name == word } ?? FailureDeclaration(word, "The application says so.")
  }
}

extension VerbFailure {
  /// The word and the sentence for a phone's failure.
  init(_ failure: PhoneFailure) {
    switch failure {
    case .nothingInSight: self = .refused(.nothingInSight, "the phone heard no recorder")
    case .othersInSight(let addresses):
      self = .refused(
        .nothingInSight, "the phone heard only others: \(addresses.map(\.description).joined(separator: ", "))")
    case .severalInSight(let addresses):
      self = .refused(.severalInSight, "the phone heard \(addresses.map(\.description).joined(separator: ", "))")
    case .alreadyPaired(let address): self = .refused(.alreadyPaired, "\(address) is paired")
    case .notPaired: self = .refused(.notPaired, "no recorder is paired")
    case .notConnected: self = .refused(.notConnected, "there is no connection")
    case .connectionFailed(let code): self = .refused(.connectionFailed, code.words, code: code.rawValue)
    case .disconnected(let code): self = .refused(.disconnected, code.words, code: code.rawValue)
    case .serviceMissing(let uuid): self = .refused(.serviceMissing, "\(uuid) is missing")
    case .refused(let code): self = .refused(.refused, AttributeErrorWords.text(code.rawValue), code: code.rawValue)
    case .pairingFailed(let reason):
      self = .refused(.pairingFailed, SecurityWords.text(reason.rawValue), code: reason.rawValue)
    case .securityFailed(let code): self = .refused(.securityFailed, code.words, code: code.rawValue)
    case .recordNotFound(let name): self = .refused(.recordNotFound, "the recorder does not know \(name)")
    case .fileSystemCorrupt: self = .refused(.fileSystemCorrupt, "the recorder reported it")
    case .status(let code): self = .refused(.status, "status \(hexadecimal(code))", code: code)
    case .noAnswer: self = .refused(.noAnswer, "the recorder did not answer in time")
    case .malformedAnswer(let text): self = .refused(.malformedAnswer, text)
    case .batteryLow(let level): self = .refused(.batteryLow, "the battery is at \(level) %")
    case .stated(let word, let text): self = .refused(.named(word), text)
    case .packageUnfit(let text): self = .refused(.packageUnfit, text)
    case .updateRefused(let reply, let installed):
      self = .refused(
        .refused(by: reply), "reply \(Hexadecimal.string(reply)); the firmware is \(installed.rawValue)")
    case .updateFailed(let trouble, let installed):
      self = .refused(.update(trouble), "\(trouble.rawValue); the firmware is \(installed.rawValue)")
    case .nothingOffered: self = .refused(.nothingOffered, "the feed offers no firmware")
    case .noSuchRecord: self = .refused(.noSuchRecord, "the record is not in the library")
    case .library(let text): self = .refused(.library, text)
    case .abandoned: self = .refused(.abandoned, "a restart or a disconnect ended the operation")
    }
  }
}

private func hexadecimal(_ code: UInt8) -> String { "0x" + Hexadecimal.digits(code) }

extension VerbCall {
  /// The failure that the step expects, such as `refused with code 0x0D`; `nil` where it expects success.
  var failureWords: String? {
    expectedFailure.map { $0.name + (expectedCode.map { " with code \(hexadecimal($0))" } ?? "") }
  }
}
