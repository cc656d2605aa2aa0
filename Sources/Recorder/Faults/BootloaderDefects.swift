/// What a bootloader itself does wrong, independent of the ``BootloaderFaults`` that a scenario puts around it.
package struct BootloaderDefects: Hashable, Sendable {
  /// Whether it takes older versions than the installed one.
  package var acceptsDowngrade = false
  /// Whether it does not check signatures.
  package var skipsSignature = false
  /// Whether it does not compare an image with the digest in its init packet.
  package var skipsDigest = false
  /// Whether it advertises from the application's address.
  package var keepsAddress = false
  /// Whether it never advertises.
  package var neverAdvertises = false
  /// Whether the checksums that it states are wrong.
  package var statesWrongChecksums = false
  /// Whether it waits for a client forever.
  package var neverTimesOut = false
  /// Whether it marks an image as installed before it is in place, and starts an incomplete image.
  package var startsBrokenImage = false
  /// Whether it keeps its name after one visit.
  package var keepsName = false
  /// Whether a second init packet leaves the first one accepted.
  package var keepsAcceptance = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofBootloaders = [
    RecorderFault("bootloader-accepts-downgrade", "Its bootloader takes older versions than the installed one.") {
      $0.bootloader.acceptsDowngrade = true
    },
    RecorderFault("bootloader-skips-signature", "Its bootloader does not check signatures.") {
      $0.bootloader.skipsSignature = true
    },
    RecorderFault(
      "bootloader-skips-hash", "Its bootloader does not compare an image with the digest in its init packet."
    ) { $0.bootloader.skipsDigest = true },
    RecorderFault("bootloader-keeps-address", "Its bootloader advertises from the application's address.") {
      $0.bootloader.keepsAddress = true
    },
    RecorderFault("bootloader-never-advertises", "Its bootloader never advertises.") {
      $0.bootloader.neverAdvertises = true
    },
    RecorderFault("bootloader-lies-about-checksum", "The checksums that its bootloader states are wrong.") {
      $0.bootloader.statesWrongChecksums = true
    },
    RecorderFault("bootloader-never-times-out", "Its bootloader waits for a client forever.") {
      $0.bootloader.neverTimesOut = true
    },
    RecorderFault("bootloader-keeps-name", "Its bootloader keeps a name for more than one visit.") {
      $0.bootloader.keepsName = true
    },
    RecorderFault("bootloader-keeps-acceptance", "A second init packet leaves the first one accepted.") {
      $0.bootloader.keepsAcceptance = true
    },
    RecorderFault("bootloader-starts-broken-image", "Its bootloader starts an image that is incomplete.") {
      $0.bootloader.startsBrokenImage = true
    },
  ]
}
