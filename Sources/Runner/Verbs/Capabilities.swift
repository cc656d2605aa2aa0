import Bench
import ScenarioLanguage

/// What a target may have or lack. A simulated world has all of it.
enum Capabilities {
  static let button = Capability(.actuators, "button", "The recorder's button can be pressed and let go.")
  static let battery = Capability(.actuators, "battery", "The voltage at the recorder's battery can be set.")
  static let rail = Capability(.actuators, "rail", "The recorder's supply can be held and taken away.")
  static let clock = Capability(.actuators, "clock", "The recorder's clock can be set by other ways than its radio.")
  static let storage = Capability(.actuators, "storage", "What the recorder stores can be placed and erased.")
  static let bonds = Capability(
    .actuators, "bonds", "The recorder's bonds can be made before a scenario begins, and erased.")
  static let firmware = Capability(
    .actuators, "firmware", "The recorder's bootloader and application can be written without its radio.")
  static let inspection = Capability(.sensors, "inspection", "The recorder can be looked at from inside.")
  static let medium = Capability(.actuators, "medium", "Packets can be lost, and distances changed, at will.")
  static let adapter = Capability(.actuators, "adapter", "The phone's adapter can be unplugged and plugged in.")
  static let sound = Capability(.actuators, "sound", "The recorder's microphone hears a given sound.")

  /// All of them, in the order of the reference.
  static let all = [button, battery, rail, clock, storage, bonds, firmware, inspection, medium, adapter, sound]
}

extension Ability {
  /// The ability in the words of scenarios.
  var capabilityOfScenarios: Capability {
    switch self {
    case .button: Capabilities.button
    case .rail: Capabilities.rail
    case .battery: Capabilities.battery
    case .clock: Capabilities.clock
    case .storage: Capabilities.storage
    case .bonds: Capabilities.bonds
    case .firmware: Capabilities.firmware
    }
  }
}
