import Bench
import ScenarioLanguage

extension Stage {
  /// Whether a verb is done to a real recorder by its bench. Where time is up, it is the bench that did not get it done.
  func isActuated(by call: VerbCall) -> Bool { actuated(by: call) != nil }

  /// How much longer than its limit a verb may take, because of programs and people at the bench.
  func patience(of call: VerbCall) -> Duration { actuated(by: call)?.place.patience ?? .zero }

  private func actuated(by call: VerbCall) -> ActuatedDevice? {
    guard call.declaration.actor == .device else { return nil }
    return (try? device(call)) as? ActuatedDevice
  }
}
