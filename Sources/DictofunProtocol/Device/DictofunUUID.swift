import Bytes

/// UUIDs of the recorder's services and characteristics.
///
/// The firmware registers its own characteristics in the 16-bit range of the Bluetooth SIG although their
/// service has a vendor UUID, so two octets stand on the air.
public enum DictofunUUID {
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
  /// FS status: room and number of files.
  public static let fileSystemStatus = BluetoothUUID(0x1006)
  /// General status: why a request has no other answer.
  public static let generalStatus = BluetoothUUID(0x1007)
  /// Continuation of the files list. Registered third, before 0x1004.
  public static let filesListContinuation = BluetoothUUID(0x1008)
  /// Pairing and unpairing.
  public static let pairing = BluetoothUUID(0x10FE)

  /// Battery Service.
  public static let batteryService = BluetoothUUID(0x180F)
  /// Battery Level.
  public static let batteryLevel = BluetoothUUID(0x2A19)
  /// Current Time Service, which the phone serves and the recorder reads.
  public static let currentTimeService = BluetoothUUID(0x1805)
  /// Current Time.
  public static let currentTime = BluetoothUUID(0x2A2B)
  /// Nordic's Secure DFU Service.
  public static let secureDFUService = BluetoothUUID(0xFE59)
  /// Nordic's buttonless DFU characteristic for devices without bonds,
  /// `8ec90003-f315-4f60-9fb8-838830daea50`.
  public static let buttonlessDFU = BluetoothUUID(high: 0x8EC9_0003_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
  /// The bootloader's control point, `8ec90001-f315-4f60-9fb8-838830daea50`.
  public static let dfuControlPoint = BluetoothUUID(high: 0x8EC9_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
  /// The bootloader's packet characteristic, `8ec90002-f315-4f60-9fb8-838830daea50`.
  public static let dfuPacket = BluetoothUUID(high: 0x8EC9_0002_F315_4F60, low: 0x9FB8_8388_30DA_EA50)

  /// Device Information Service, which the published firmware lacks.
  public static let deviceInformationService = BluetoothUUID(0x180A)
  /// Firmware Revision String.
  public static let firmwareRevision = BluetoothUUID(0x2A26)
  /// Hardware Revision String.
  public static let hardwareRevision = BluetoothUUID(0x2A27)

  /// Generic Access Profile service.
  public static let genericAccessService = BluetoothUUID(0x1800)
  /// Generic Attribute Profile service.
  public static let genericAttributeService = BluetoothUUID(0x1801)
  /// Device Name.
  public static let deviceName = BluetoothUUID(0x2A00)
  /// Appearance.
  public static let appearance = BluetoothUUID(0x2A01)
  /// Peripheral Preferred Connection Parameters.
  public static let peripheralPreferredConnectionParameters = BluetoothUUID(0x2A04)
  /// Central Address Resolution.
  public static let centralAddressResolution = BluetoothUUID(0x2AA6)
  /// Service Changed.
  public static let serviceChanged = BluetoothUUID(0x2A05)
}
