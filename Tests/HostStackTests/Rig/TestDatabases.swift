import Bytes
import HostStack

/// Handles of the peripheral's database.
enum Served {
  /// Read and write, anybody.
  static let open = AttributeHandle(0x0003)
  /// Read, write, notify and indicate; only encrypted. Its configuration is open.
  static let secret = AttributeHandle(0x0005)
  static let secretConfiguration = AttributeHandle(0x0006)
  /// Served by the application.
  static let application = AttributeHandle(0x0008)
  /// Taken by commands.
  static let command = AttributeHandle(0x000A)
  /// A vendor's service, type of 128 bits.
  static let vendorService = AttributeHandle(0x000B)
  /// Long value, notifies.
  static let long = AttributeHandle(0x000D)
  static let longConfiguration = AttributeHandle(0x000E)
  /// Nobody may read or write.
  static let closed = AttributeHandle(0x0010)
}

let vendorUUID = BluetoothUUID("a0451001-b822-4820-8782-bd8faf68807b")!

let database = GATTDatabase(services: [
  ServiceDefinition(
    uuid: BluetoothUUID(0x180F),
    characteristics: [
      CharacteristicDefinition(
        uuid: BluetoothUUID(0x2A19), properties: [.read, .write], reading: .open, writing: .open, initialValue: [84],
        maximumLength: 18),
      CharacteristicDefinition(
        uuid: BluetoothUUID(0x1002), properties: [.read, .write, .notify, .indicate], reading: .encrypted,
        writing: .encrypted, initialValue: [1, 2, 3], maximumLength: 17),
      CharacteristicDefinition(
        uuid: BluetoothUUID(0x1003), properties: [.read, .write], reading: .open, writing: .open,
        source: .application),
      CharacteristicDefinition(
        uuid: BluetoothUUID(0x1004), properties: [.writeWithoutResponse], writing: .open, maximumLength: 40),
    ]),
  ServiceDefinition(
    uuid: vendorUUID,
    characteristics: [
      CharacteristicDefinition(
        uuid: BluetoothUUID(0x1005), properties: [.read, .write, .notify], reading: .open, writing: .open,
        initialValue: (0..<100).map { UInt8($0) }, maximumLength: 512),
      CharacteristicDefinition(uuid: BluetoothUUID("12345678-0000-1000-8000-00805f9b34fa")!, properties: [.read]),
    ]),
])

let centralDatabase = GATTDatabase(services: [
  ServiceDefinition(
    uuid: BluetoothUUID(0x1805),
    characteristics: [
      CharacteristicDefinition(
        uuid: BluetoothUUID(0x2A2B), properties: [.read], reading: .open, source: .application)
    ])
])
