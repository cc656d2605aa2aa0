import Bytes
import DictofunProtocol
import HostStack

/// Watches the battery of the recorder: which level was read last, whether it is low, and when it is read again.
struct BatteryWatch {
  /// The meaning of a value of the Battery Level characteristic.
  enum Observation {
    /// A level in percent; whether the battery became low with it.
    case level(UInt8, becameLow: Bool)
    /// A number that is not a percentage. The published firmware shows 254 before its first measurement.
    case implausible(UInt8)
    /// A value that is not one octet, with its length.
    case malformed(Int)
  }

  /// Highest level, in percent.
  private static let fullPercent: UInt8 = 100

  /// The level that was read last on this link, in percent.
  private(set) var level: UInt8?
  private var recorder: BluetoothAddress?
  private var rule = LowBatteryRule()
  /// The periodic read that is on its way.
  private var read: ClientToken?
  private var period = ApplicationTimer(.battery)

  /// Whether the level is low; then nothing but the battery is read (requirement APP-1.3.1.3).
  var isLow: Bool { rule.isLow }
  /// Whether a periodic read is on its way.
  var isReading: Bool { read != nil }

  /// A link was made with an application, or with a bootloader, which has no battery level. A battery that was low
  /// stays low for the same recorder.
  mutating func linkMade(with identity: BluetoothAddress, isApplication: Bool) {
    level = nil
    read = nil
    if isApplication, recorder != identity { forget(recorder: identity) }
  }

  /// The recorder has another identity after pairing.
  mutating func rename(_ identity: BluetoothAddress) { recorder = identity }

  /// Forgets all observations.
  mutating func forget(recorder: BluetoothAddress? = nil) {
    self.recorder = recorder
    rule = LowBatteryRule()
  }

  /// Takes a value that was read or notified.
  mutating func observe(_ value: [UInt8]) -> Observation {
    guard value.count == BatteryLevel.length else { return .malformed(value.count) }
    level = value[0]
    guard value[0] <= Self.fullPercent else { return .implausible(value[0]) }
    let wasLow = isLow
    rule.observe(percent: value[0])
    return .level(value[0], becameLow: isLow && !wasLow)
  }

  /// A periodic read was started.
  mutating func began(_ token: ClientToken) { read = token }

  /// Takes the end of a procedure and returns whether it was the periodic read.
  mutating func ends(_ token: ClientToken) -> Bool {
    guard token == read else { return false }
    read = nil
    return true
  }

  /// Starts the timer of the next periodic read.
  mutating func schedule(after period: Duration, _ effects: inout ApplicationEffects) {
    self.period.start(period, &effects)
  }

  /// Takes a firing and returns whether the battery is to be read.
  mutating func isDue(_ token: TimerToken) -> Bool { period.takes(token) }

  /// Stops the periodic reads.
  mutating func stop(_ effects: inout ApplicationEffects) { period.stop(&effects) }
}

extension PhoneApplication {
  /// Begins to read the battery because it was requested; allowed while it is low.
  mutating func beginBatteryRead(_ effects: inout ApplicationEffects) {
    guard let link, isLinkReady, !isLinkClosing, let place = link.attributes?.batteryLevel else {
      return fail(.notConnected, &effects)
    }
    let token = run(.read(place.value), on: link, &effects)
    running?.stage = .readingBattery(token)
    allow(configuration.timeouts.attribute, &effects)
  }

  /// The read that was requested ended.
  mutating func batteryReadEnded(_ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects) {
    switch outcome {
    case .success(.value(let value)) where observeBattery(value, &effects):
      finish(.success(.battery(value[0])), &effects)
    case .success: fail(.malformedAnswer("battery level"), &effects)
    case .failure(let failure): fail(failure, &effects)
    }
  }

  /// Reads the battery that was not read when the link was prepared, because files come first.
  mutating func readBatteryAfterRequest(_ effects: inout ApplicationEffects) {
    guard configuration.policies.batteryOrder == .afterFirstRequest, !has(.skipsBatteryRead), battery.level == nil,
      !battery.isReading, let link, !isLinkClosing, let place = link.attributes?.batteryLevel
    else { return }
    battery.began(run(.read(place.value), on: link, &effects))
  }

  /// Reads the battery periodically while the link lasts.
  mutating func readBatteryPeriodically(_ effects: inout ApplicationEffects) {
    guard let link, !isLinkClosing else { return }
    let isNeglected = has(.neglectsBatteryInBackground) && !background.isForeground
    if !battery.isReading, !isNeglected, let place = link.attributes?.batteryLevel {
      battery.began(run(.read(place.value), on: link, &effects))
    }
    battery.schedule(after: configuration.timeouts.batteryPeriod, &effects)
  }

  /// A read of the battery that no operation waits for ended. The first level of a sync that asked for files before it
  /// belongs to what the sync found.
  mutating func periodicReadEnded(_ value: [UInt8], _ effects: inout ApplicationEffects) {
    guard observeBattery(value, &effects), configuration.policies.batteryOrder == .afterFirstRequest else { return }
    if running?.plan.summary.battery == nil { running?.plan.summary.battery = battery.level }
  }

  /// Takes a level that was read or notified; false when it is not one octet.
  @discardableResult
  mutating func observeBattery(_ value: [UInt8], _ effects: inout ApplicationEffects) -> Bool {
    switch battery.observe(value) {
    case .malformed(let octets):
      effects.append(.event(.protocolTrouble("battery level of \(octets) octets")))
      return false
    case .implausible(let level): effects.append(.event(.protocolTrouble("battery level of \(level) %")))
    case .level(let level, let becameLow):
      effects.append(.event(.battery(level)))
      if battery.isLow { batteryIsLow(level, isNews: becameLow, &effects) }
    }
    return true
  }

  /// Takes a value that was notified while the link is being ended. The user is told of a battery that becomes low: the
  /// recorder says so before it ends the link itself, which may cross.
  mutating func hearAtLast(
    _ attribute: AttributeHandle, _ value: ArraySlice<UInt8>, _ effects: inout ApplicationEffects
  ) {
    guard attribute == link?.attributes?.batteryLevel?.value,
      case .level(let level, becameLow: true) = battery.observe(Array(value)), !has(.hidesLowBattery)
    else { return }
    effects.append(.event(.battery(level)))
    effects.append(.event(.batteryLow(level)))
  }

  /// Whether requests go on while the battery is low.
  var ignoresLowBattery: Bool {
    configuration.policies.lowBattery == .isIgnored || has(.keepsTransferringWhileBatteryLow)
  }

  /// Tells the user, and ends what must not continue. The only way to break off a transfer is to end the link; a bootloader
  /// that was not asked for yet is not asked for.
  private mutating func batteryIsLow(_ level: UInt8, isNews: Bool, _ effects: inout ApplicationEffects) {
    if isNews || link != nil && !isLinkReady, !has(.hidesLowBattery) { effects.append(.event(.batteryLow(level))) }
    guard !ignoresLowBattery else { return }
    if case .entering(let entry) = running?.stage, !entry.hasAsked { return fail(.batteryLow(level), &effects) }
    guard let phase = exchange.phase else { return }
    switch phase {
    case _ where has(.staysInLowBatteryTransfer): fail(.batteryLow(level), &effects)
    case .settling: fail(.batteryLow(level), &effects)
    default: close(.failure(.batteryLow(level)), &effects)
    }
  }
}
