import Bytes
import DictofunProtocol
import HCI
import HostStack

extension PhoneApplication {
  /// What a time read gets while the battery is low, from the application's range (Vol 3, Part F, 3.4.1.1).
  static let timeRefusal = ATTErrorCode(rawValue: 0x80)

  /// How the host stack is set up: the phone's own attributes and how it pairs.
  var hostConfiguration: HostConfiguration {
    var host = HostConfiguration(ownAddress: configuration.ownAddress, database: database)
    host.maximumTransmissionUnit = configuration.maximumTransmissionUnit
    host.security = configuration.security
    host.parameterUpdatePolicy = configuration.parameterUpdatePolicy
    host.pairingPolicy = .refuse
    return host
  }

  /// The attributes that the phone serves.
  private var database: GATTDatabase {
    var database = AttributeTable.phone.database
    guard has(.listsLocalTimeFirst) else { return database }
    let localTime = CharacteristicDefinition(
      uuid: DictofunUUID.localTimeInformation, properties: .read, reading: .encrypted, initialValue: [0, 0])
    for index in database.services.indices where database.services[index].uuid == DictofunUUID.currentTimeService {
      database.services[index].characteristics.insert(localTime, at: 0)
    }
    return database
  }

  /// The recorder reads the time, the only value that the application serves. It is told at once, also in the
  /// background, where the phone's operating system would answer.
  mutating func answerTimeRead(
    _ handle: ConnectionHandle, _ token: AccessToken, _ effects: inout ApplicationEffects
  ) {
    if has(.ignoresTimeReads) { return }
    guard !battery.isLow || has(.keepsTransferringWhileBatteryLow) else {
      effects.append(.host(.answerRead(handle, token, .failure(Self.timeRefusal))))
      effects.append(.event(.timeRefused))
      return
    }
    var error: Int64 = 0
    for case .servesWrongTime(let seconds) in configuration.faults { error = seconds }
    let value = clock.currentTime(at: now, error: error)
    effects.append(.host(.answerRead(handle, token, .success(value.encoded))))
    effects.append(.event(.timeServed(clock.seconds(at: now).addingClamped(error))))
  }
}
