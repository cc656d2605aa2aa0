/// Which events a controller sends to its host (Core Specification Vol 4, Part E, 7.3.1).
public struct EventMask: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Disconnection_Complete.
  public static let disconnectionComplete = EventMask(rawValue: 1 << 4)
  /// Encryption_Change.
  public static let encryptionChange = EventMask(rawValue: 1 << 7)
  /// Read_Remote_Version_Information_Complete.
  public static let readRemoteVersionInformationComplete = EventMask(rawValue: 1 << 11)
  /// Hardware_Error.
  public static let hardwareError = EventMask(rawValue: 1 << 15)
  /// Data_Buffer_Overflow.
  public static let dataBufferOverflow = EventMask(rawValue: 1 << 25)
  /// Encryption_Key_Refresh_Complete.
  public static let encryptionKeyRefreshComplete = EventMask(rawValue: 1 << 47)
  /// LE Meta; off after a reset.
  public static let leMeta = EventMask(rawValue: 1 << 61)

  /// What holds after a reset: everything up to bit 44, so no Bluetooth LE and no key refresh.
  public static let initial = EventMask(rawValue: 0x0000_1FFF_FFFF_FFFF)
}

/// Which LE Meta subevents a controller sends to its host (Core Specification Vol 4, Part E, 7.8.1).
public struct LEEventMask: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The bit of one subevent; empty for code 0 and codes above 64.
  public init(_ subevent: LESubeventCode) {
    self.init(rawValue: (1...64).contains(subevent.rawValue) ? 1 << UInt64(subevent.rawValue - 1) : 0)
  }

  /// What holds after a reset: the first five subevents.
  public static let initial = LEEventMask(rawValue: 0x1F)
}
