import Bytes

/// The features of a device in its Pairing Request or Response
/// (Core Specification Vol 3, Part H, 3.5.1 and 3.5.2).
public struct PairingFeatures: Hashable, Sendable {
  /// Input and output capability; an open set.
  public var inputOutput: InputOutputCapability
  /// Whether out-of-band data of the peer is at hand.
  public var hasOutOfBandData: Bool
  /// The requirements for the pairing.
  public var authentication: AuthenticationRequirements
  /// Longest key supported, in octets, 7 to 16; others are the peer's mistake and are kept as they came.
  public var maximumKeySize: UInt8
  /// Keys that the initiator is asked, or willing, to distribute.
  public var initiatorKeys: KeyDistribution
  /// Keys that the responder is willing, or asked, to distribute.
  public var responderKeys: KeyDistribution

  public init(
    inputOutput: InputOutputCapability, hasOutOfBandData: Bool = false, authentication: AuthenticationRequirements,
    maximumKeySize: UInt8 = 16, initiatorKeys: KeyDistribution, responderKeys: KeyDistribution
  ) {
    self.inputOutput = inputOutput
    self.hasOutOfBandData = hasOutOfBandData
    self.authentication = authentication
    self.maximumKeySize = maximumKeySize
    self.initiatorKeys = initiatorKeys
    self.responderKeys = responderKeys
  }

  /// Reads the six octets after the command's code.
  /// Throws `invalid` for a reserved input and output capability or out-of-band flag.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let start = reader.offset
    let capability = try reader.readUInt8("IO capability")
    guard let inputOutput = InputOutputCapability(rawValue: capability) else {
      throw DecodingFailure(.invalid(value: UInt64(capability)), field: "IO capability", offset: start)
    }
    self.inputOutput = inputOutput
    let flag = try reader.readUInt8("OOB data flag")
    guard flag <= 1 else {
      throw DecodingFailure(.invalid(value: UInt64(flag)), field: "OOB data flag", offset: start + 1)
    }
    hasOutOfBandData = flag == 1
    authentication = AuthenticationRequirements(rawValue: try reader.readUInt8("AuthReq"))
    maximumKeySize = try reader.readUInt8("maximum encryption key size")
    initiatorKeys = KeyDistribution(rawValue: try reader.readUInt8("initiator key distribution"))
    responderKeys = KeyDistribution(rawValue: try reader.readUInt8("responder key distribution"))
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(inputOutput.rawValue)
    writer.write(UInt8(hasOutOfBandData ? 1 : 0))
    writer.write(authentication.rawValue)
    writer.write(maximumKeySize)
    writer.write(initiatorKeys.rawValue)
    writer.write(responderKeys.rawValue)
  }

  /// The three octets that the check function `f6` takes, as they are sent (Vol 3, Part H, 2.2.8).
  public var checkedOctets: [UInt8] {
    [inputOutput.rawValue, hasOutOfBandData ? 1 : 0, authentication.rawValue]
  }
}

/// The ability of a device to show and enter numbers (Vol 3, Part H, 2.3.2, Table 2.5).
public enum InputOutputCapability: UInt8, Hashable, Sendable {
  /// It shows six digits.
  case displayOnly = 0x00
  /// It shows six digits and takes yes or no.
  case displayYesNo = 0x01
  /// It takes six digits.
  case keyboardOnly = 0x02
  /// It can do neither.
  case noInputNoOutput = 0x03
  /// It shows six digits and takes six.
  case keyboardDisplay = 0x04
}

/// The AuthReq octet (Vol 3, Part H, 3.5.1, Figure 3.3).
public struct AuthenticationRequirements: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Keys shall be kept.
  public static let bonding = AuthenticationRequirements(rawValue: 0x01)
  /// Protection against a man in the middle is wanted.
  public static let manInTheMiddle = AuthenticationRequirements(rawValue: 0x04)
  /// LE Secure Connections pairing is supported.
  public static let secureConnections = AuthenticationRequirements(rawValue: 0x08)
  /// Keypress notifications are wanted.
  public static let keypress = AuthenticationRequirements(rawValue: 0x10)
  /// The conversion function h7 is supported.
  public static let linkKeyConversion7 = AuthenticationRequirements(rawValue: 0x20)
}

/// Keys that one side distributes (Vol 3, Part H, 3.6.1, Figure 3.11).
public struct KeyDistribution: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A long-term key with EDIV and Rand; ignored under Secure Connections.
  public static let encryption = KeyDistribution(rawValue: 0x01)
  /// An identity resolving key and the identity address.
  public static let identity = KeyDistribution(rawValue: 0x02)
  /// A signature key.
  public static let signing = KeyDistribution(rawValue: 0x04)
  /// A BR/EDR link key is derived.
  public static let link = KeyDistribution(rawValue: 0x08)
}
