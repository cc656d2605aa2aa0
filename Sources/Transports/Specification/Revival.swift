/// What may bring a controller back that is there but does not answer, from the mildest to the harshest.
package enum Revival: Hashable, Sendable, CaseIterable {
  /// The device on USB is reset, as if it had just been plugged in.
  case busReset
  /// The hub takes the device's power away and gives it again.
  case portPower

  /// What was done, in words that follow the name of the controller.
  package var words: String {
    switch self {
    case .busReset: "was reset on USB"
    case .portPower: "was switched off and on by its hub"
    }
  }
}

extension TransportSpecification {
  /// Takes the first step of a revival. Returns the second step, which is due after ``revivalPause``; `nil` where this
  /// transport, hub or user cannot do that.
  package func revive(by means: Revival) -> (() -> Void)? { transport.revive(by: means, .machine) }

  /// How long a device stays without power, so that its capacitors are empty.
  package static let revivalPause = Duration.milliseconds(1_500)
}
