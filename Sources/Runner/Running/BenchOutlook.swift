import Bench
import DictofunProtocol
import Phone
import ScenarioLanguage
import Timeline
import Verdicts
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
    if phones.count > target.controllers.count { return "\(phones.count) phones" }
    if sections.count > max(1, target.recorders.count) { return "\(sections.count) recorders" }
    let air = scenario.given.sections(of: GivenAir.declaration).flatMap(\.arguments.entries)
    if !air.isEmpty { return Capabilities.medium.description }
    // What only a simulated world knows would never happen here, and its absence would speak against the recorder.
    let steps = scenario.steps + scenario.always
    if let oracle = Self.patterns(steps).first(where: \.isOracle) { return "sensors: \(oracle.name)" }
    let expected = Self.calls(steps).flatMap(\.expectation.matchers).map(\.field)
    for need in scenario.needs where !has(need.description) {
      if need.description == Ability.storage.capability, canListRecords { continue }
      return need.description
    }
    if touchesFirmware, !has(Ability.firmware.capability) { return Ability.firmware.capability }
    if places.indices.contains(where: { (records(of: $0)?.count ?? 0) > 0 }),
      expected.contains(where: { Self.sizes.contains($0.name) })
    {
      return "records of an exact length"
    }
    if target.isEquipped, touchesRecords, !has(Ability.storage.capability), !canListRecords {
      return Ability.storage.capability
    }
    for (section, place) in zip(sections, places) {
      for entry in section.arguments.entries {
        if let missing = missing(entry.name, section.arguments, place) { return missing }
      }
    }
    return nil
  }

  /// What depends on how long exactly a record is, which nobody can say of one that was made with the button.
  private static let sizes = [Inform.size, FileSystem.occupied, FileSystem.free].map(\.declaration.name)

  /// How long it takes to bring the recorders into the state that the scenario begins with, roughly.
  public var preparation: Duration {
    var time = Self.bonding * bondedPhones.count
    for index in places.indices {
      guard let records = records(of: index) else { continue }
      time += Self.erasing + (records.length + Self.betweenRecords) * records.count
    }
    return time
  }

  /// Two boots and a chip that is empty already; one that is full takes a minute more.
  private static let erasing = Duration.seconds(7)
  private static let bonding = Duration.seconds(3)
  private static let betweenRecords = Duration.milliseconds(1_300)

  /// How often the operator is asked.
  public var prompts: Int {
    let given = places.indices.reduce(0) { count, index in
      let (before, after) = preparations(of: index)
      return count + [before, after].flatMap(places[index].parts).count { if case .asked = $0 { true } else { false } }
    }
    let steps = Self.calls(scenario.steps + scenario.always).count { call in
      guard let purpose = Self.purposes.first(where: { $0.verb == call.declaration })?.purpose else { return false }
      let index = sections.firstIndex { $0.name == call.performer } ?? 0
      return places.indices.contains(index) && places[index].asks(for: purpose)
    }
    return given + steps
  }

  private static let purposes: [(verb: VerbDeclaration, purpose: CommandPlan.Purpose)] = [
    (Press.declaration, .press), (Hold.declaration, .press), (PowerOn.declaration, .powerOn),
    (CutPower.declaration, .cutPower), (Battery.declaration, .setBattery), (SetDeviceClock.declaration, .setClock),
    (ForgetBonds.declaration, .forgetBonds),
  ]

  /// What is done to a recorder before phones are paired with it, and what after that, so that an operator is asked as
  /// rarely as the order allows.
  func preparations(of index: Int) -> (before: [Preparation], after: [Preparation]) {
    let wishes = wishes(of: index).map { Preparation.wish($0) }
    let firmware = touchesFirmware ? [Preparation.wish(.firmware)] : []
    // Records that nothing erases are counted later.
    let records = verifications(of: index).records == nil ? records(of: index) : nil
    let isBonded = index == 0 && !bondedPhones.isEmpty
    guard isBonded || records != nil else { return (firmware + wishes, []) }
    var making: [Preparation] = []
    if let records {
      making.append(.eraseRecords)
      if records.count > 0 { making.append(.makeRecords(count: records.count, length: records.length)) }
    }
    if isBonded { making.append(.forgetBonds) }
    // The state that the scenario begins with comes first where it is one to be paired and filled in.
    let areRecordsByHand = (records?.count ?? 0) == 0 || places[index].isByHand(.button)
    if areRecordsByHand && canBePaired(index) { return (firmware + wishes + making, []) }
    let working = working(index).map { Preparation.wish($0) }
    let begun = firmware + working + making
    return isBonded ? (begun, wishes) : (begun + wishes, [])
  }

  private var phones: [Given.Section] { scenario.given.sections(of: GivenPhone.declaration) }

  /// The phones with which the first recorder is paired when the scenario begins.
  var bondedPhones: [Int] { phones.indices.filter { phones[$0].arguments[GivenPhone.bonded] } }

  /// The phones that connect by themselves from the scenario's beginning on.
  var automaticPhones: [Int] { phones.indices.filter { phones[$0].arguments[GivenPhone.automatic] } }

  /// The states that `given:` wants of a recorder.
  private func wishes(of index: Int) -> [Wish] {
    guard places.indices.contains(index) else { return [] }
    let (arguments, place) = (sections[index].arguments, places[index])
    var wishes: [Wish] = []
    let isStated = arguments.states(GivenDevice.voltage) || arguments.states(GivenDevice.battery)
    // A supply may still have what the last scenario left there; an operator is not asked for what nobody stated.
    if isStated || isMechanical(.battery, place) {
      wishes.append(.battery(millivolts: arguments.batteryMillivolts))
    }
    if let clock = arguments[GivenDevice.clock] { wishes.append(.clock(clock.localSeconds)) }
    // Most real recorders are off most of the time, so one that can be woken is.
    if abilities(place).contains(.rail) { wishes.append(.power(arguments[GivenDevice.power] == .on)) }
    return wishes
  }

  /// The state in which a recorder can be paired and filled: awake, with a good battery.
  private func working(_ index: Int) -> [Wish] {
    let place = places[index]
    var wishes: [Wish] = []
    if isMechanical(.battery, place) { wishes.append(.battery(millivolts: Arguments().batteryMillivolts)) }
    if abilities(place).contains(.rail) { wishes.append(.power(true)) }
    return wishes
  }

  /// The records that a recorder must have, and no others; `nil` where the scenario does not care, or where nothing is
  /// known of the recorder but its radio.
  func records(of index: Int) -> (count: Int, length: Duration)? {
    guard target.isEquipped else { return nil }
    if let plan = sections[index].arguments[GivenDevice.records] { return (plan.count, plan.length) }
    return touchesRecords ? (0, .zero) : nil
  }

  /// Verbs whose outcome depends on what the recorder stores.
  private static let recordVerbs = [
    Sync.declaration, List.declaration, Inform.declaration, Download.declaration, Delete.declaration, Show.declaration,
    Play.declaration, Library.declaration, FileSystem.declaration, WriteControlPoint.declaration,
  ]

  private var touchesRecords: Bool {
    let steps = scenario.steps + scenario.always
    return !automaticPhones.isEmpty || Self.calls(steps).contains { Self.recordVerbs.contains($0.declaration) }
  }

  /// Whether a phone with a bond can look what is stored, where nothing can be stored or erased.
  private var canListRecords: Bool { !bondedPhones.isEmpty }

  /// Verbs whose outcome depends on the recorder's bootloader and on which firmware is installed.
  private static let firmwareVerbs = [
    Update.declaration, LookForFirmware.declaration, Publish.declaration, AnswerOffer.declaration,
    Versions.declaration, EnterBootloader.declaration, AskApplication.declaration, ConnectBootloader.declaration,
    AskBootloader.declaration, SendToBootloader.declaration,
  ]

  /// Whether it begins with a firmware that must be known, and may end with another.
  var touchesFirmware: Bool {
    Self.calls(scenario.steps + scenario.always).contains { Self.firmwareVerbs.contains($0.declaration) }
      || phones.contains { !$0.arguments[GivenPhone.feed].isEmpty }
  }

  /// What has to be found as it is, since nothing here can bring it about: the battery's level in percent, the number of
  /// records, and whether the recorder is awake.
  func verifications(of index: Int) -> (battery: UInt8?, records: Int?, isAwake: Bool) {
    guard target.isEquipped, places.indices.contains(index) else { return (nil, nil, false) }
    let (arguments, able) = (sections[index].arguments, abilities(places[index]))
    let isStated = arguments.states(GivenDevice.voltage) || arguments.states(GivenDevice.battery)
    let level = BatteryLevel.percent(millivolts: arguments.batteryMillivolts)
    return (
      isStated && !able.contains(.battery) ? level : nil,
      able.contains(.storage) ? nil : records(of: index)?.count,
      arguments[GivenDevice.power] == .on && !able.contains(.rail)
    )
  }

  /// Whether an operator wakes the recorder into a state in which a phone pairs with it: with a battery that is not low.
  private func canBePaired(_ index: Int) -> Bool {
    let arguments = sections[index].arguments
    let level = BatteryLevel.percent(millivolts: arguments.batteryMillivolts)
    let isAwake = places[index].isByHand(.rail) && wishes(of: index).contains(.power(true))
    // A phone that meets the recorder sets its clock.
    return isAwake && level > LowBatteryRule.lowPercent && arguments[GivenDevice.clock] == nil
  }

  private func isMechanical(_ ability: Ability, _ place: RecorderPlace) -> Bool {
    abilities(place).contains(ability) && !place.isByHand(ability)
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
    let able = abilities(place)
    switch field {
    case GivenDevice.power.declaration.name: ability = .rail
    case GivenDevice.battery.declaration.name, GivenDevice.voltage.declaration.name:
      // What cannot be set can be read.
      guard able.contains(.battery) else { return nil }
      ability = .battery
    case GivenDevice.clock.declaration.name: ability = .clock
    case GivenDevice.records.declaration.name:
      guard let plan = arguments[GivenDevice.records], plan.canBeMade else {
        return "given device records of that kind"
      }
      if !able.contains(.storage) { return nil }
      // Records are made with the button.
      ability = plan.count > 0 ? .button : .storage
    case GivenDevice.address.declaration.name:
      return arguments[GivenDevice.address] == place.address ? nil : "the recorder with the address of `given`"
    default: return "given device \(field)"
    }
    guard able.contains(ability) else { return ability.capability }
    if ability == .battery, let supply = place.supply, !place.isByHand(.battery),
      supply.terminalVoltage(reported: arguments.batteryMillivolts) == nil
    {
      return "\(ability.capability) of \(arguments.batteryMillivolts) mV"
    }
    return nil
  }

  /// All events that steps wait for or forbid.
  private static func patterns(_ steps: [Step]) -> [ObservationDeclaration] {
    steps.flatMap { step -> [ObservationDeclaration] in
      switch step.action {
      case .eventually(let pattern, _), .never(let pattern, .duration): [pattern.declaration]
      case .never(let pattern, .until(let end, _)): [pattern.declaration, end.declaration]
      case .never(let pattern, .during(let steps)): [pattern.declaration] + patterns(steps)
      default: []
      }
    }
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

extension StageSet {
  /// What the operator was asked for.
  var prompts: [OperatorPrompt] {
    devices.compactMap { $0 as? ActuatedDevice }.flatMap(\.prompts).map { prompt in
      OperatorPrompt(prompt.text, asked: prompt.asked, answered: prompt.answered, answer: prompt.answer)
    }
  }

  /// Gives controllers back, so that the next scenario can have them.
  func giveControllersBack() {
    for case let phone as SimulatedPhone in phones { phone.retire() }
    for case let device as SimulatedDevice in devices { device.retire() }
  }
}

extension Stage {
  /// Brings real recorders into the state with which the scenario begins.
  ///
  /// - Throws: ``ControlFailure`` where the bench fails or lacks something; never the device's failure.
  func establish(_ scenario: Scenario, on target: HardwareTarget) async throws(ControlFailure) {
    let outlook = BenchOutlook(scenario, on: target)
    for (index, device) in devices.enumerated() {
      guard let device = device as? ActuatedDevice else { continue }
      try await device.identify()
      let (before, after) = outlook.preparations(of: index)
      let found = outlook.verifications(of: index)
      let bonded = index == 0 ? outlook.bondedPhones : []
      try await device.perform(before)
      if found.isAwake { try await verifyAwake(device) }
      for phone in bonded { try await bond(phones[phone], with: device) }
      if let count = found.records, let phone = bonded.first { try await verify(count, on: device, by: phones[phone]) }
      if !after.isEmpty { try await device.perform(after) }
      if let level = found.battery { try await verify(level, of: device) }
    }
    for index in outlook.automaticPhones { (phones[index] as? SimulatedPhone)?.setAutomatic(true) }
  }

  /// Pairs a phone with a recorder.
  private func bond(_ phone: any PhoneControl, with device: ActuatedDevice) async throws(ControlFailure) {
    for operation in [PhoneOperation.connect(.address(device.address)), .pair, .disconnect] {
      if case .failure(let failure) = try await phone.perform(operation) {
        throw .bench(
          "phone and recorder could not be paired before the scenario (\(VerbFailure(failure)))",
            advice: "check that the recorder is awake and in range")
      }
    }
    // The application begins the scenario as it would with a bond made long ago.
    try await phone.restart()
  }
}
