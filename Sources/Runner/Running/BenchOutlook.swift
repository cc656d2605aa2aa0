import Bench
import Phone
import ScenarioLanguage
import Timeline
import World

/// What a bench can make of a scenario: whether it can run there, and what it takes.
///
/// What `given:` states is established, or verified, or it blocks the scenario; nothing is assumed.
public struct BenchOutlook {
  private let scenario: Scenario
  private let target: HardwareTarget
  private let sections: [Given.Section]

  /// A scenario before the recorders of a bench.
  public init(_ scenario: Scenario, on target: HardwareTarget) {
    self.scenario = scenario
    self.target = target
    sections = scenario.given.sections(of: GivenDevice.declaration)
  }

  /// What the bench lacks of what the scenario needs; `nil` when it can run.
  public var missingCapability: String? {
    let phones = scenario.given.sections(of: GivenPhone.declaration).count
    if phones > 1 { return "\(phones) phones" }
    if sections.count > max(1, target.recorders.count) { return "\(sections.count) recorders" }
    let air = scenario.given.sections(of: GivenAir.declaration).flatMap(\.arguments.entries)
    if !air.isEmpty { return Capabilities.medium.description }
    for need in scenario.needs where !has(need.description) { return need.description }
    for (section, place) in zip(sections, places) {
      for entry in section.arguments.entries {
        if let missing = missing(entry.name, section.arguments, place) { return missing }
      }
    }
    return nil
  }

  /// How often the operator is asked.
  public var prompts: Int {
    let byHand = Set(Ability.allCases.filter { ability in places.contains { $0.isByHand(ability) } }.map(\.capability))
    let first = wishes.contains { wishes in wishes.contains { byHand.contains($0.ability.capability) } } ? 1 : 0
    return first
      + Self.calls(scenario.steps + scenario.always).count { call in
        // Letting the button go is said, not asked.
        call.declaration.name != Release.declaration.name
          && call.declaration.needs.contains { byHand.contains($0.description) }
      }
  }

  /// The states that `given:` wants, for every recorder of the scenario.
  var wishes: [[Wish]] {
    zip(sections, places).map { section, place in
      let arguments = section.arguments
      let isAwake = arguments[GivenDevice.power] == .on
      var wishes: [Wish] = []
      let isStated = arguments.states(GivenDevice.voltage) || arguments.states(GivenDevice.battery)
      // A supply may still have what the last scenario left there; an operator is not asked for what nobody stated.
      if isStated || (abilities(place).contains(.battery) && !place.isByHand(.battery)) {
        wishes.append(.battery(millivolts: arguments.batteryMillivolts))
      }
      if let clock = arguments[GivenDevice.clock] { wishes.append(.clock(clock.localSeconds)) }
      // Most real recorders are off most of the time, so one that can be woken is.
      if abilities(place).contains(.rail) { wishes.append(.power(isAwake)) }
      return wishes
    }
  }

  private var places: [RecorderPlace] { Array(target.recorders.prefix(sections.count)) }

  private func abilities(_ place: RecorderPlace) -> [Ability] {
    place.abilities(isAttended: target.attended != nil)
  }

  private func has(_ capability: String) -> Bool {
    !places.isEmpty && places.allSatisfy { abilities($0).map(\.capability).contains(capability) }
  }

  /// What a stated field lacks on a bench; `nil` when it can be established or verified.
  private func missing(_ field: String, _ arguments: Arguments, _ place: RecorderPlace) -> String? {
    let ability: Ability
    switch field {
    case GivenDevice.power.declaration.name: ability = .rail
    case GivenDevice.battery.declaration.name, GivenDevice.voltage.declaration.name: ability = .battery
    case GivenDevice.clock.declaration.name: ability = .clock
    case GivenDevice.address.declaration.name:
      return arguments[GivenDevice.address] == place.address ? nil : "the recorder with the address of `given`"
    default: return "given device \(field)"
    }
    guard abilities(place).contains(ability) else { return ability.capability }
    if ability == .battery, let supply = place.supply, !place.isByHand(.battery),
      supply.terminalVoltage(reported: arguments.batteryMillivolts) == nil
    {
      return "\(ability.capability) of \(arguments.batteryMillivolts) mV"
    }
    return nil
  }

  /// All verbs, those inside of bans too.
  private static func calls(_ steps: [Step]) -> [VerbCall] {
    steps.flatMap { step -> [VerbCall] in
      switch step.action {
      case .perform(let call): [call]
      case .never(_, .during(let steps)): calls(steps)
      default: []
      }
    }
  }
}

extension Stage {
  /// Brings real recorders into the state with which the scenario begins.
  ///
  /// - Throws: ``ControlFailure`` where the bench fails or lacks something; never the device's failure.
  func establish(_ scenario: Scenario, on target: HardwareTarget) async throws(ControlFailure) {
    let outlook = BenchOutlook(scenario, on: target)
    let isBonded = scenario.given.sections(of: GivenPhone.declaration)[0].arguments[GivenPhone.bonded]
    for (index, (device, wishes)) in zip(devices, outlook.wishes).enumerated() {
      guard let device = device as? ActuatedDevice else { continue }
      try await device.identify()
      guard isBonded, index == 0 else {
        try await device.establish(wishes)
        continue
      }
      // Only a recorder that is awake can be paired.
      try await device.establish(wishes.map { $0 == .power(false) ? .power(true) : $0 })
      try await bond()
      if wishes.contains(.power(false)) { try await device.establish([.power(false)]) }
    }
  }

  /// Pairs the phone with the first recorder, which forgets whoever was there before.
  private func bond() async throws(ControlFailure) {
    guard let phone = phones.first, let device = devices.first else { return }
    try await device.forgetBonds()
    for operation in [PhoneOperation.connect(.address(device.address)), .pair, .disconnect] {
      if case .failure(let failure) = try await phone.perform(operation) {
        throw .bench(
          "phone and recorder could not be paired before the scenario (\(VerbFailure(failure))): "
            + "check that the recorder is awake and in range")
      }
    }
  }
}
