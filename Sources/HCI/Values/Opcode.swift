import Bytes

/// The opcode of an HCI command: group in the upper 6 bits, command in the lower 10 (Core Specification Vol 4, Part E,
/// 5.4.1).
///
/// An open set: a vendor may define any.
public struct Opcode: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  public var rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  private init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The opcode group field, 0 to 63.
  public var group: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 10) }
  /// The opcode command field, 0 to 1,023.
  public var command: UInt16 { rawValue & 0x03FF }

  /// In Command_Complete and Command_Status: only the number of credits changed, no command is answered (4.4).
  public static let none = Opcode(0x0000)
  /// Ends a connection (7.1.6).
  public static let disconnect = Opcode(0x0406)
  /// Asks for the version of the controller at the other end (7.1.23).
  public static let readRemoteVersionInformation = Opcode(0x041D)
  /// Chooses which events reach the host (7.3.1).
  public static let setEventMask = Opcode(0x0C01)
  /// Puts the controller into its initial state (7.3.2).
  public static let reset = Opcode(0x0C03)
  /// Chooses which events of the second page reach the host (7.3.69).
  public static let setEventMaskPage2 = Opcode(0x0C63)
  /// Reads the version of this controller (7.4.1).
  public static let readLocalVersionInformation = Opcode(0x1001)
  /// Reads which commands this controller has (7.4.2).
  public static let readLocalSupportedCommands = Opcode(0x1002)
  /// Reads the features of this controller's BR/EDR link manager (7.4.3).
  public static let readLocalSupportedFeatures = Opcode(0x1003)
  /// Reads the number and size of the shared ACL buffers (7.4.5).
  public static let readBufferSize = Opcode(0x1005)
  /// Reads the public address (7.4.6).
  public static let readDeviceAddress = Opcode(0x1009)
  /// Reads the received signal strength of a connection (7.5.4).
  public static let readRSSI = Opcode(0x1405)
  /// Chooses which LE Meta subevents reach the host (7.8.1).
  public static let leSetEventMask = Opcode(0x2001)
  /// Reads the number and size of the LE ACL buffers (7.8.2).
  public static let leReadBufferSize = Opcode(0x2002)
  /// Reads this controller's LE features (7.8.3).
  public static let leReadLocalSupportedFeatures = Opcode(0x2003)
  /// Sets the random address (7.8.4).
  public static let leSetRandomAddress = Opcode(0x2005)
  /// Sets how to advertise (7.8.5).
  public static let leSetAdvertisingParameters = Opcode(0x2006)
  /// Reads the power at which advertising is sent (7.8.6).
  public static let leReadAdvertisingPhysicalChannelTxPower = Opcode(0x2007)
  /// Sets what is advertised (7.8.7).
  public static let leSetAdvertisingData = Opcode(0x2008)
  /// Sets what is answered to a scan request (7.8.8).
  public static let leSetScanResponseData = Opcode(0x2009)
  /// Starts or stops advertising (7.8.9).
  public static let leSetAdvertisingEnable = Opcode(0x200A)
  /// Sets how to scan (7.8.10).
  public static let leSetScanParameters = Opcode(0x200B)
  /// Starts or stops scanning (7.8.11).
  public static let leSetScanEnable = Opcode(0x200C)
  /// Makes a connection as central (7.8.12).
  public static let leCreateConnection = Opcode(0x200D)
  /// Gives up making a connection (7.8.13).
  public static let leCreateConnectionCancel = Opcode(0x200E)
  /// Reads the size of the filter accept list (7.8.14).
  public static let leReadFilterAcceptListSize = Opcode(0x200F)
  /// Empties the filter accept list (7.8.15).
  public static let leClearFilterAcceptList = Opcode(0x2010)
  /// Adds a device to the filter accept list (7.8.16).
  public static let leAddDeviceToFilterAcceptList = Opcode(0x2011)
  /// Takes a device off the filter accept list (7.8.17).
  public static let leRemoveDeviceFromFilterAcceptList = Opcode(0x2012)
  /// Changes a connection's parameters (7.8.18).
  public static let leConnectionUpdate = Opcode(0x2013)
  /// Asks for the LE features of the other end (7.8.21).
  public static let leReadRemoteFeatures = Opcode(0x2016)
  /// Encrypts one block with AES-128 (7.8.22).
  public static let leEncrypt = Opcode(0x2017)
  /// Reads eight random octets (7.8.23).
  public static let leRand = Opcode(0x2018)
  /// Starts or refreshes the encryption of a connection, as central (7.8.24).
  public static let leEnableEncryption = Opcode(0x2019)
  /// Gives the long-term key that a peripheral's controller asked for (7.8.25).
  public static let leLongTermKeyRequestReply = Opcode(0x201A)
  /// Says that there is no such long-term key (7.8.26).
  public static let leLongTermKeyRequestNegativeReply = Opcode(0x201B)
  /// Reads which combinations of states this controller supports (7.8.27).
  public static let leReadSupportedStates = Opcode(0x201C)
  /// Accepts the connection parameters that the other end asked for (7.8.31).
  public static let leRemoteConnectionParameterRequestReply = Opcode(0x2020)
  /// Refuses the connection parameters that the other end asked for (7.8.32).
  public static let leRemoteConnectionParameterRequestNegativeReply = Opcode(0x2021)
  /// Asks for a longer link-layer payload on a connection (7.8.33).
  public static let leSetDataLength = Opcode(0x2022)
  /// Reads the payload length wanted for new connections (7.8.34).
  public static let leReadSuggestedDefaultDataLength = Opcode(0x2023)
  /// Sets the payload length wanted for new connections (7.8.35).
  public static let leWriteSuggestedDefaultDataLength = Opcode(0x2024)
  /// Reads the longest link-layer payload that this controller supports (7.8.46).
  public static let leReadMaximumDataLength = Opcode(0x202F)
  /// Reads the PHYs of a connection (7.8.47).
  public static let leReadPHY = Opcode(0x2030)
  /// Sets the PHYs preferred for new connections (7.8.48).
  public static let leSetDefaultPHY = Opcode(0x2031)
  /// Asks for other PHYs on a connection (7.8.49).
  public static let leSetPHY = Opcode(0x2032)
  /// Reads the number and size of the LE ACL and isochronous buffers (7.8.2, version 2).
  public static let leReadBufferSizeV2 = Opcode(0x2060)

  /// Four hexadecimal digits.
  public var description: String { Hexadecimal.digits(rawValue) }
}
