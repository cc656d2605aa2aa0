import Bench
import ScenarioLanguage

/// The capabilities that a target has or lacks. A simulated world has all of them.
public enum Capabilities {
  /// `actuators: button`
  public static let button = Capability(.actuators, "button", "The recorder's button can be pressed and released.")
  /// `actuators: battery`
  public static let battery = Capability(.actuators, "battery", "The voltage at the recorder's battery can be set.")
  /// `actuators: rail`
  public static let rail = Capability(.actuators, "rail", "The recorder's supply can be switched on and off.")
  /// `actuators: clock`
  public static let clock = Capability(.actuators, "clock", "The recorder's clock can be set without its radio.")
  /// `actuators: storage`
  public static let storage = Capability(.actuators, "storage", "Records can be placed on the recorder and erased.")
  /// `actuators: bonds`
  public static let bonds = Capability(
    .actuators, "bonds", "Bonds can be created before a scenario begins, and erased.")
  /// `actuators: firmware`
  public static let firmware = Capability(
    .actuators, "firmware", "The recorder's bootloader and application can be written without its radio.")
  /// `sensors: inspection`
  public static let inspection = Capability(.sensors, "inspection", "The recorder's internal state can be read.")
  /// `actuators: medium`
  public static let medium = Capability(.actuators, "medium", "Packets can be lost and distances changed.")
  /// `actuators: adapter`
  public static let adapter = Capability(
    .actuators, "adapter", "The phone's adapter can be unplugged and plugged in again.")
  /// `actuators: sound`
  public static let sound = Capability(.actuators, "sound", "A given sound can be played to the recorder's microphone.")

  /// All of them, in the order of the reference.
  package static let all = [button, battery, rail, clock, storage, bonds, firmware, inspection, medium, adapter, sound]
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
