import Bench
import Runner

extension SteeringOrder {
  /// The words of the `device:` verbs that a recorder is steered by.
  package static let verbs = DeviceConsole.verbs.filter { !own.contains($0) }
  /// Words that no step has, or that give a fuller answer here.
  package static let own = ["inspect", "reboot", "break", "fault", "place", "write-firmware", "events"]
  /// All words that an order may begin with.
  package static let words = verbs + own

  /// Reads an order that simulations understand; `nil` for anything else.
  package init?(_ line: String) { self.init(line, knowing: Self.words) }
}
