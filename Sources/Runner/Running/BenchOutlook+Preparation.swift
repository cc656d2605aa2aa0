import Bench
import DictofunProtocol
import Phone
import ScenarioLanguage
import Timeline
import World

/// What is done to recorders before a scenario begins, by whom, and how long that takes.
extension BenchOutlook {
  /// How long it takes to bring the recorders into the state that the scenario begins with, roughly.
  package var preparation: Duration {
    var time = Self.bonding * bondedPhones.count
    if case .made(let records) = beginning(at: 0), records.count > 0 { time += Stage.meeting * bondedPhones.count }
    for index in places.indices {
      guard let records = records(of: index) else { continue }
      time += Self.making(records)
    }
    return time + looking
  }

  /// What is made for the scenario on the first recorder, and what its steps leave of it, as `watcher` saw them.
  package func records(seenBy watcher: RecordWatcher) -> RecordForecast {
    let begins = clock(ofPhone: bondedPhones.first ?? 0)
    return RecordForecast(
      beginning: beginning(at: begins), begins: begins,
      leavesThem: !watcher.hasChanges && !calls.contains { $0.wants(Inspect.clockError) },
      cost: recordsOfFirst.map { Self.making($0) - Self.listing } ?? .zero)
  }

  private func beginning(at begins: LocalSeconds) -> RecordForecast.Beginning {
    guard let records = recordsOfFirst else { return .asFound }
    let (before, after) = preparations(of: 0)
    if after.contains(.eraseRecords) {
      return .made(MadeRecords(count: records.count, length: records.length, span: (begins - 1)...(begins - 1)))
    }
    return !before.contains(.eraseRecords) ? .asFound : records.count == 0 ? .erased : .filled
  }

  private var recordsOfFirst: (count: Int, length: Duration)? { places.isEmpty ? nil : records(of: 0) }

  /// A watcher for the simulated steps of the scenario.
  package var recordWatcher: RecordWatcher { RecordWatcher(count: recordsOfFirst?.count ?? 1) }

  private static func making(_ records: (count: Int, length: Duration)) -> Duration {
    erasing + (records.length + betweenRecords) * records.count + (records.count > 0 ? listing : .zero)
  }

  /// How long the steps take longer than in a simulated world, because something is looked at or a time is served.
  private var looking: Duration {
    var time = servedClock == nil ? .zero : Self.meeting
    for call in calls where usesSensors {
      if call.wants(Inspect.clockError) { time += Self.measuringClock }
      if call.wants(Library.identical) {
        time += Self.listing + Self.fetching * (recordsOfFirst?.count ?? 0)
      }
      if BenchInspection.countsRecords(call) || call.wants(Inspect.bonds) { time += Self.listing }
      if call.declaration.name == SetDeviceClock.declaration.name, canServeClock { time += Self.meeting }
    }
    return time
  }

  /// Two boots and a chip that is empty already; one that is full takes a minute more.
  private static let erasing = Duration.seconds(7)
  private static let bonding = Duration.seconds(3)
  private static let meeting = Duration.milliseconds(3_500)
  private static let listing = Duration.seconds(1)
  private static let fetching = Duration.seconds(1)
  private static let measuringClock = Duration.seconds(10)
  private static let betweenRecords = Duration.milliseconds(1_300)

  /// How often the operator is asked.
  package var prompts: Int {
    let given = places.indices.reduce(0) { count, index in
      let (before, after) = preparations(of: index)
      return count + [before, after].flatMap(places[index].parts).count { if case .asked = $0 { true } else { false } }
    }
    let asked = calls.reduce(0) { count, call in
      let index = sections.firstIndex { $0.name == call.performer } ?? 0
      guard places.indices.contains(index) else { return count }
      return count
        + call.declaration.actuates.compactMap(\.purpose).count { places[index].asks(for: $0) }
    }
    // What several recorders need before anything else is one prompt.
    let first = places.indices.count { index in
      if case .asked? = places[index].parts(preparations(of: index).before).first { true } else { false }
    }
    return given + asked - max(0, first - 1)
  }

  /// What is done to a recorder before phones are paired with it, and what after that, so that an operator is asked as
  /// rarely as the order allows.
  func preparations(of index: Int) -> (before: [Preparation], after: [Preparation]) {
    let wishes = wishes(of: index).map { Preparation.wish($0) }
    let firmware = touchesFirmware ? [Preparation.wish(.firmware)] : []
    // Records that nothing erases are counted later.
    let records = verifications(of: index).records == nil ? records(of: index) : nil
    let isBonded = index == 0 && !bondedPhones.isEmpty
    let isStrange = index == 0 && !isBonded && meetsStrangers && isMechanical(.bonds, places[index])
    guard isBonded || records != nil || isStrange else { return (firmware + wishes, []) }
    var making: [Preparation] = []
    if let records {
      making.append(.eraseRecords)
      if records.count > 0 { making.append(.makeRecords(count: records.count, length: records.length)) }
    }
    if isBonded || isStrange { making.append(.forgetBonds) }
    // The state that the scenario begins with comes first where it is one to be paired and filled in.
    let areRecordsByHand = (records?.count ?? 0) == 0 || places[index].isByHand(.button)
    if areRecordsByHand && canBePaired(index) { return (firmware + wishes + making, []) }
    let working = working(index).map { Preparation.wish($0) }
    if isBonded, !making.contains(where: places[index].isByHand) {
      // Records are named after the clock, which the first meeting sets.
      return (firmware + working + [.forgetBonds], making.filter { $0 != .forgetBonds } + wishes)
    }
    let begun = firmware + working + making
    return isBonded ? (begun, wishes) : (begun + wishes, [])
  }

  /// Whether a phone without a bond meets the recorder, which may have an owner from the scenario before.
  private var meetsStrangers: Bool {
    calls.contains { $0.declaration.actor == .phone && $0.declaration.name != Scan.declaration.name }
      || calls.contains(where: BenchInspection.countsRecords)
  }

  /// The states that `given:` wants of a recorder.
  private func wishes(of index: Int) -> [Wish] {
    guard places.indices.contains(index) else { return [] }
    let (arguments, place) = (sections[index].arguments, places[index])
    var wishes: [Wish] = []
    let isStated = arguments.states(GivenDevice.voltage) || arguments.states(GivenDevice.battery)
    // A supply may still have what the last scenario left there; an operator is not asked for what nobody stated.
    if isStated || isMechanical(.battery, place) {
      let stated = arguments.batteryMillivolts
      wishes.append(.battery(millivolts: isStated ? place.steadyBattery(millivolts: stated) ?? stated : stated))
    }
    if let clock = arguments[GivenDevice.clock], index > 0 || servedClock == nil {
      wishes.append(.clock(clock.localSeconds))
    }
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

  /// Whether an operator wakes the recorder into a state in which a phone pairs with it: with a battery that is not low.
  private func canBePaired(_ index: Int) -> Bool {
    let arguments = sections[index].arguments
    let level = BatteryLevel.percent(millivolts: arguments.batteryMillivolts)
    let isAwake = places[index].isByHand(.rail) && wishes(of: index).contains(.power(true))
    // A phone that meets the recorder sets its clock.
    return isAwake && level > LowBatteryRule.lowPercent && arguments[GivenDevice.clock] == nil
  }
}
