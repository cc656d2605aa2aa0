import Bytes
import Packets

extension AttributeTable {
  /// The recorder's application. To add a service to it, describe it below and add it here.
  public static let application = AttributeTable([
    .genericAccess, .genericAttribute, .fileTransfer, .battery, .buttonlessUpdate,
  ])
}

// MARK: Generic Access

extension DictofunUUID {
  /// Generic Access Profile service.
  public static let genericAccessService = BluetoothUUID(0x1800)
  /// Device Name.
  public static let deviceName = BluetoothUUID(0x2A00)
  /// Appearance.
  public static let appearance = BluetoothUUID(0x2A01)
  /// Peripheral Preferred Connection Parameters.
  public static let peripheralPreferredConnectionParameters = BluetoothUUID(0x2A04)
  /// Central Address Resolution.
  public static let centralAddressResolution = BluetoothUUID(0x2AA6)
}

extension DictofunService {
  /// The Generic Access service of the application. A board may have another device name than this one.
  static let genericAccess = DictofunService(
    DictofunUUID.genericAccessService, genericAccessName,
    [
      .deviceName([.read, .write], Array(DictofunAdvertisement.deviceName.utf8)), .appearance([0x00, 0x00]),
      .preferredConnectionParameters(DictofunLink.preferredConnectionParameters),
      .centralAddressResolution(isSupported: true),
    ])

  static let genericAccessName = "Generic Access"
}

extension DictofunCharacteristic {
  /// Octets that the SoftDevice reserves for the device name (`BLE_GAP_DEVNAME_DEFAULT_LEN`).
  static let deviceNameLength = 31

  static func deviceName(_ properties: CharacteristicProperties, _ name: [UInt8]) -> Self {
    Self(
      "Device Name",
      CharacteristicDefinition(
        uuid: DictofunUUID.deviceName, properties: properties, reading: .open,
        writing: properties.contains(.write) ? .open : .never, initialValue: name, maximumLength: deviceNameLength))
  }

  static func appearance(_ value: [UInt8]) -> Self {
    Self(
      "Appearance",
      CharacteristicDefinition(
        uuid: DictofunUUID.appearance, properties: .read, reading: .open, initialValue: value, maximumLength: 2))
  }

  static func preferredConnectionParameters(_ value: [UInt8]) -> Self {
    Self(
      "Peripheral Preferred Connection Parameters",
      CharacteristicDefinition(
        uuid: DictofunUUID.peripheralPreferredConnectionParameters, properties: .read, reading: .open,
        initialValue: value, maximumLength: 8))
  }

  static func centralAddressResolution(isSupported: Bool) -> Self {
    Self(
      "Central Address Resolution",
      CharacteristicDefinition(
        uuid: DictofunUUID.centralAddressResolution, properties: .read, reading: .open,
        initialValue: [isSupported ? 1 : 0], maximumLength: 1))
  }
}

// MARK: Generic Attribute

extension DictofunUUID {
  /// Generic Attribute Profile service.
  public static let genericAttributeService = BluetoothUUID(0x1801)
  /// Service Changed.
  public static let serviceChanged = BluetoothUUID(0x2A05)
}

extension DictofunService {
  /// The Generic Attribute service of application and bootloader. Its only value stands for all handles.
  static let genericAttribute = DictofunService(
    DictofunUUID.genericAttributeService, genericAttributeName,
    [
      DictofunCharacteristic(
        "Service Changed",
        CharacteristicDefinition(
          uuid: DictofunUUID.serviceChanged, properties: .indicate, initialValue: [0x01, 0x00, 0xFF, 0xFF],
          maximumLength: 4))
    ])

  static let genericAttributeName = "Generic Attribute"
}

// MARK: File Transfer

// The firmware registers its own characteristics in the 16-bit range of the Bluetooth SIG although their service has a
// vendor UUID, so two octets stand on the air.
extension DictofunUUID {
  /// The File Transfer Service, `a0451001-b822-4820-8782-bd8faf68807b`.
  public static let fileTransferService = BluetoothUUID(high: 0xA045_1001_B822_4820, low: 0x8782_BD8F_AF68_807B)
  /// Control point: requests are written here.
  public static let controlPoint = BluetoothUUID(0x1002)
  /// Files list: the number of files and the first seven identifiers.
  public static let filesList = BluetoothUUID(0x1003)
  /// File info: the size of one file, as JSON.
  public static let fileInformation = BluetoothUUID(0x1004)
  /// File data: the bytes of one file.
  public static let fileData = BluetoothUUID(0x1005)
  /// FS status: free space and number of files.
  public static let fileSystemStatus = BluetoothUUID(0x1006)
  /// General status: why a request has no other answer.
  public static let generalStatus = BluetoothUUID(0x1007)
  /// Continuation of the files list. Registered third, before 0x1004.
  public static let filesListContinuation = BluetoothUUID(0x1008)
  /// Pairing and unpairing.
  public static let pairing = BluetoothUUID(0x10FE)
}

