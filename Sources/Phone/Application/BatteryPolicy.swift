import Bytes
import DictofunProtocol
import HostStack

/// What is known of a recorder's battery.
struct BatteryObservation {
  /// Whose battery it is.
  var recorder: BluetoothAddress?
  private var rule = LowBatteryRule()

  init(recorder: BluetoothAddress? = nil) { self.recorder = recorder }

  /// Whether the level is low; then nothing but the battery is asked for (requirement APP-1.3.1.3).
  var isLow: Bool { rule.isLow }

  /// Takes a level in percent.
  mutating func observe(_ percent: UInt8) { rule.observe(percent: percent) }
}

extension PhoneApplication {
  /// Begins to read the battery because it was asked for; allowed while it is low.
  mutating func beginBatteryRead(_ effects: inout ApplicationEffects) {
    guard let link, link.isReady, !link.isClosing, let place = link.attributes?.batteryLevel else {
      return fail(.notConnected, &effects)
    }
    let token = run(.read(place.value), on: link, &effects)
    running?.stage = .readingBattery(token)
    allow(configuration.timeouts.attribute, &effects)
  }

  /// The read that was asked for ended.
  mutating func batteryReadEnded(_ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects) {
    switch outcome {
    case .success(.value(let value)) where observeBattery(value, &effects):
      finish(.success(.battery(value[0])), &effects)
    case .success: fail(.malformedAnswer("battery level"), &effects)
    case .failure(let failure): fail(failure, &effects)
    }
  }

  /// Reads the battery again and again while the link lasts.
  mutating func readBatteryPeriodically(_ effects: inout ApplicationEffects) {
    guard let link, !link.isClosing else { return }
    if link.periodicBatteryRead == nil, let place = link.attributes?.batteryLevel {
      let token = run(.read(place.value), on: link, &effects)
      self.link?.periodicBatteryRead = token
    }
    batteryPeriod.start(configuration.timeouts.batteryPeriod, &effects)
  }

  /// Takes a level that was read or notified; false when it is not one octet.
  ///
  /// The published firmware shows 254 before its first measurement: that is no percentage and judges nothing.
  @discardableResult
  mutating func observeBattery(_ value: [UInt8], _ effects: inout ApplicationEffects) -> Bool {
    guard value.count == 1 else {
      effects.append(.event(.protocolTrouble("battery level of \(value.count) octets")))
      return false
    }
    let level = value[0]
    link?.batteryLevel = level
    guard level <= 100 else {
      effects.append(.event(.protocolTrouble("battery level of \(level) %")))
      return true
    }
    let wasLow = battery.isLow
    battery.observe(level)
    effects.append(.event(.battery(level)))
    if battery.isLow { batteryIsLow(level, isNews: !wasLow, &effects) }
    return true
  }

  /// Tells the user, and ends what must not go on. A transfer cannot be broken off but by ending the link.
  private mutating func batteryIsLow(_ level: UInt8, isNews: Bool, _ effects: inout ApplicationEffects) {
    if isNews || link?.isReady == false { effects.append(.event(.batteryLow(level))) }
    guard let exchange, !has(.keepsTransferringWhileBatteryLow) else { return }
    switch exchange.phase {
    case .settling: fail(.batteryLow(level), &effects)
    case .subscribing, .asking: close(.failure(.batteryLow(level)), &effects)
    }
  }
}
