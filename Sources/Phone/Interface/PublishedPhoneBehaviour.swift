/// A behaviour of the published application that the reference phone has repaired.
///
/// Each is one value of ``PhonePolicies``, under the name by which scenarios ask for it.
package enum PublishedPhoneBehaviour: String, Hashable, Sendable, CaseIterable {
  /// It gives the recorder no time to close a file.
  case settling
  /// It enables only the answers of the next request.
  case enabling
  /// It waits for an answer as long as the link lasts.
  case patience
  /// It asks for files before the battery.
  case batteryOrder = "battery-order"
  /// It reads the battery once in a connection.
  case batteryPeriod = "battery-period"
  /// A low battery stops nothing.
  case lowBattery = "low-battery"
  /// A list without new records is the last that the recorder hears of it.
  case nothingNew = "nothing-new"

  /// The behaviour in one sentence.
  package var summary: String {
    switch self {
    case .settling: "It writes the next request as soon as the answer before is complete."
    case .enabling: "It enables each answer before its request, and disables lists, info and data before the status."
    case .patience: "It waits for an answer as long as the link lasts."
    case .batteryOrder: "It asks for files first and then reads the battery."
    case .batteryPeriod: "It reads the battery once in a connection."
    case .lowBattery: "It goes on with its requests when the battery is low."
    case .nothingNew: "It says nothing more after a list without new records, and keeps the link."
    }
  }

  /// Takes the behaviour into policies.
  package func apply(to policies: inout PhonePolicies) {
    switch self {
    case .settling: policies.settling = .doesNotWait
    case .enabling: policies.enabling = .asNeeded
    case .patience: policies.patience = .isUnlimited
    case .batteryOrder: policies.batteryOrder = .afterFirstRequest
    case .batteryPeriod: policies.batteryPeriod = .onlyOnce
    case .lowBattery: policies.lowBattery = .isIgnored
    case .nothingNew: policies.nothingNew = .saysNothing
    }
  }
}

/// Which phone is played.
package enum PhoneProfile: String, Hashable, Sendable, CaseIterable {
  /// The good phone.
  case reference
  /// The reference with everything that the published application does otherwise, as far as this model has it.
  case published

  /// What it does as the published application does.
  package var behaviours: [PublishedPhoneBehaviour] { self == .published ? PublishedPhoneBehaviour.allCases : [] }
}
