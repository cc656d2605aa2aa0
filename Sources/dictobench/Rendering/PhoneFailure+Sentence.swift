import Bytes
import Phone
import Requirements
import SecureDFU

extension PhoneFailure {
  /// What went wrong, in one sentence without its full stop. It may quote the recorder.
  var sentence: String {
    switch self {
    case .nothingInSight: "no recorder found: wake it up, and make sure that no other phone is connected to it"
    case .othersInSight(let addresses):
      "that recorder was not found, only \(addresses.map(\.description).joined(separator: ", ")): check the address, or "
        + "wake the recorder up"
    case .severalInSight(let addresses):
      "found several recorders, choose one with --device: \(addresses.map(\.description).joined(separator: ", "))"
    case .alreadyPaired(let address): "already paired with \(address); unpair it first"
    case .notPaired: "no recorder is paired"
    case .notConnected: "the phone is not connected"
    case .connectionFailed(let code): "could not connect: \(code.words)"
    case .disconnected(let code): "lost the connection: \(code.words)"
    case .serviceMissing(let uuid): "the recorder does not have \(uuid)"
    case .refused(.insufficientAuthentication), .refused(.insufficientEncryption):
      "the recorder requires an encrypted link for this; pair first"
    case .refused(let code): "the recorder refused: \(AttributeErrorWords.text(code.rawValue))"
    case .pairingFailed(let reason): "pairing failed: \(SecurityWords.text(reason.rawValue))"
    case .securityFailed(let code):
      "could not encrypt the link: \(code.words)"
    case .recordNotFound(let name): "the recorder does not have record \(name)"
    case .fileSystemCorrupt: "the recorder reports that its file system is corrupt"
    case .status(let code): "the recorder ended the request with status \(hexadecimal(code))"
    case .noAnswer: "the recorder did not answer in time"
    case .malformedAnswer(let text): "cannot understand the recorder's answer: \(text)"
    case .batteryLow(let level): "the recorder's battery is at \(level) %, so nothing else is requested from it"
    case .packageUnfit(let text): text
    case .updateRefused(let reply, _): "the recorder refused the update with \(Hexadecimal.string(reply))"
    case .updateFailed(let trouble, _): trouble.rawValue
    case .nothingOffered: "no firmware is offered"
    case .stated(_, let text): text
    case .noSuchRecord: "the library does not have this record"
    case .library(let text): "the library failed: \(text)"
    case .abandoned: "the operation was given up because the phone's controller does not work"
    }
  }

  private func hexadecimal(_ code: UInt8) -> String { "0x" + Hexadecimal.digits(code) }
}
