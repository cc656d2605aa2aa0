/// A behaviour of the published firmware of board 1.4 that the `reference` profile has repaired.
///
/// Each is one value of ``RecorderPolicies``, under the name by which scenarios and profiles ask for it.
public enum PublishedBehaviour: String, Hashable, Sendable, CaseIterable {
  /// It pairs with anybody at any time.
  case pairing
  /// A request to unpair deletes all bonds.
  case unpairing
  /// Anybody may write its name.
  case renaming
  /// Anybody may start its bootloader.
  case bootloaderEntry = "bootloader-entry"
  /// A stranger may stay connected.
  case strangersLink = "strangers-link"
  /// Month and day in the names of records are folded.
  case identifiers
  /// The codec forgets the label of a record.
  case codecLabel = "codec-label"
  /// A second request is dropped.
  case secondRequest = "second-request"
  /// A request outlives its link.
  case linkLoss = "link-loss"
  /// A power cut costs all records.
  case powerCut = "power-cut"
  /// A nearly full flash is formatted whether the phone has the records or not.
  case format

  /// The behaviour in one sentence.
  public var summary: String {
    switch self {
    case .pairing: "It pairs with any phone at any time."
    case .unpairing: "A phone that unpairs removes the bonds of all phones."
    case .renaming: "Anybody may write its name."
    case .bootloaderEntry: "Anybody may start its bootloader."
    case .strangersLink: "A phone without a bond may stay connected as long as it likes."
    case .identifiers: "Month and day in the names of records are folded, and names can repeat."
    case .codecLabel: "The codec forgets the label of a record, which leaves a constant offset."
    case .secondRequest: "A second request while one is served is never answered."
    case .linkLoss: "A request that a lost link interrupts makes it deaf."
    case .powerCut: "A power cut while it writes costs all records."
    case .format: "It formats a nearly full flash whether the phone has the records or not."
    }
  }

  /// Takes the behaviour into policies.
  func apply(to policies: inout RecorderPolicies) {
    switch self {
    case .pairing: policies.pairing = .anybody
    case .unpairing: policies.unpairing = .allBonds
    case .renaming: policies.renaming = .anybody
    case .bootloaderEntry: policies.bootloaderEntry = .anybody
    case .strangersLink: policies.strangersLink = .isUnlimited
    case .identifiers: policies.identifier = .foldedDate
    case .codecLabel: policies.codecLabel = .isForgotten
    case .secondRequest: policies.secondRequest = .isDropped
    case .linkLoss: policies.linkLoss = .keepsRequest
    case .powerCut: policies.powerCut = .losesEverything
    case .format: policies.format = .nearlyFull
    }
  }
}
