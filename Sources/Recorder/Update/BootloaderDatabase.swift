import DictofunProtocol
import HostStack

/// The attributes of the bootloader: ``AttributeTable/bootloader`` with the name that it advertises.
enum BootloaderDatabase {
  /// Value of the packet characteristic.
  static let packet = AttributeTable.bootloader.handle(of: DictofunUUID.dfuPacket)
  /// Value of the control point.
  static let controlPoint = AttributeTable.bootloader.handle(of: DictofunUUID.dfuControlPoint)

  /// The database, with that device name.
  static func make(deviceName: [UInt8]) -> GATTDatabase {
    var database = AttributeTable.bootloader.database
    database.setInitialValue(of: DictofunUUID.deviceName, deviceName)
    return database
  }
}
