import Bytes

/// Types of the attributes that GATT itself defines (Assigned Numbers, 3.5 and 3.7).
public enum DeclarationType {
  /// Declares a primary service.
  public static let primaryService = BluetoothUUID(0x2800)
  /// Declares a secondary service.
  public static let secondaryService = BluetoothUUID(0x2801)
  /// Declares a characteristic.
  public static let characteristic = BluetoothUUID(0x2803)
  /// Holds a client's configuration of a characteristic.
  public static let clientConfiguration = BluetoothUUID(0x2902)
}
