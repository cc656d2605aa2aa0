import ScenarioLanguage
import World

/// `- device: {battery: 3.05 V}`
enum Battery: Verb {
  static let voltage = Field<Voltage>(
    "voltage", "Voltage that the recorder reports: about 0.917 of the one at its terminals."
  ).limited(to: GivenDevice.voltages)

  static let declaration = VerbDeclaration(
    "battery", of: .device, "Changes the voltage of the recorder's battery.", shorthand: voltage,
    needs: [Capabilities.battery], actuates: [.recorder(.setBattery)], example: "- device: {battery: 3.05 V}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    try await stage.device(call).setBattery(millivolts: call.arguments[Self.voltage].millivolts)
    return Findings()
  }
}
