import Requirements
import ScenarioLanguage
import SecureDFU

/// Firmware updates in the words of scenarios.
extension EventWords {
  func word(_ happening: FirmwareUpdateHappening) -> (String, Findings)? {
    var findings = Findings()
    switch happening {
    case .buttonlessRequested(let request):
      findings.set(Observations.updateRequest, .init(request))
      return ("dfu.request", findings)
    case .requested(let request):
      findings.set(Observations.updateRequest, .init(request))
      if let object = request.object { findings.set(Observations.updateObject, .init(object)) }
      if let size = request.size { findings.set(Observations.objectSize, ByteCount(bytes: Int(size))) }
      return ("dfu.request", findings)
    case .buttonlessAnswered(let request, let result):
      findings.set(Observations.updateRequest, .init(request))
      findings.set(Observations.result, anyOf: UpdateResult.values(result))
      return ("dfu.reply", findings)
    case .answered(let request, let answer):
      findings.set(Observations.updateRequest, .init(request))
      findings.set(Observations.result, anyOf: UpdateResult.values(answer.reply.resultCode))
      if let extended = answer.reply.extendedError {
        findings.set(Observations.extended, anyOf: UpdateRefusal.values(extended))
      }
      return ("dfu.reply", findings)
    case .receipt(let answer):
      guard let state = answer.reply.object else { return nil }
      findings.set(Observations.arrived, ByteCount(bytes: Int(state.offset)))
      return ("dfu.receipt", findings)
    case .bootloaderKnown, .subscribed, .requestRefused, .packet, .notUnderstood: return nil
    }
  }

  func word(_ event: UpdateOracle) -> (String, Findings)? {
    var findings = Findings()
    switch event {
    case .shown(_, let state):
      findings.set(Observations.phase, .init(state.phase))
      findings.set(Observations.place, .init(state.place))
      findings.set(Observations.updatePercent, Share(percent: state.percent))
      return ("update.state", findings)
    case .offered(_, let version):
      findings.set(Observations.version, Int(version))
      return ("update.offered", findings)
    case .ended(_, let installed):
      findings.set(Observations.installed, .init(installed))
      return ("update.ended", findings)
    case .firmwareStarted(_, let version, let isWhole):
      findings.set(Observations.version, Int(version))
      findings.set(Observations.isWhole, isWhole)
      return ("device.firmware", findings)
    case .bootloaderStarted: return ("device.bootloader", findings)
    case .answered, .begun, .versionShown, .firmwareInstalled, .bootloaderDisturbed, .possessions, .improvised:
      return nil
    }
  }
}

extension Observations.UpdateRequest {
  init(_ request: ButtonlessRequest) {
    switch request {
    case .startBootloader: self = .startBootloader
    case .setName: self = .setName
    case .other: self = .other
    }
  }

  init(_ request: BootloaderRequest) {
    switch request.opCode {
    case .createObject?: self = .create
    case .setPacketReceiptNotification?: self = .setReceipts
    case .getChecksum?: self = .checksum
    case .executeObject?: self = .execute
    case .selectObject?: self = .select
    case .abort?: self = .abort
    default: self = .other
    }
  }
}

extension Observations.UpdateObject {
  init(_ object: FirmwareObject) { self = object == .command ? .command : .data }
}

extension Observations.UpdatePhase {
  init(_ phase: UpdateState.Phase) {
    switch phase {
    case .checking: self = .checking
    case .entering: self = .entering
    case .finding: self = .finding
    case .announcing: self = .announcing
    case .sending: self = .sending
    case .activating: self = .activating
    case .verifying: self = .verifying
    case .ended: self = .ended
    }
  }
}

extension Observations.UpdatePlace {
  init(_ place: UpdateState.Place) {
    switch place {
    case .nowhere: self = .nowhere
    case .application: self = .application
    case .bootloader: self = .bootloader
    }
  }
}

extension Observations.Installed {
  init(_ installed: InstalledAfterUpdate) {
    switch installed {
    case .new: self = .new
    case .old: self = .old
    case .none: self = .none
    case .unknown: self = .unknown
    }
  }
}
