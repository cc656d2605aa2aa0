import Bytes
import Phone
import SecureDFU

extension PhoneFailure {
  /// What went wrong, in one sentence without its full stop.
  var sentence: String {
    switch self {
    case .nothingInSight: "no recorder is in sight: wake it, and look that no other phone holds it"
    case .severalInSight(let addresses):
      "several recorders are in sight, name one by --device: \(addresses.map(\.description).joined(separator: ", "))"
    case .alreadyPaired(let address): "\(address) is paired already; unpair it first"
    case .notPaired: "no recorder is paired"
    case .notConnected: "there is no connection"
    case .connectionFailed(let code): "the connection could not be made: error \(hexadecimal(code.rawValue))"
    case .disconnected(let code): "the connection ended in the middle: reason \(hexadecimal(code.rawValue))"
    case .serviceMissing(let uuid): "the recorder lacks \(uuid)"
    case .refused(.insufficientAuthentication), .refused(.insufficientEncryption):
      "the recorder wants an encrypted link for this; pair first"
    case .refused(let code): "the recorder refused with ATT error \(hexadecimal(code.rawValue))"
    case .pairingFailed(let reason): "pairing failed: reason \(hexadecimal(reason.rawValue))"
    case .securityFailed(let code):
      "the link could not be encrypted: error \(hexadecimal(code.rawValue)); unpair where the recorder lost its keys"
    case .recordNotFound(let name): "the recorder does not know record \(name)"
    case .fileSystemCorrupt: "the recorder says that its file system is corrupt"
    case .status(let code): "the recorder ended the request with status \(hexadecimal(code))"
    case .noAnswer: "the recorder did not answer in time"
    case .malformedAnswer(let text): "the recorder's answer cannot be understood: \(text)"
    case .batteryLow(let level): "the recorder's battery is at \(level) %, and nothing else is asked of it then"
    case .packageUnfit(let text): text
    case .updateRefused(let reply, _): "the update was refused with \(Hexadecimal.string(reply))"
    case .updateFailed(let trouble, _): trouble.rawValue
    case .nothingOffered: "no firmware is offered"
    case .stated(_, let text): text
    case .noSuchRecord: "the library has no such record"
    case .library(let text): "the library failed: \(text)"
    case .abandoned: "the phone's controller does not work, so the operation was given up"
    }
  }

  private func hexadecimal(_ code: UInt8) -> String { "0x" + Hexadecimal.digits(code) }
}
