import Bench
import Bytes
import DictofunProtocol
import Phone
import Recorder
import ScenarioLanguage
import Timeline
import Verdicts
import World

/// Decides whether a scenario can run on a bench, and what must be prepared for it.
///
/// Every statement of `given:` is established, or verified, or blocks the scenario. Nothing is assumed.
package struct BenchOutlook {
  let scenario: Scenario
  let target: HardwareTarget
  let sections: [Given.Section]

  /// A scenario before the recorders of a bench.
  package init(_ scenario: Scenario, on target: HardwareTarget) {
    self.scenario = scenario
    self.target = target
    sections = scenario.given.sections(of: GivenDevice.declaration)
  }

  /// The first thing that the scenario needs and the bench does not have; `nil` when the scenario can run.
  package var missingCapability: String? { lack?.description }

  /// The first thing that the bench lacks.
  var lack: Lack? {
    if phones.count > target.controllers.count { return .phones(phones.count) }
    if sections.count > max(1, target.recorders.count) { return .recorders(sections.count) }
    let air = scenario.given.sections(of: GivenAir.declaration).flatMap(\.arguments.entries)
    if !air.isEmpty { return .capability(Capabilities.medium) }
    // What only a simulated world knows never happens here, and its absence would count against the recorder.
    if let oracle = steps.lazy.compactMap(unseen).first { return .oracle(oracle) }
    if let field = unseenField { return usesSensors ? .inspection(of: field) : .capability(Capabilities.inspection) }
    for need in scenario.needs where !has(need) {
      if need == Capabilities.storage, canListRecords { continue }
      if need == Capabilities.inspection, !inspectsBesides { continue }
      if need == Capabilities.sound, !judgesSound { continue }
      if need == Capabilities.clock, canServeClock,
        !calls.contains(where: { $0.declaration.name == Drift.declaration.name })
      {
        continue
      }
      return .capability(need)
    }
    if calls.contains(where: { $0.arguments.states(CutPower.after) }) { return .cutInWrite }
    if touchesFirmware, !has(Capabilities.firmware) { return .capability(Capabilities.firmware) }
    if places.indices.contains(where: { (records(of: $0)?.count ?? 0) > 0 }), expectsRecordLengths {
      return .recordsOfExactLength
    }
    if namesMadeRecords { return .recordsOfGivenNames }
    if target.isEquipped, touchesRecords, !has(Capabilities.storage), !canListRecords {
      return .capability(Capabilities.storage)
    }
    for (section, place) in zip(sections, places) {
      for entry in section.arguments.entries {
        if let missing = missing(entry.name, section.arguments, place) { return missing }
      }
    }
    return nil
  }

  /// Whether a step states octets that an answer of the file transfer service left in an attribute: lengths are among them.
  private var readsAnswers: Bool {
    let asks = calls.contains { [Inform.declaration.name, FileSystem.declaration.name].contains($0.declaration.name) }
    return asks
      && calls.contains { $0.declaration.name == ReadAttribute.declaration.name && $0.wants(ReadAttribute.value) }
  }

  /// Whether a step states the name of a record that is made before the scenario, as a name or in octets: on a bench it has
  /// the name of another second.
  private var namesMadeRecords: Bool {
    guard places.indices.contains(where: { (records(of: $0)?.count ?? 0) > 0 }) else { return false }
    return calls.contains { call in
      // One that the recorder does not know may be called anything.
      guard call.expectedFailure == nil else { return false }
      let stated = call.arguments.entries.map(\.value)
      let compared = call.expectation.matchers.flatMap(\.comparisons).filter { $0.relation == .equal }.map(\.operand)
      return (stated + compared).contains(where: \.isRecordName)
    }
  }

  /// Whether a step compares a record, or its transcript, with the sound that was spoken; else any sound, and none, will do.
  private var judgesSound: Bool {
    calls.contains { $0.wants(Play.quality) || $0.wants(Entry.transcript) }
  }

  /// Whether a phone can set the first recorder's clock, by showing the time to which it is to be set at a meeting.
  var canServeClock: Bool {
    guard target.isEquipped, !bondedPhones.isEmpty, let first = sections.first, let place = places.first,
      !abilities(place).contains(.clock)
    else { return false }
    return BatteryLevel.percent(millivolts: first.arguments.batteryMillivolts) > LowBatteryRule.lowPercent
  }

  /// The time that the first recorder's clock is to show, and that a phone has to serve for that; `nil` for none.
  var servedClock: LocalSeconds? { canServeClock ? sections.first?.arguments[GivenDevice.clock]?.localSeconds : nil }

  /// The time that a phone shows when the first step begins.
  func clock(ofPhone index: Int) -> LocalSeconds {
    phones[index].arguments[GivenPhone.clock]?.localSeconds ?? RecorderConfiguration.defaultClock.secondsSince2000
  }

  /// Whether sensors look at the recorders.
  package var usesSensors: Bool { target.isEquipped && !places.isEmpty }

  /// What is lacking where a scenario needs a recorder that stays on for longer than real ones do.
  package var lackOfWakefulness: String {
    Lack.given(GivenDevice.declaration, field: GivenDevice.timeouts.declaration.name).description
  }

  /// Whether a step needs to hear advertising.
  var needsScanner: Bool {
    steps.contains { $0.patterns.contains { $0.declaration.sensedKind == .advertising } }
  }

  /// The first event of a step that no sensor here can tell of. Where it must not happen, its sensor must not miss it.
  private func unseen(_ step: Step) -> ObservationDeclaration? {
    let bans: [EventPattern]
    switch step.action {
    case .never(let pattern, _): bans = [pattern]
    default: bans = []
    }
    return step.patterns.first { pattern in
      guard pattern.declaration.isOracle else { return false }
      guard let kind = pattern.declaration.sensedKind, let sensor = sensor(kind), !pattern.asksMoreThanIsSensed else {
        return true
      }
      return bans.contains(pattern) && !sensor.isShowingBySilence
    }?.declaration
  }

  /// The first field of an inspection that nothing here can tell.
  private var unseenField: String? {
    let steps = steps
    return steps.indices.lazy.compactMap { position in
      guard let call = steps[position].call, call.declaration.name == Inspect.declaration.name else { return nil }
      return BenchInspection.unseenField(
        of: call, at: position, in: steps, of: scenario, tellsFirmware: places.allSatisfy(\.tellsFirmware), by: sensor)
    }.first
  }

  /// The sensor that sees a kind of fact at every recorder, and the one with the fewest abilities where they differ; `nil`
  /// where one has none.
  private func sensor(_ kind: SensedKind) -> Sensor? {
    guard usesSensors else { return nil }
    let sensors = places.map { $0.sensor(for: kind, hasScanner: target.hasScanner(besides: phones.count)) }
    guard !sensors.contains(where: { $0 == nil }) else { return nil }
    let found = sensors.compactMap { $0 }
    return found.first { !$0.isShowingBySilence } ?? found.first
  }

  /// Whether something else than the verb that inspects a recorder needs to look into it.
  private var inspectsBesides: Bool {
    calls.contains { call in
      let isLooked = call.declaration.name == Inspect.declaration.name || call.wants(Library.identical) && usesSensors
      return !isLooked
        && (call.declaration.needs.contains(Capabilities.inspection)
          || (call.expectation.matchers.map(\.field) + call.keeps.map(\.field)).contains {
            $0.capability == Capabilities.inspection
          })
    }
  }

  /// Whether a step states something that depends on how long exactly a record is.
  private var expectsRecordLengths: Bool {
    calls.flatMap(\.expectation.matchers).contains { $0.field.touches == .recordLengths }
      || readsAnswers
      || steps.flatMap(\.patterns).flatMap(\.matchers).contains { matcher in
        [Observations.octets.declaration, Observations.finishedOctets.declaration].contains(matcher.field)
          && matcher.comparisons.contains { $0.relation == .equal }
      }
  }

  var phones: [Given.Section] { scenario.given.sections(of: GivenPhone.declaration) }

  /// The phones with which the first recorder is paired when the scenario begins.
  var bondedPhones: [Int] { phones.indices.filter { phones[$0].arguments[GivenPhone.bonded] } }

  /// The phones that connect by themselves from the scenario's beginning on.
  var automaticPhones: [Int] { phones.indices.filter { phones[$0].arguments[GivenPhone.automatic] } }

  /// The records that a recorder must have, and no others; `nil` where the scenario does not care, or where nothing is
  /// known of the recorder but its radio.
  func records(of index: Int) -> (count: Int, length: Duration)? {
    guard target.isEquipped else { return nil }
    if let plan = sections[index].arguments[GivenDevice.records] { return (plan.count, plan.length) }
    return touchesRecords ? (0, .zero) : nil
  }

  private var touchesRecords: Bool {
    !automaticPhones.isEmpty || touches(.records) || calls.contains(where: BenchInspection.countsRecords)
  }

  /// Whether the outcome of any verb depends on this state.
  func touches(_ state: ProductState) -> Bool { calls.contains { $0.declaration.touches.contains(state) } }

  /// All steps, those inside of bans too.
  private var steps: [Step] { Step.flat(scenario.steps + scenario.always) }

  /// All verbs.
  var calls: [VerbCall] { steps.compactMap(\.call) }

  /// Whether a bonded phone can list the records, where they cannot be placed or erased.
  private var canListRecords: Bool { !bondedPhones.isEmpty }

  /// Whether it begins with a firmware that must be known, and may end with another.
  var touchesFirmware: Bool {
    touches(.firmware) || phones.contains { !$0.arguments[GivenPhone.feed].isEmpty }
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

  func isMechanical(_ ability: Ability, _ place: RecorderPlace) -> Bool {
    abilities(place).contains(ability) && !place.isByHand(ability)
  }

  var places: [RecorderPlace] { Array(target.recorders.prefix(sections.count)) }

  func abilities(_ place: RecorderPlace) -> [Ability] {
    place.abilities(isAttended: target.attended != nil)
  }

  private func has(_ capability: Capability) -> Bool {
    !places.isEmpty && places.allSatisfy { abilities($0).contains { $0.capabilityOfScenarios == capability } }
  }

  /// The thing that a bench does not have for a stated field; `nil` when the field can be established or verified.
  private func missing(_ field: String, _ arguments: Arguments, _ place: RecorderPlace) -> Lack? {
    let ability: Ability
    let able = abilities(place)
    switch field {
    case GivenDevice.power.declaration.name: ability = .rail
    case GivenDevice.battery.declaration.name, GivenDevice.voltage.declaration.name:
      // What cannot be set can be read.
      guard able.contains(.battery) else { return nil }
      ability = .battery
    // A real recorder switches itself off by its own rules; one that must stay on is watched.
    case GivenDevice.timeouts.declaration.name:
      return arguments[GivenDevice.timeouts] == .field || sensor(.power) != nil
        ? nil : .given(GivenDevice.declaration, field: field)
    case GivenDevice.clock.declaration.name:
      if servedClock != nil { return nil }
      ability = .clock
    case GivenDevice.records.declaration.name:
      guard let plan = arguments[GivenDevice.records], plan.canBeMade else {
        return .recordsOfThatKind
      }
      if !able.contains(.storage) { return nil }
      // Records are made with the button.
      ability = plan.count > 0 ? .button : .storage
    case GivenDevice.address.declaration.name:
      return arguments[GivenDevice.address] == place.address ? nil : .recorderWithAddress
    default: return .given(GivenDevice.declaration, field: field)
    }
    guard able.contains(ability) else { return .capability(ability.capabilityOfScenarios) }
    if ability == .battery, let supply = place.supply, !place.isByHand(.battery) {
      let wanted = arguments.batteryMillivolts
      guard let steady = place.steadyBattery(millivolts: wanted) else { return .exactBattery(millivolts: wanted) }
      if supply.terminalVoltage(reported: steady) == nil { return .battery(millivolts: wanted) }
    }
    return nil
  }
}

extension Value {
  /// Whether it is a record's name, or octets with one in it.
  fileprivate var isRecordName: Bool {
    switch self {
    case .record: true
    case .octets(let octets): Self.holdsName(octets.bytes)
    case .list(let items): items.contains(where: \.isRecordName)
    case .group(let arguments): arguments.entries.map(\.value).contains(where: \.isRecordName)
    default: false
    }
  }

  /// Whether sixteen decimal digits stand one after another in octets.
  private static func holdsName(_ octets: [UInt8]) -> Bool {
    var digits = 0
    for octet in octets {
      digits = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) ? digits + 1 : 0
      if digits == 16 { return true }
    }
    return false
  }
}
