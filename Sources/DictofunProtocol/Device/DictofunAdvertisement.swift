/// The advertising data of every Dictofun.
///
/// Recorders differ only in their address. The firmware lets Nordic's SDK serialise the appearance
/// first, then flags and UUIDs, and the name last into the room that is left: four of its thirteen letters.
public enum DictofunAdvertisement {
  /// The 31 octets of advertising data: appearance 0, general discoverable without BR/EDR, the File Transfer
  /// Service, and the shortened local name `dict`.
  public static let advertisingData: [UInt8] =
    [0x03, 0x19, 0x00, 0x00]
    + [0x02, 0x01, 0x06]
    + [0x11, 0x07] + DictofunUUID.fileTransferService.littleEndian128
    + [0x05, 0x08] + Array("dict".utf8)

  /// The 4 octets of the scan response: the Current Time Service, which the recorder only reads from others.
  public static let scanResponseData: [UInt8] = [0x03, 0x03] + DictofunUUID.currentTimeService.littleEndian

  /// The shortened device name in the advertising data.
  public static let shortenedLocalName = "dict"

  /// The part of the device name before the revision of the board.
  public static let deviceNamePrefix = "dictofun_v"
  /// The complete name, readable through the GAP Device Name characteristic, on a board of version 1.4.
  public static let deviceName = deviceNamePrefix + "1.4"

  /// Advertising interval in units of 0.625 ms: 125 ms, legacy, connectable, scannable, undirected.
  public static let advertisingIntervalSlots: UInt16 = 200
}
