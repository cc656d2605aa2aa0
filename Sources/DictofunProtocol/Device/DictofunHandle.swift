/// Attribute handles of the recorder's GATT database, as its SoftDevice allocates them.
///
/// A declaration precedes its value by one; a Client Characteristic Configuration descriptor follows it by one.
public enum DictofunHandle {
  /// GAP service declaration.
  public static let genericAccessService: UInt16 = 0x0001
  /// Value of Device Name.
  public static let deviceName: UInt16 = 0x0003
  /// Value of Appearance.
  public static let appearance: UInt16 = 0x0005
  /// Value of Peripheral Preferred Connection Parameters.
  public static let peripheralPreferredConnectionParameters: UInt16 = 0x0007
  /// Value of Central Address Resolution.
  public static let centralAddressResolution: UInt16 = 0x0009
  /// GATT service declaration.
  public static let genericAttributeService: UInt16 = 0x000A
  /// Value of Service Changed.
  public static let serviceChanged: UInt16 = 0x000C
  /// Configuration of Service Changed.
  public static let serviceChangedConfiguration: UInt16 = 0x000D
  /// File Transfer Service declaration.
  public static let fileTransferService: UInt16 = 0x000E
  /// Value of the control point.
  public static let controlPoint: UInt16 = 0x0010
  /// Configuration of the control point; it never notifies.
  public static let controlPointConfiguration: UInt16 = 0x0011
  /// Value of the files list.
  public static let filesList: UInt16 = 0x0013
  /// Configuration of the files list.
  public static let filesListConfiguration: UInt16 = 0x0014
  /// Value of the files list continuation.
  public static let filesListContinuation: UInt16 = 0x0016
  /// Configuration of the files list continuation.
  public static let filesListContinuationConfiguration: UInt16 = 0x0017
  /// Value of the file info.
  public static let fileInformation: UInt16 = 0x0019
  /// Configuration of the file info.
  public static let fileInformationConfiguration: UInt16 = 0x001A
  /// Value of the file data.
  public static let fileData: UInt16 = 0x001C
  /// Configuration of the file data.
  public static let fileDataConfiguration: UInt16 = 0x001D
  /// Value of the FS status.
  public static let fileSystemStatus: UInt16 = 0x001F
  /// Configuration of the FS status.
  public static let fileSystemStatusConfiguration: UInt16 = 0x0020
  /// Value of the general status.
  public static let generalStatus: UInt16 = 0x0022
  /// Configuration of the general status.
  public static let generalStatusConfiguration: UInt16 = 0x0023
  /// Value of pairing and unpairing.
  public static let pairing: UInt16 = 0x0025
  /// Configuration of pairing and unpairing; it never notifies.
  public static let pairingConfiguration: UInt16 = 0x0026
  /// Battery Service declaration.
  public static let batteryService: UInt16 = 0x0027
  /// Value of Battery Level.
  public static let batteryLevel: UInt16 = 0x0029
  /// Configuration of Battery Level.
  public static let batteryLevelConfiguration: UInt16 = 0x002A
  /// Secure DFU Service declaration.
  public static let secureDFUService: UInt16 = 0x002B
  /// Value of the buttonless DFU characteristic.
  public static let buttonlessDFU: UInt16 = 0x002D
  /// Configuration of the buttonless DFU characteristic.
  public static let buttonlessDFUConfiguration: UInt16 = 0x002E
}
