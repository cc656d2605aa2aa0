import Bytes
import DictofunProtocol
import HostStack

/// The bootloader's attributes, in the order in which it registers them (nRF5 SDK 17.1.0, `nrf_dfu_ble.c`).
enum BootloaderDatabase {
  /// Value of the packet characteristic.
  static let packet = handle(of: DictofunUUID.dfuPacket)
  /// Value of the control point.
  static let controlPoint = handle(of: DictofunUUID.dfuControlPoint)

  /// Interval of 15 ms, latency 0, supervision time-out of 6 s.
  private static let preferredConnectionParameters: [UInt8] = [0x0C, 0x00, 0x0C, 0x00, 0x00, 0x00, 0x58, 0x02]

  /// The database, with that device name.
  static func make(deviceName: [UInt8]) -> GATTDatabase {
    GATTDatabase(services: [
      ServiceDefinition(
        uuid: DictofunUUID.genericAccessService,
        characteristics: [
          CharacteristicDefinition(
            uuid: DictofunUUID.deviceName, properties: .read, reading: .open, initialValue: deviceName,
            maximumLength: 31),
          CharacteristicDefinition(
            uuid: DictofunUUID.appearance, properties: .read, reading: .open, initialValue: [0, 0], maximumLength: 2),
          CharacteristicDefinition(
            uuid: DictofunUUID.peripheralPreferredConnectionParameters, properties: .read, reading: .open,
            initialValue: preferredConnectionParameters, maximumLength: 8),
        ]),
      ServiceDefinition(
        uuid: DictofunUUID.genericAttributeService,
        characteristics: [
          CharacteristicDefinition(
            uuid: DictofunUUID.serviceChanged, properties: .indicate, initialValue: [1, 0, 0xFF, 0xFF],
            maximumLength: 4)
        ]),
      ServiceDefinition(
        uuid: DictofunUUID.secureDFUService,
        characteristics: [
          CharacteristicDefinition(
            uuid: DictofunUUID.dfuPacket, properties: .writeWithoutResponse, writing: .open, maximumLength: 244,
            source: .application),
          CharacteristicDefinition(
            uuid: DictofunUUID.dfuControlPoint, properties: [.write, .notify], writing: .open, maximumLength: 23,
            source: .application),
        ]),
    ])
  }

  private static func handle(of uuid: BluetoothUUID) -> AttributeHandle {
    guard let handle = make(deviceName: []).valueHandle(of: uuid) else {
      preconditionFailure("the characteristic is in the database")
    }
    return handle
  }
}
