import SecureDFU

/// What a bootloader gets wrong.
public enum BootloaderPolicy: Hashable, Sendable {
  /// Nothing.
  case faithful
  /// It takes older versions than the installed one.
  case acceptsDowngrade
  /// It looks at no signature.
  case skipsSignature
  /// It does not compare an image with the digest in its init packet.
  case skipsDigest
  /// It advertises from the application's address.
  case keepsAddress
  /// It is never heard.
  case neverAdvertises
  /// The checksums it states are wrong.
  case liesAboutChecksum
  /// It waits for a client for ever.
  case neverTimesOut
  /// It notes an image as installed before it is in place, and starts whatever is there.
  case startsBrokenImage

  /// Puts the fault into the bootloader of a chip.
  func apply(_ firmware: inout RecorderFirmware) {
    switch self {
    case .faithful: break
    case .acceptsDowngrade: firmware.build.preventsDowngrade = false
    case .skipsSignature: firmware.build.requiresSignature = false
    case .skipsDigest: firmware.build.checksImage = false
    case .keepsAddress: firmware.faults.keepsAddress = true
    case .neverAdvertises: firmware.faults.neverAdvertises = true
    case .liesAboutChecksum:
      firmware.faults.answer = BootloaderFaults.AnswerFault(.wrongChecksum, to: DFUOpCode.getChecksum.rawValue)
    case .neverTimesOut: firmware.faults.neverTimesOut = true
    case .startsBrokenImage: firmware.build.installsBeforeStarting = false
    }
  }
}

/// What the buttonless DFU characteristic does.
public enum ButtonlessPolicy: Hashable, Sendable {
  /// Nordic's: the client enables indications first, and its confirmation lets the chip reset.
  case waitsForConfirmation
  /// The chip resets as soon as it was asked to.
  case resetsWithoutConfirmation
  /// Who does not hear the answer may ask as well.
  case acceptsWithoutIndications
}

/// What an update does to what the recorder owns.
public enum UpdatePolicy: Hashable, Sendable {
  /// Nothing.
  case keepsEverything
  /// All records are gone.
  case erasesRecords
  /// All bonds are gone.
  case forgetsBonds
  /// The clock begins anew in 2000.
  case losesTime
}
