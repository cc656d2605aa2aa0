import Bench
import Phone
import Timeline
import World

/// Verifies by radio what no instrument of the bench can establish. A different state blocks the scenario.
extension Stage {
  /// Six advertisements, with one that is lost.
  private static let look = Duration.seconds(1)
  /// How often it is looked for: a connection that was cut off, as by an adapter that was unplugged, keeps a recorder from
  /// advertising until its supervision time-out, which is four seconds with our phone.
  private static let looks = 6

  /// The recorder must be heard.
  func verifyAwake(_ device: ActuatedDevice) async throws(ControlFailure) {
    for _ in 0..<Self.looks {
      guard case .success(.recorders(let seen)) = try await phones[0].perform(.scan(Self.look)) else {
        throw .bench("the phone cannot listen for \(device.address)")
      }
      if seen.contains(where: { $0.address == device.address && !$0.isBootloader }) { return }
    }
    throw Self.blocked(.rail, found: "nothing of \(device.address) on the air", wanted: "it awake")
  }

  /// The battery's level must be the step of the recorder's curve that the scenario wants, in percent.
  func verify(_ level: UInt8, of device: ActuatedDevice) async throws(ControlFailure) {
    let found = try await asking(phones[0], device, .readBattery) { result in
      if case .battery(let found) = result { found } else { nil }
    }
    if found != level { throw Self.blocked(.battery, found: "\(found) %", wanted: "\(level) %") }
  }

  /// Checks that the recorder lists this many records to a paired phone.
  func verify(_ count: Int, on device: ActuatedDevice, by phone: any PhoneControl) async throws(ControlFailure) {
    let found = try await listedNames(by: device, to: phone).count
    if found != count { throw Self.blocked(.storage, found: "\(found) records", wanted: "\(count)") }
  }

  /// The names that a recorder lists to a paired phone, over a connection of its own.
  func listedNames(by device: ActuatedDevice, to phone: any PhoneControl) async throws(ControlFailure) -> [String] {
    try await asking(phone, device, .list) { result in
      if case .records(let names) = result { names } else { nil }
    }
  }

  private func asking<Value>(
    _ phone: any PhoneControl, _ device: ActuatedDevice, _ question: PhoneOperation,
    _ answer: (PhoneResult) -> Value?
  ) async throws(ControlFailure) -> Value {
    var value: Value?
    for operation in [PhoneOperation.connect(.address(device.address)), question, .disconnect] {
      switch try await phone.perform(operation) {
      case .success(let result): value = answer(result) ?? value
      case .failure(let failure):
        throw .bench(
          "the state of \(device.address) could not be looked up (\(VerbFailure(failure)))",
          advice: "check that the recorder is awake and in range")
      }
    }
    guard let value else { throw .bench("the state of \(device.address) could not be looked up") }
    // The application begins the scenario without this connection.
    try await phone.restart()
    return value
  }

  private static func blocked(_ ability: Ability, found: String, wanted: String) -> ControlFailure {
    .lacking("\(ability.capability) (found \(found), wanted \(wanted))")
  }
}
