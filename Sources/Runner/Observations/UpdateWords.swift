import Phone
import Requirements
import SecureDFU

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
