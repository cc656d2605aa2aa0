/// What a supervisor call returns in R0 (SoftDevice specification, "Error codes"; the numbers of `nrf_error.h`,
/// `nrf_error_soc.h`, `nrf_error_sdm.h` and `ble_err.h`).
public struct ErrorNumber: Error, Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Done.
  public static let success = ErrorNumber(0)
  /// The SoftDevice was not enabled.
  public static let notEnabled = ErrorNumber(2)
  /// No memory is left for the operation.
  public static let noMemory = ErrorNumber(4)
  /// Nothing was found.
  public static let notFound = ErrorNumber(5)
  /// The call or what is asked of it is not supported.
  public static let notSupported = ErrorNumber(6)
  /// A parameter is outside its range.
  public static let invalidParameter = ErrorNumber(7)
  /// Not in this state.
  public static let invalidState = ErrorNumber(8)
  /// A length is outside its range.
  public static let invalidLength = ErrorNumber(9)
  /// Flags that do not go together.
  public static let invalidFlags = ErrorNumber(10)
  /// The data make no sense.
  public static let invalidData = ErrorNumber(11)
  /// The data do not fit.
  public static let dataSize = ErrorNumber(12)
  /// Allowed in no state.
  public static let forbidden = ErrorNumber(15)
  /// A pointer points to where nothing is, or to what may not be used.
  public static let invalidAddress = ErrorNumber(16)
  /// Something of this kind is still going on.
  public static let busy = ErrorNumber(17)
  /// No place is left in a queue.
  public static let resources = ErrorNumber(19)
  /// The SoftDevice cannot be enabled with these interrupt settings.
  public static let incorrectInterruptConfiguration = ErrorNumber(0x1001)
  /// The mutex is taken.
  public static let mutexTaken = ErrorNumber(0x2000)
  /// No such power mode.
  public static let unknownPowerMode = ErrorNumber(0x2004)
  /// Fewer random octets are there than were asked for.
  public static let notEnoughRandom = ErrorNumber(0x2007)
  /// No such PPI channel, or one of the SoftDevice's own.
  public static let invalidChannel = ErrorNumber(0x2008)
  /// No such PPI group, or one of the SoftDevice's own.
  public static let invalidGroup = ErrorNumber(0x2009)
  /// `sd_ble_enable` was not called.
  public static let bluetoothNotEnabled = ErrorNumber(0x3001)
  /// No connection has this handle.
  public static let invalidConnection = ErrorNumber(0x3002)
  /// No attribute has this handle.
  public static let invalidAttribute = ErrorNumber(0x3003)
  /// No advertising set has this handle.
  public static let invalidAdvertisingSet = ErrorNumber(0x3004)
  /// The address is of another kind than the call takes.
  public static let invalidDeviceAddress = ErrorNumber(0x3202)
  /// The procedure is not allowed now.
  public static let procedureNotPermitted = ErrorNumber(0x3300)
  /// Only values of characteristics can be told.
  public static let invalidAttributeType = ErrorNumber(0x3400)
  /// The system attributes of the connection were not set.
  public static let systemAttributesMissing = ErrorNumber(0x3401)
}
