import Bench
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
    let device = try stage.device(call)
    let wanted = call.arguments[Self.voltage].millivolts
    let place = (device as? ActuatedDevice)?.place
    guard let steady = place == nil ? wanted : place?.steadyBattery(millivolts: wanted) else {
      throw ControlFailure.lacking(Lack.exactBattery(millivolts: wanted).description)
    }
    try await device.setBattery(millivolts: steady)
    return Findings()
  }
}
