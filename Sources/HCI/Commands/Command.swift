import Bytes

/// A command from host to controller (Core Specification Vol 4, Part E, 5.4.1 and 7).
public enum Command: Hashable, Sendable {
  /// Ends a connection for a reason that the other end gets to see (7.1.6).
  case disconnect(ConnectionHandle, reason: ErrorCode)
  /// Asks for the version of the controller at the other end (7.1.23).
  case readRemoteVersionInformation(ConnectionHandle)
  /// Chooses which events reach the host (7.3.1).
  case setEventMask(EventMask)
  /// Puts the controller into its initial state (7.3.2).
  case reset
  /// Chooses which events of the second page reach the host (7.3.69).
  case setEventMaskPage2(UInt64)
  /// Reads the version of this controller (7.4.1).
  case readLocalVersionInformation
  /// Reads which commands this controller has (7.4.2).
  case readLocalSupportedCommands
  /// Reads the features of this controller's BR/EDR link manager (7.4.3).
  case readLocalSupportedFeatures
  /// Reads the number and size of the shared ACL buffers (7.4.5).
  case readBufferSize
  /// Reads the public address (7.4.6).
  case readDeviceAddress
  /// Reads the received signal strength of a connection (7.5.4).
  case readRSSI(ConnectionHandle)
  /// Chooses which LE Meta subevents reach the host (7.8.1).
  case leSetEventMask(LEEventMask)
  /// Reads the number and size of the LE ACL buffers (7.8.2).
  case leReadBufferSize
  /// Reads the number and size of the LE ACL and isochronous buffers (7.8.2, version 2).
  case leReadBufferSizeV2
  /// Reads this controller's LE features (7.8.3).
  case leReadLocalSupportedFeatures
  /// Sets the random address (7.8.4).
  case leSetRandomAddress(BluetoothAddress)
  /// Sets how to advertise (7.8.5).
  case leSetAdvertisingParameters(LEAdvertisingParameters)
  /// Reads the power at which advertising is sent (7.8.6).
  case leReadAdvertisingPhysicalChannelTxPower
  /// Sets what is advertised (7.8.7).
  case leSetAdvertisingData(LEAdvertisingPayload)
  /// Sets what is answered to a scan request (7.8.8).
  case leSetScanResponseData(LEAdvertisingPayload)
  /// Starts or stops advertising (7.8.9).
  case leSetAdvertisingEnable(Bool)
  /// Sets how to scan (7.8.10).
  case leSetScanParameters(LEScanParameters)
  /// Starts or stops scanning, with or without reporting each advertiser only once (7.8.11).
  case leSetScanEnable(Bool, filterDuplicates: Bool)
  /// Makes a connection as central (7.8.12).
  case leCreateConnection(LECreateConnection)
  /// Gives up making a connection (7.8.13).
  case leCreateConnectionCancel
  /// Reads the size of the filter accept list (7.8.14).
  case leReadFilterAcceptListSize
  /// Empties the filter accept list (7.8.15).
  case leClearFilterAcceptList
  /// Adds a device to the filter accept list (7.8.16).
  case leAddDeviceToFilterAcceptList(LEFilterEntry)
  /// Takes a device off the filter accept list (7.8.17).
  case leRemoveDeviceFromFilterAcceptList(LEFilterEntry)
  /// Changes a connection's parameters (7.8.18).
  case leConnectionUpdate(ConnectionHandle, LEConnectionTiming)
  /// Asks for the LE features of the other end (7.8.21).
  case leReadRemoteFeatures(ConnectionHandle)
  /// Encrypts one block with AES-128 (7.8.22).
  case leEncrypt(key: LEKeyOctets, plaintext: LEKeyOctets)
  /// Reads eight random octets (7.8.23).
  case leRand
  /// Starts or refreshes the encryption of a connection, as central (7.8.24).
  case leEnableEncryption(LEEnableEncryption)
  /// Gives the long-term key that a peripheral's controller asked for (7.8.25).
  case leLongTermKeyRequestReply(ConnectionHandle, LEKeyOctets)
  /// Says that there is no such long-term key (7.8.26).
  case leLongTermKeyRequestNegativeReply(ConnectionHandle)
  /// Reads which combinations of states this controller supports (7.8.27).
  case leReadSupportedStates
  /// Accepts the connection parameters that the other end asked for (7.8.31).
  case leRemoteConnectionParameterRequestReply(ConnectionHandle, LEConnectionTiming)
  /// Refuses the connection parameters that the other end asked for (7.8.32).
  case leRemoteConnectionParameterRequestNegativeReply(ConnectionHandle, reason: ErrorCode)
  /// Asks for a longer link-layer payload on a connection (7.8.33).
  case leSetDataLength(ConnectionHandle, LEDataLength)
  /// Reads the payload length wanted for new connections (7.8.34).
  case leReadSuggestedDefaultDataLength
  /// Sets the payload length wanted for new connections (7.8.35).
  case leWriteSuggestedDefaultDataLength(LEDataLength)
  /// Reads the longest link-layer payload that this controller supports (7.8.46).
  case leReadMaximumDataLength
  /// Reads the PHYs of a connection (7.8.47).
  case leReadPHY(ConnectionHandle)
  /// Sets the PHYs preferred for new connections (7.8.48).
  case leSetDefaultPHY(PHYPreference)
  /// Asks for other PHYs on a connection; `options` say what a coded PHY should prefer (7.8.49).
  case leSetPHY(ConnectionHandle, PHYPreference, options: UInt16)
  /// A command that this house does not use: its opcode and parameters.
  case unknown(Opcode, [UInt8])

  /// Octets before the parameters.
  public static let headerLength = 3

  /// The command as it goes through a pipe.
  public var packet: HCIPacket { HCIPacket(.command, encoded) }
}
