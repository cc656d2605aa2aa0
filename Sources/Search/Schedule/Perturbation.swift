/// A group of actions that a run switches on or off as a whole.
///
/// Runs that leave groups out reach states that runs with everything in them never reach: an action that undoes the others
/// must be absent in some (swarm testing).
package enum Perturbation: String, Hashable, Sendable, CaseIterable {
  /// The button: presses, and a finger that stays on it.
  case button
  /// The recorder's supply.
  case power
  /// The voltage of its battery.
  case battery
  /// Loss, interference and silence on the air, and distance.
  case air
  /// Clocks that are set or drift.
  case clock
  /// What the owner does with the phone.
  case application
  /// The end of the phone's application.
  case restart
  /// Keys that are made, deleted or lost.
  case keys
  /// What the second owner does.
  case partner
  /// What somebody else's phone does.
  case stranger
  /// Requests that no correct phone sends, or not at that moment.
  case requests
  /// Time that passes. Every run has it.
  case time
}
