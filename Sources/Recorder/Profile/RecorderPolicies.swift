/// What a recorder does where published firmware and the repaired reference differ: one decision, one value.
///
/// Only behaviour that a recorder somebody owns may have is a policy: one value is what the published firmware of
/// board 1.4 does, the other is the repaired behaviour of the `reference` profile, whose values are the initial ones.
/// What no published firmware does, and a suite must notice, is not a policy but one of ``RecorderFaults``.
public struct RecorderPolicies: Hashable, Sendable {
  /// Which characteristic of the phone's Current Time Service it reads.
  public var timeCharacteristic = TimeCharacteristicPolicy.firstOfService
  /// How it names records.
  public var identifier = IdentifierPolicy.trueDateUnique
  /// Whether the codec allows for its label.
  public var codecLabel = CodecLabelPolicy.isKnown
  /// What a second request does while one is being served.
  public var secondRequest = SecondRequestPolicy.waits
  /// What the end of a link does to a request that is being served.
  public var linkLoss = LinkLossPolicy.endsRequest
  /// What a power cut does to its records.
  public var powerCut = PowerCutPolicy.keepsFinishedRecords
  /// Which records it may erase to make room.
  public var format = FormatPolicy.confirmedOnly
  /// Whom it pairs with.
  public var pairing = PairingAdmissionPolicy.ownerDecides
  /// Which bonds a phone's request to unpair deletes.
  public var unpairing = UnpairingPolicy.ownBond
  /// Who may write its GAP device name.
  public var renaming = OwnerPolicy.owners
  /// Who may start its bootloader.
  public var bootloaderEntry = OwnerPolicy.owners
  /// How long somebody without a bond may stay connected.
  public var strangersLink = StrangersLinkPolicy.isLimited

  /// The policies of the `reference` profile.
  public init() {}
}

/// Whom a recorder pairs with.
public enum PairingAdmissionPolicy: Hashable, Sendable {
  /// With phones that keep the keys: with any while it has no owner, otherwise only for a while after its button was
  /// used or its first owner was admitted (``DictofunAdmission``).
  case ownerDecides
  /// As ``ownerDecides``, as if its button had just been used at any time. No real recorder does this.
  case alwaysOpen
  /// With any phone whose address it does not know, at any time, as the published firmware does. Of a phone that it knew all
  /// the same it keeps the keys that it had.
  case anybody
}

/// Which bonds a request to unpair deletes.
public enum UnpairingPolicy: Hashable, Sendable {
  /// The bond of the phone that asks.
  case ownBond
  /// All bonds, as the published firmware does.
  case allBonds
}

/// Who may do something to a recorder.
public enum OwnerPolicy: Hashable, Sendable {
  /// A phone with a bond, on a link that is encrypted with its key.
  case owners
  /// Everybody, as with the published firmware.
  case anybody
}

/// How long somebody without a bond may stay connected.
public enum StrangersLinkPolicy: Hashable, Sendable {
  /// While the recorder pairs, and a while longer (``DictofunAdmission``).
  case isLimited
  /// Until the other side leaves or falls silent, as with the published firmware.
  case isUnlimited
}

/// Which characteristic of the phone's Current Time Service is read.
public enum TimeCharacteristicPolicy: Hashable, Sendable {
  /// The first one, provided that the service has Current Time: the loop of Nordic's SDK keeps that handle, so the
  /// published firmware and the reference do this.
  case firstOfService
  /// Current Time itself.
  case currentTime
}

/// How records are named.
public enum IdentifierPolicy: Hashable, Sendable {
  /// By the clock, a second later where the name is taken.
  case trueDateUnique
  /// By the clock with month modulo 12 and day modulo 31, whether the name is taken or not, as the published firmware
  /// does.
  case foldedDate
}

/// Whether the codec allows for the label that replaces the first octets of a record.
public enum CodecLabelPolicy: Hashable, Sendable {
  /// The codec continues from what a decoder will make of the label.
  case isKnown
  /// The codec continues from the samples that the label replaced, as the published firmware does, so that a decoder is
  /// off by a constant.
  case isForgotten
}

/// What a second request does while one is being served.
public enum SecondRequestPolicy: Hashable, Sendable {
  /// It waits for its turn; one request can wait.
  case waits
  /// It is dropped and never answered, as the published firmware does.
  case isDropped
}

/// What the end of a link does to a request that is being served.
public enum LinkLossPolicy: Hashable, Sendable {
  /// It ends with the link.
  case endsRequest
  /// It outlives the link, and every later request is dropped until a recording or power-off, as the published firmware
  /// does.
  case keepsRequest
}

/// What a power cut while something was being written does to records.
public enum PowerCutPolicy: Hashable, Sendable {
  /// Finished records stay; the unfinished one is skipped from then on.
  case keepsFinishedRecords
  /// The next boot finds a record that it cannot repair and formats the flash, as the published firmware does.
  case losesEverything
}

/// Which records may be erased to make room when the recorder switches itself off.
public enum FormatPolicy: Hashable, Sendable {
  /// All of them, when the flash or its table is nearly full and the phone confirmed all of them.
  case confirmedOnly
  /// All of them, when the flash is nearly full, whether the phone has them or not, as the published firmware does.
  case nearlyFull
}
