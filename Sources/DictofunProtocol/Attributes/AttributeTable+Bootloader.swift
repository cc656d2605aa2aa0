import Bytes
import Packets

extension AttributeTable {
  /// The recorder's bootloader (nRF5 SDK 17.1.0, `nrf_dfu_ble.c`).
  public static let bootloader = AttributeTable([
    DictofunService(
      DictofunUUID.genericAccessService, DictofunService.genericAccessName,
      [
        .deviceName(.read, []), .appearance([0x00, 0x00]),
        .preferredConnectionParameters(BootloaderLink.preferredConnectionParameters),
      ]), .genericAttribute, .bootloaderUpdate,
  ])
}

extension DictofunUUID {
  /// The bootloader's control point, `8ec90001-f315-4f60-9fb8-838830daea50`.
  public static let dfuControlPoint = BluetoothUUID(high: 0x8EC9_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
  /// The bootloader's packet characteristic, `8ec90002-f315-4f60-9fb8-838830daea50`.
  public static let dfuPacket = BluetoothUUID(high: 0x8EC9_0002_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
}

extension DictofunService {
  /// The Secure DFU Service of the bootloader, which takes packages.
  public static let bootloaderUpdate = DictofunService(
    DictofunUUID.secureDFUService, secureDFUName,
    [
      DictofunCharacteristic(
        "DFU packet",
        CharacteristicDefinition(
          uuid: DictofunUUID.dfuPacket, properties: .writeWithoutResponse, writing: .open,
          maximumLength: BootloaderLink.packetLength, source: .application),
        layout: SecureDFULayout.packet),
      DictofunCharacteristic(
        "DFU control point",
        CharacteristicDefinition(
          uuid: DictofunUUID.dfuControlPoint, properties: [.write, .notify], writing: .open,
          maximumLength: BootloaderLink.controlPointLength, source: .application),
        layout: SecureDFULayout.controlPoint),
    ])
}

/// Link and attribute parameters of the bootloader.
enum BootloaderLink {
  /// Octets of Peripheral Preferred Connection Parameters: 15 ms, latency 0, supervision 6 s.
  static let preferredConnectionParameters: [UInt8] = [0x0C, 0x00, 0x0C, 0x00, 0x00, 0x00, 0x58, 0x02]
  /// Octets of the longest packet: an ATT_MTU of 247 without the three octets of a write command.
  static let packetLength = 244
  /// Octets of the longest request or response, the default ATT_MTU.
  static let controlPointLength = 23
}
