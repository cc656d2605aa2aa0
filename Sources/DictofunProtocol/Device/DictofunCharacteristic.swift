import Bytes

/// A characteristic by which recorder and phone speak, and what its values are made of.
public struct DictofunCharacteristic: Sendable {
  /// Its type.
  public let uuid: BluetoothUUID
  /// Where its value stands on every recorder; `nil` where it is the phone's, or the bootloader's.
  public let handle: UInt16?
  /// Its values.
  public let layout: WireLayout

  /// Describes a characteristic.
  public init(_ uuid: BluetoothUUID, at handle: UInt16?, _ layout: WireLayout) {
    self.uuid = uuid
    self.handle = handle
    self.layout = layout
  }

  /// Those of the application, in the order of their handles.
  public static let all = [
    Self(DictofunUUID.controlPoint, at: DictofunHandle.controlPoint, ControlPointRequest.layout),
    Self(DictofunUUID.filesList, at: DictofunHandle.filesList, FilesList.layout),
    Self(
      DictofunUUID.filesListContinuation, at: DictofunHandle.filesListContinuation, FilesList.continuationLayout),
    Self(DictofunUUID.fileInformation, at: DictofunHandle.fileInformation, FileInformation.layout),
    Self(DictofunUUID.fileData, at: DictofunHandle.fileData, FileDataLayout.layout),
    Self(DictofunUUID.fileSystemStatus, at: DictofunHandle.fileSystemStatus, FileSystemStatus.layout),
    Self(DictofunUUID.generalStatus, at: DictofunHandle.generalStatus, GeneralStatus.layout),
    Self(DictofunUUID.pairing, at: DictofunHandle.pairing, PairingControl.layout),
    Self(DictofunUUID.batteryLevel, at: DictofunHandle.batteryLevel, BatteryLevel.layout),
    Self(DictofunUUID.currentTime, at: nil, CurrentTime.layout),
  ]
}
