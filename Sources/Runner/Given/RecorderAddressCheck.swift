import Bytes
import ScenarioLanguage

/// Whether recorders can have the addresses that `given:` states: static random ones (Core Specification Vol 6, Part B,
/// 1.3.2.1), each another. With any other the first pairing would fail, and the recorder be blamed for it.
enum RecorderAddressCheck {
  static func problems(of scenario: Scenario) -> [Diagnostic] {
    var owners: [BluetoothAddress: String] = [:]
    return scenario.given.sections(of: GivenDevice.declaration).compactMap { section in
      guard let address = section.arguments[GivenDevice.address],
        let place = section.arguments.location(of: GivenDevice.address)
      else { return nil }
      guard address.isStaticRandom, address.canBeIdentity else {
        let nearest = BluetoothAddress(address.value | 0xC000_0000_0000, .random)
        return Diagnostic(
          at: place, "a recorder cannot have the address `\(Value.address(address))`",
          expected: "a static random address: C0 to FF first, and not all other bits alike",
          suggestion: nearest.canBeIdentity ? "\(nearest)" : nil)
      }
      if let owner = owners.updateValue(section.name, forKey: address) {
        return Diagnostic(
          at: place, "`\(section.name)` has the address of `\(owner)`", expected: "another address for each recorder")
      }
      return nil
    }
  }
}
