import Bench
import World

extension RecorderConversation {
  /// Lets the phone use what a bench has around a recorder: its button, its rail, its supply. Makes sure before that they
  /// are the instruments of the bench file. What its console tells from then on is kept in `tale`.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where an instrument cannot be opened or is another one.
  package func use(
    _ place: RecorderPlace, operator attended: OperatorPlace?, hearing tale: ConsoleTale
  ) async throws {
    guard let desk = phone as? PhoneDesk else { return }
    try await desk.attach { loop, waits in
      let device = try ActuatedDevice("device", place, operator: attended, on: loop, waits)
      device.onConsoleLog { [weak device] log in tale.take(log, banner: device?.bootBanner) }
      try await device.identify()
      return device
    }
  }
}