extension DictofunService {
  /// The File Transfer Service.
  public static let fileTransfer = DictofunService(
    DictofunUUID.fileTransferService, "File Transfer Service",
    [
      written(
        DictofunUUID.controlPoint, "control point", ControlPointRequest.maximumLength, ControlPointRequest.layout),
      notified(DictofunUUID.filesList, "files list", FilesList.maximumLength, FilesList.layout),
      notified(
        DictofunUUID.filesListContinuation, "files list continuation", FilesList.maximumLength,
        FilesList.continuationLayout),
      notified(
        DictofunUUID.fileInformation, "file info", FileInformation.maximumLength, FileInformation.layout),
      notified(DictofunUUID.fileData, "file data", FileDataLayout.blockLength, FileDataLayout.layout),
      notified(DictofunUUID.fileSystemStatus, "FS status", FileSystemStatus.length, FileSystemStatus.layout),
      notified(DictofunUUID.generalStatus, "general status", GeneralStatus.maximumLength, GeneralStatus.layout),
      written(DictofunUUID.pairing, "pairing", PairingControl.length, PairingControl.layout),
    ])

  /// A characteristic that the phone writes. The firmware gives it a notify property too, and never uses it.
  private static func written(
    _ uuid: BluetoothUUID, _ name: String, _ maximumLength: Int, _ layout: WireLayout
  ) -> DictofunCharacteristic {
    DictofunCharacteristic(
      name,
      CharacteristicDefinition(
        uuid: uuid, properties: [.write, .notify], reading: .encrypted, writing: .encrypted, initialValue: [0],
        maximumLength: maximumLength),
      layout: layout)
  }

  /// A characteristic that the recorder notifies.
  private static func notified(
    _ uuid: BluetoothUUID, _ name: String, _ maximumLength: Int, _ layout: WireLayout
  ) -> DictofunCharacteristic {
    DictofunCharacteristic(
      name,
      CharacteristicDefinition(
        uuid: uuid, properties: [.read, .notify], reading: .encrypted, initialValue: [0],
        maximumLength: maximumLength),
      layout: layout)
  }
}

// MARK: Battery

extension DictofunUUID {
  /// Battery Service.
  public static let batteryService = BluetoothUUID(0x180F)
  /// Battery Level.
  public static let batteryLevel = BluetoothUUID(0x2A19)
}

extension DictofunService {
  /// The Battery Service.
  public static let battery = DictofunService(
    DictofunUUID.batteryService, "Battery Service",
    [
      DictofunCharacteristic(
        "Battery Level",
        CharacteristicDefinition(
          uuid: DictofunUUID.batteryLevel, properties: [.read, .notify], reading: .open, initialValue: [0],
          maximumLength: BatteryLevel.length),
        layout: BatteryLevel.layout)
    ])
}

// MARK: Firmware update

extension DictofunUUID {
  /// Nordic's Secure DFU Service.
  public static let secureDFUService = BluetoothUUID(0xFE59)
  /// Nordic's buttonless DFU characteristic for devices without bonds,
  /// `8ec90003-f315-4f60-9fb8-838830daea50`.
  public static let buttonlessDFU = BluetoothUUID(high: 0x8EC9_0003_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
}

extension DictofunService {
  /// The Secure DFU Service of the application, which starts the bootloader.
  public static let buttonlessUpdate = DictofunService(
    DictofunUUID.secureDFUService, secureDFUName,
    [
      DictofunCharacteristic(
        "buttonless DFU",
        CharacteristicDefinition(
          uuid: DictofunUUID.buttonlessDFU, properties: [.write, .indicate], writing: .open,
          maximumLength: ButtonlessUpdate.maximumLength, source: .application),
        layout: ButtonlessUpdate.layout)
    ])

  static let secureDFUName = "Secure DFU Service"
}

// MARK: Device information

extension DictofunUUID {
  /// Device Information Service.
  public static let deviceInformationService = BluetoothUUID(0x180A)
  /// Firmware Revision String.
  public static let firmwareRevision = BluetoothUUID(0x2A26)
  /// Hardware Revision String.
  public static let hardwareRevision = BluetoothUUID(0x2A27)
}

extension DictofunService {
  /// The Device Information Service, which the published firmware does not register.
  public static let deviceInformation = DictofunService(
    DictofunUUID.deviceInformationService, "Device Information",
    [
      revision(DictofunUUID.firmwareRevision, "Firmware Revision String"),
      revision(DictofunUUID.hardwareRevision, "Hardware Revision String"),
    ])

  private static func revision(_ uuid: BluetoothUUID, _ name: String) -> DictofunCharacteristic {
    DictofunCharacteristic(name, CharacteristicDefinition(uuid: uuid, properties: .read, reading: .open))
  }
}
