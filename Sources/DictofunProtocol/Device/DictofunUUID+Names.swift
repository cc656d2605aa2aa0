import Bytes

extension DictofunUUID {
  /// Names of the types that recorders have, as the Assigned Numbers and the firmware give them.
  private static let names: [(uuid: BluetoothUUID, name: String)] = [
    (genericAccessService, "Generic Access"), (genericAttributeService, "Generic Attribute"),
    (deviceName, "Device Name"), (appearance, "Appearance"),
    (peripheralPreferredConnectionParameters, "Peripheral Preferred Connection Parameters"),
    (centralAddressResolution, "Central Address Resolution"),
    (serviceChanged, "Service Changed"), (fileTransferService, "File Transfer Service"),
    (controlPoint, "control point"), (filesList, "files list"),
    (filesListContinuation, "files list continuation"), (fileInformation, "file info"),
    (fileData, "file data"), (fileSystemStatus, "FS status"),
    (generalStatus, "general status"), (pairing, "pairing"),
    (batteryService, "Battery Service"), (batteryLevel, "Battery Level"), (currentTimeService, "Current Time Service"),
    (currentTime, "Current Time"),
    (secureDFUService, "Secure DFU Service"), (buttonlessDFU, "buttonless DFU"),
    (dfuControlPoint, "DFU control point"), (dfuPacket, "DFU packet"),
    (deviceInformationService, "Device Information"),
    (firmwareRevision, "Firmware Revision String"),
    (hardwareRevision, "Hardware Revision String"),
  ]

  /// What an attribute type of the recorder is called; `nil` for others.
  public static func name(of uuid: BluetoothUUID) -> String? { names.first { $0.uuid == uuid }?.name }
}
