/// Handles of values in the recorder's application, as they follow from ``AttributeTable/application``.
public enum DictofunHandle {
  /// The GAP device name.
  public static let deviceName = AttributeTable.application.handle(of: DictofunUUID.deviceName).rawValue
  /// The control point.
  public static let controlPoint = AttributeTable.application.handle(of: DictofunUUID.controlPoint).rawValue
  /// The files list.
  public static let filesList = AttributeTable.application.handle(of: DictofunUUID.filesList).rawValue
  /// The files list continuation.
  public static let filesListContinuation = AttributeTable.application.handle(of: DictofunUUID.filesListContinuation)
    .rawValue
  /// The file info.
  public static let fileInformation = AttributeTable.application.handle(of: DictofunUUID.fileInformation).rawValue
  /// The file data.
  public static let fileData = AttributeTable.application.handle(of: DictofunUUID.fileData).rawValue
  /// The FS status.
  public static let fileSystemStatus = AttributeTable.application.handle(of: DictofunUUID.fileSystemStatus).rawValue
  /// The general status.
  public static let generalStatus = AttributeTable.application.handle(of: DictofunUUID.generalStatus).rawValue
  /// Pairing and unpairing.
  public static let pairing = AttributeTable.application.handle(of: DictofunUUID.pairing).rawValue
  /// Battery Level.
  public static let batteryLevel = AttributeTable.application.handle(of: DictofunUUID.batteryLevel).rawValue
  /// The buttonless DFU characteristic.
  public static let buttonlessDFU = AttributeTable.application.handle(of: DictofunUUID.buttonlessDFU).rawValue
}
