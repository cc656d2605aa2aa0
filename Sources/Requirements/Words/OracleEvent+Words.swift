import DictofunProtocol
import SecureDFU
import Text
import Timeline
import Verdicts

extension OracleEvent {
  /// What happened as a person would tell it, without who did it.
  var words: String {
    switch self {
    case .recorderClock(_, _, let aheadBy):
      aheadBy < .zero
        ? "its clock is \(DurationText.precise(.zero - aheadBy)) behind the phone's"
        : "its clock is \(DurationText.precise(aheadBy)) ahead of the phone's"
    case .recordBegun(_, let identifier, let clock, _): "begins record \(identifier), its clock shows \(clock)"
    case .recordFinished(_, let identifier, let octets):
      "has record \(identifier) in its memory, \(NumberText.octets(octets))"
    case .recordDeleted(_, let identifier, _): "its user removes record \(identifier)"
    case .buttonPressed: "the button is pressed"
    case .buttonReleased: "the button is released"
    case .recorderPowered(_, let isOn): isOn ? "is switched on" : "is switched off"
    case .recorderCannotServe(_, let reason): "cannot serve: \(reason)"
    case .progressShown(_, let identifier, let received, let total):
      "shows \(NumberText.grouped(received)) of \(NumberText.octets(total)) of record \(identifier)"
    case .lowBatteryShown(_, let percent): "tells its user that the recorder's battery is low: \(percent) %"
    case .clockSetByHand: "its clock is set by hand"
    case .bondMade(_, let phone, let others):
      "keeps a pairing with \(phone), beside \(Wording.count(others, "other"))"
    case .pairingRefused(_, let owners): "does not pair: it has \(Wording.count(owners, "owner"))"
    case .unpairTold(_, let phone): "\(phone) tells it to forget the pairing"
    case .bondsRemoved(_, let phones):
      "forgets \(phones.isEmpty ? "nobody" : phones.map(\.description).joined(separator: ", "))"
    case .bondForgotten: "forgets the pairing"
    case .recordStored(_, let identifier, let octets):
      "has record \(identifier) in its library, \(NumberText.octets(octets))"
    case .newRecordsShown(_, let count): "shows its user \(Wording.count(Int(count), "new record"))"
    case .statusShown(_, let status): "shows its user: \(status.rawValue)"
    case .update(let update): update.words
    case .execution(let execution): execution.words
    case .recorderState(_, let name): "is in state \(name)"
    case .keptAwake: "does not switch itself off in this scenario"
    case .batteryVoltage(_, let millivolts): "its battery has \(NumberText.grouped(millivolts)) mV"
    case .bondsForgottenByHand: "its pairings are deleted by hand"
    case .recordsErasedByHand: "its records are erased by hand"
    case .recordsGone(_, let identifiers): "no longer has \(Wording.count(identifiers.count, "record"))"
    case .air(let isClear): isClear ? "loses nothing" : "may lose packets"
    case .overheard(.pairing(let isReadable)):
      isReadable ? "a listener learns the key of the pairing" : "a listener learns nothing from the pairing"
    case .overheard(.record(let identifier, let octets)):
      "a listener has \(identifier.map { "record \($0)" } ?? "a record"), \(NumberText.octets(octets))"
    }
  }
}

extension UpdateOracle {
  fileprivate var words: String {
    switch self {
    case .offered(_, let version): "offers its user firmware \(version)"
    case .answered(_, let version, let isAccepted):
      "its user \(isAccepted ? "accepts" : "refuses") firmware \(version)"
    case .begun(_, let version, let isAsked):
      "begins an update\(version.map { " to firmware \($0)" } ?? "")\(isAsked ? ", as its user asked" : "")"
    case .shown(_, let state):
      "shows the update: \(state.phase.rawValue), \(NumberText.grouped(state.octets)) of \(NumberText.octets(state.total))"
    case .ended(_, let installed, _): "the update ends; installed: \(installed.rawValue)"
    case .versionShown(_, let version):
      version.map { "shows that the recorder has firmware \($0)" } ?? "shows that the recorder's firmware is unknown"
    case .firmwareStarted(_, let version, let isWhole):
      "starts firmware \(version)\(isWhole ? "" : ", whose image is not whole")"
    case .bootloaderStarted: "its bootloader waits for an update"
    case .firmwareInstalled(_, let version): "has firmware \(version) installed"
    case .bootloaderDisturbed: "its bootloader breaks the protocol, as the scenario demands"
    case .bootloaderHindered: "its bootloader cannot be found at once, as the scenario demands"
    case .possessions(_, let records, _, let bonds):
      "owns \(Wording.count(records, "record")) and \(Wording.count(bonds, "pairing"))"
    case .improvised: "writes what the scenario says"
    }
  }
}

extension ExecutionOracle {
  fileprivate var words: String {
    switch self {
    case .began: "its chip begins to execute the image"
    case .switchedOff: "the image switches its recorder off"
    case .defect(_, let defect, let text): "\(defect.rawValue): \(text)"
    case .console(_, let line): "console: \(line)"
    case .notModelled(_, let text): "used something that is not modelled: \(text)"
    }
  }
}
