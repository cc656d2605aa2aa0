import Bytes
import Packets

extension AttributeTable {
  /// The phone. Current Time is the first characteristic of its service, because Nordic's client takes the first one for
  /// it without looking at its type.
  public static let phone = AttributeTable([
    DictofunService(
      DictofunUUID.genericAccessService, DictofunService.genericAccessName,
      [
        .deviceName(.read, Array("DictoBench".utf8)), .appearance(genericPhone),
        .centralAddressResolution(isSupported: false),
      ]), DictofunService(DictofunUUID.genericAttributeService, DictofunService.genericAttributeName, []),
    DictofunService(DictofunUUID.currentTimeService, "Current Time Service", [.currentTime]),
  ])

  /// Appearance "Phone" (Assigned Numbers, 2.6.3).
  private static let genericPhone: [UInt8] = [0x40, 0x00]
}

extension DictofunUUID {
  /// Current Time Service, which the phone serves and the recorder reads.
  public static let currentTimeService = BluetoothUUID(0x1805)
  /// Current Time.
  public static let currentTime = BluetoothUUID(0x2A2B)
  /// Local Time Information.
  public static let localTimeInformation = BluetoothUUID(0x2A0F)
}

extension DictofunCharacteristic {
  /// Current Time, as a correct phone serves it.
  public static let currentTime = Self(
    "Current Time",
    CharacteristicDefinition(
      uuid: DictofunUUID.currentTime, properties: [.read, .notify], reading: .encrypted,
      maximumLength: CurrentTime.length, source: .application),
    layout: CurrentTime.layout)
}
