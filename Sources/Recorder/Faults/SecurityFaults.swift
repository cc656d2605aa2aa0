import HostStack

/// What can be wrong with links, encryption and bonds.
package struct SecurityFaults: Hashable, Sendable {
  /// Whether the File Transfer Service answers on a link that is not encrypted.
  package var acceptsUnencrypted = false
  /// Whether a request to unpair leaves the bonds in place.
  package var keepsBondsWhenUnpaired = false
  /// Whether bonds are lost when the recorder is switched off.
  package var forgetsBondsAtPowerOff = false
  /// Whether bonds are lost when a link ends.
  package var forgetsBondsAtDisconnection = false
  /// Whether it never asks a bonded phone for encryption.
  package var neverRequestsSecurity = false
  /// The largest ATT MTU that it accepts, octets; `nil` for its profile's.
  package var maximumTransmissionUnit: UInt16?

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofSecurity = [
    RecorderFault("accepts-unencrypted", "It answers strangers without encryption.") {
      $0.security.acceptsUnencrypted = true
    },
    RecorderFault("keeps-bonds-after-unpair", "It does not unpair.") { $0.security.keepsBondsWhenUnpaired = true },
    RecorderFault("forgets-bonds", "It loses its bonds when it is switched off.") {
      $0.security.forgetsBondsAtPowerOff = true
    },
    RecorderFault("forgets-bonds-at-disconnect", "It loses its bonds when a link ends.") {
      $0.security.forgetsBondsAtDisconnection = true
    },
    RecorderFault("never-requests-security", "It does not ask a bonded phone for encryption.") {
      $0.security.neverRequestsSecurity = true
    },
    RecorderFault("small-transmission-unit", "It refuses to send longer packets than every device must take.") {
      $0.security.maximumTransmissionUnit = ATTPDU.defaultMTU
    },
  ]
}
