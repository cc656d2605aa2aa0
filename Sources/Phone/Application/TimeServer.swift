import Bytes
import Crypto
import DictofunProtocol
import HCI
import HostStack
import Timeline

/// Serves the phone's time to the recorder, from the phone's clock.
struct TimeServer {
  /// The answer to a read while the battery is low, from the application's range (Vol 3, Part F, 3.4.1.1).
  static let refusal = ATTErrorCode(rawValue: 0x80)

  /// The phone's clock.
  var clock: PhoneClock
  private let faults: [PhoneFault]

  init(clockBase: LocalSeconds, faults: [PhoneFault]) {
    clock = PhoneClock(base: clockBase)
    self.faults = faults
  }

  /// The answer to a read.
  enum Answer {
    /// The value of Current Time, and the local time that it shows.
    case served([UInt8], LocalSeconds)
    /// An error.
    case refused(ATTErrorCode)
  }

  /// The answer to a read; `nil` where a fault leaves it unanswered.
  func answer(isBatteryLow: Bool, at now: Instant) -> Answer? {
    if faults.contains(.ignoresTimeReads) { return nil }
    guard !isBatteryLow || faults.contains(.keepsTransferringWhileBatteryLow) else { return .refused(Self.refusal) }
    var error: Int64 = 0
    for case .servesWrongTime(let seconds) in faults { error = seconds }
    return .served(clock.currentTime(at: now, error: error).encoded, clock.seconds(at: now).addingClamped(error))
  }

  /// The attributes that the phone serves.
  var database: GATTDatabase {
    var database = AttributeTable.phone.database
    guard faults.contains(.listsLocalTimeFirst) else { return database }
    let localTime = CharacteristicDefinition(
      uuid: DictofunUUID.localTimeInformation, properties: .read, reading: .encrypted, initialValue: [0, 0])
    for index in database.services.indices where database.services[index].uuid == DictofunUUID.currentTimeService {
      database.services[index].characteristics.insert(localTime, at: 0)
    }
    return database
  }
}

extension PhoneApplication {
  /// Spreads the numbers of starts over private addresses.
  private static let addressStep: UInt64 = 0x9E37_79B1

  /// The set-up of the host stack: the phone's own attributes and how it pairs.
  var hostConfiguration: HostConfiguration {
    var host = HostConfiguration(ownAddress: configuration.ownAddress, database: timeServer.database)
    host.maximumTransmissionUnit = configuration.maximumTransmissionUnit
    if let octets = configuration.resolvingKey {
      host.ownAddress = PairingToolbox.resolvablePrivateAddress(
        random: UInt32(truncatingIfNeeded: startCount &* Self.addressStep), key: Key128(littleEndian: octets))
      host.identityAddress = configuration.ownAddress
      host.identityResolvingKey = octets
    }
    host.security = configuration.security
    host.parameterUpdatePolicy = configuration.parameterUpdatePolicy
    host.pairingPolicy = .refuse
    return host
  }

  /// The recorder reads the time, the only value that the application serves. It is answered at once, also in the
  /// background, where the phone's operating system would answer.
  mutating func answerTimeRead(
    _ handle: ConnectionHandle, _ token: AccessToken, _ effects: inout ApplicationEffects
  ) {
    switch timeServer.answer(isBatteryLow: battery.isLow, at: now) {
    case .served(let value, let time)?:
      effects.append(.host(.answerRead(handle, token, .success(value))))
      effects.append(.event(.timeServed(time)))
    case .refused(let code)?:
      effects.append(.host(.answerRead(handle, token, .failure(code))))
      effects.append(.event(.timeRefused))
    case nil: break
    }
  }
}
