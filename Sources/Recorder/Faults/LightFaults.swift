/// What can be wrong with the light.
package struct LightFaults: Hashable, Sendable {
  /// The state in which it shows what belongs to development; `nil` for none.
  package var confusedState: SystemState?
  /// Whether it shows a phone's link as if there were none.
  package var hidesLink = false
  /// Whether what was shown at boot stays.
  package var stays = false

  /// No fault.
  package init() {}

  /// What it shows in a state instead of what is documented.
  func shown(_ state: SystemState, isConnected: Bool) -> LightSignal {
    if stays { return SystemState.initialisation.light(isConnected: false) }
    if state == confusedState { return SystemState.developmentMode.light(isConnected: false) }
    return state.light(isConnected: isConnected && !hidesLink)
  }
}

extension RecorderFault {
  static let ofLights = [
    RecorderFault("light-hides-link", "Its light does not show that a phone is connected.") {
      $0.light.hidesLink = true
    },
    RecorderFault("light-stays", "Its light shows forever that it starts.") { $0.light.stays = true },
    RecorderFault("light-hides-flat-battery", "Its light does not show that the battery is flat.") {
      $0.light.confusedState = .batteryLow
    },
  ]
}
