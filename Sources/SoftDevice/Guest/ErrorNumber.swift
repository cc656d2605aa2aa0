/// What a supervisor call returns in R0 (SoftDevice specification, "Error codes"; the numbers of `nrf_error.h`,
/// `nrf_error_soc.h`, `nrf_error_sdm.h` and `ble_err.h`).
package struct ErrorNumber: Error, Hashable, Sendable, RawRepresentable {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Done.
  package static let success = ErrorNumber(0)
  /// The SoftDevice was not enabled.
  package static let notEnabled = ErrorNumber(2)
  /// No memory is left for the operation.
  package static let noMemory = ErrorNumber(4)
  /// Nothing was found.
  package static let notFound = ErrorNumber(5)
  /// The call or what is asked of it is not supported.
  package static let notSupported = ErrorNumber(6)
  /// A parameter is outside its range.
  package static let invalidParameter = ErrorNumber(7)
  /// Not in this state.
  package static let invalidState = ErrorNumber(8)
  /// A length is outside its range.
  package static let invalidLength = ErrorNumber(9)
  /// Flags that do not go together.
  package static let invalidFlags = ErrorNumber(10)
  /// The data make no sense.
  package static let invalidData = ErrorNumber(11)
  /// The data do not fit.
  package static let dataSize = ErrorNumber(12)
  /// Something is missing, or does not compare equal.
  package static let null = ErrorNumber(14)
  /// Allowed in no state.
  package static let forbidden = ErrorNumber(15)
  /// A pointer points to where nothing is, or to what may not be used.
  package static let invalidAddress = ErrorNumber(16)
  /// Something of this kind is still going on.
  package static let busy = ErrorNumber(17)
  /// No further connection is possible.
  package static let connectionCount = ErrorNumber(18)
  /// No place is left in a queue.
  package static let resources = ErrorNumber(19)
  /// No such source of the low-frequency clock.
  package static let unknownClockSource = ErrorNumber(0x1000)
  /// The SoftDevice cannot be enabled with these interrupt settings.
  package static let incorrectInterruptConfiguration = ErrorNumber(0x1001)
  /// The mutex is taken.
  package static let mutexTaken = ErrorNumber(0x2000)
  /// No such power mode.
  package static let unknownPowerMode = ErrorNumber(0x2004)
  /// Fewer random octets are there than were asked for.
  package static let notEnoughRandom = ErrorNumber(0x2007)
  /// No such PPI channel, or one of the SoftDevice's own.
  package static let invalidChannel = ErrorNumber(0x2008)
  /// No such PPI group, or one of the SoftDevice's own.
  package static let invalidGroup = ErrorNumber(0x2009)
  /// `sd_ble_enable` was not called.
  package static let bluetoothNotEnabled = ErrorNumber(0x3001)
  /// No connection has this handle.
  package static let invalidConnection = ErrorNumber(0x3002)
  /// No attribute has this handle.
  package static let invalidAttribute = ErrorNumber(0x3003)
  /// No advertising set has this handle.
  package static let invalidAdvertisingSet = ErrorNumber(0x3004)
  /// The address is of another kind than the call takes.
  package static let invalidDeviceAddress = ErrorNumber(0x3202)
  /// The procedure is not allowed now.
  package static let procedureNotPermitted = ErrorNumber(0x3300)
  /// Only values of characteristics can be told.
  package static let invalidAttributeType = ErrorNumber(0x3400)
  /// The system attributes of the connection were not set.
  package static let systemAttributesMissing = ErrorNumber(0x3401)
}

extension ErrorNumber {
  /// What a correct image never lets happen, in words; `nil` for results that are part of ordinary life.
  var mistake: String? {
    switch self {
    case .notEnabled: "the SoftDevice is not enabled"
    case .bluetoothNotEnabled: "sd_ble_enable was not called"
    case .noMemory: "no memory is left for it"
    case .forbidden: "it is the SoftDevice's own"
    case .invalidAddress: "no such place"
    default: nil
    }
  }
}
