import Bytes
import HostStack
import Phone
import ScenarioLanguage

/// The words by which a step names how a phone's operation failed.
enum PhoneFailures {
  static let declarations: [FailureDeclaration] = [
    FailureDeclaration("nothing-in-sight", "No recorder is heard."),
    FailureDeclaration("several-in-sight", "Several recorders are heard and none is named."),
    FailureDeclaration("already-paired", "Another recorder is paired and must be unpaired first."),
    FailureDeclaration("not-paired", "No recorder is paired."),
    FailureDeclaration("not-connected", "There is no connection."),
    FailureDeclaration("connection-failed", "The connection cannot be made."),
    FailureDeclaration("disconnected", "The connection ends in the middle."),
    FailureDeclaration("service-missing", "The recorder lacks a service or characteristic."),
    FailureDeclaration("refused", "The recorder answers a request with an ATT error."),
    FailureDeclaration("pairing-failed", "Pairing fails."),
    FailureDeclaration("security-failed", "The link cannot be encrypted from the bond."),
    FailureDeclaration("record-not-found", "The recorder does not know the record."),
    FailureDeclaration("file-system-corrupt", "The recorder says that its file system is corrupt."),
    FailureDeclaration("status", "The recorder ends the request with another status."),
    FailureDeclaration("no-answer", "The recorder does not answer in time."),
    FailureDeclaration("malformed-answer", "The recorder's answer cannot be understood."),
    FailureDeclaration("battery-low", "The phone does not ask while the recorder's battery is low."),
    FailureDeclaration("no-such-record", "The phone's library has no such record."),
    FailureDeclaration("library", "The phone's library cannot be read or written."),
    FailureDeclaration("abandoned", "The phone was restarted, or told to disconnect, in the middle."),
  ]
}

extension VerbFailure {
  /// The word and the sentence for a phone's failure.
  init(_ failure: PhoneFailure) {
    switch failure {
    case .nothingInSight: self = .refused("nothing-in-sight", "no recorder was heard")
    case .severalInSight(let addresses):
      self = .refused("several-in-sight", "heard \(addresses.map(\.description).joined(separator: ", "))")
    case .alreadyPaired(let address): self = .refused("already-paired", "\(address) is paired")
    case .notPaired: self = .refused("not-paired", "no recorder is paired")
    case .notConnected: self = .refused("not-connected", "there is no connection")
    case .connectionFailed(let code): self = .refused("connection-failed", "error \(hexadecimal(code.rawValue))")
    case .disconnected(let code): self = .refused("disconnected", "reason \(hexadecimal(code.rawValue))")
    case .serviceMissing(let uuid): self = .refused("service-missing", "\(uuid) is missing")
    case .refused(let code): self = .refused("refused", "ATT error \(hexadecimal(code.rawValue))")
    case .pairingFailed(let reason): self = .refused("pairing-failed", "reason \(hexadecimal(reason.rawValue))")
    case .securityFailed(let code): self = .refused("security-failed", "error \(hexadecimal(code.rawValue))")
    case .recordNotFound(let name): self = .refused("record-not-found", "the recorder does not know \(name)")
    case .fileSystemCorrupt: self = .refused("file-system-corrupt", "the recorder says so")
    case .status(let code): self = .refused("status", "status \(hexadecimal(code))")
    case .noAnswer: self = .refused("no-answer", "the recorder stayed silent")
    case .malformedAnswer(let text): self = .refused("malformed-answer", text)
    case .batteryLow(let level): self = .refused("battery-low", "the battery is at \(level) %")
    case .stated(let word, let text): self = .refused(word, text)
    case .packageUnfit(let text): self = .refused("package-unfit", text)
    case .updateRefused(let reply, let installed):
      self = .refused(
        UpdateFailures.word(reply), "reply \(Hexadecimal.string(reply)); the firmware is \(installed.rawValue)")
    case .updateFailed(let trouble, let installed):
      self = .refused(UpdateFailures.word(trouble), "\(trouble.rawValue); the firmware is \(installed.rawValue)")
    case .nothingOffered: self = .refused("nothing-offered", "no firmware is offered")
    case .noSuchRecord: self = .refused("no-such-record", "the library does not have it")
    case .library(let text): self = .refused("library", text)
    case .abandoned: self = .refused("abandoned", "overtaken by a restart or a disconnect")
    }
  }
}

private func hexadecimal(_ code: UInt8) -> String { "0x" + Hexadecimal.digits(code) }
