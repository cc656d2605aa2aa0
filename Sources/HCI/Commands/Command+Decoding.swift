import Bytes

extension Command {
  /// Reads one command that fills all of the reader.
  ///
  /// Throws where the length octet disagrees, parameters are cut off or left over, or an octet has a value that its
  /// parameter cannot take. Ranges that depend on the controller are the controller's to judge.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let opcode = Opcode(rawValue: try reader.readUInt16("opcode"))
    let length = Int(try reader.readUInt8("parameter length"))
    try reader.expectRemaining(length, "command parameters")
    self = try Self.decode(opcode, &reader)
    try reader.expectEnd("command parameters")
  }

  /// Reads one command from all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
  }

  private static func decode(_ opcode: Opcode, _ reader: inout ByteReader) throws(DecodingFailure) -> Command {
    switch opcode {
    case .setEventMask: return .setEventMask(EventMask(rawValue: try reader.readUInt64("event mask")))
    case .reset: return .reset
    case .setEventMaskPage2: return .setEventMaskPage2(try reader.readUInt64("event mask page 2"))
    case .readLocalVersionInformation: return .readLocalVersionInformation
    case .readLocalSupportedCommands: return .readLocalSupportedCommands
    case .readLocalSupportedFeatures: return .readLocalSupportedFeatures
    case .readBufferSize: return .readBufferSize
    case .readDeviceAddress: return .readDeviceAddress
    case .leSetEventMask: return .leSetEventMask(LEEventMask(rawValue: try reader.readUInt64("LE event mask")))
    case .leReadBufferSize: return .leReadBufferSize
    case .leReadBufferSizeV2: return .leReadBufferSizeV2
    case .leReadLocalSupportedFeatures: return .leReadLocalSupportedFeatures
    case .leSetRandomAddress: return .leSetRandomAddress(try reader.readAddress(.random, "random address"))
    case .leReadAdvertisingPhysicalChannelTxPower: return .leReadAdvertisingPhysicalChannelTxPower
    case .leCreateConnectionCancel: return .leCreateConnectionCancel
    case .leReadFilterAcceptListSize: return .leReadFilterAcceptListSize
    case .leClearFilterAcceptList: return .leClearFilterAcceptList
    case .leRand: return .leRand
    case .leReadSupportedStates: return .leReadSupportedStates
    case .leReadSuggestedDefaultDataLength: return .leReadSuggestedDefaultDataLength
    case .leReadMaximumDataLength: return .leReadMaximumDataLength
    default: return try decodeDiscovery(opcode, &reader)
    }
  }

  private static func decodeDiscovery(
    _ opcode: Opcode, _ reader: inout ByteReader
  ) throws(DecodingFailure) -> Command {
    switch opcode {
    case .leSetAdvertisingParameters: return .leSetAdvertisingParameters(try .init(decoding: &reader))
    case .leSetAdvertisingData: return .leSetAdvertisingData(try .init(decoding: &reader))
    case .leSetScanResponseData: return .leSetScanResponseData(try .init(decoding: &reader))
    case .leSetAdvertisingEnable: return .leSetAdvertisingEnable(try reader.readFlag("advertising enable"))
    case .leSetScanParameters: return .leSetScanParameters(try .init(decoding: &reader))
    case .leSetScanEnable:
      return .leSetScanEnable(
        try reader.readFlag("scan enable"), filterDuplicates: try reader.readFlag("filter duplicates"))
    case .leCreateConnection: return .leCreateConnection(try .init(decoding: &reader))
    case .leAddDeviceToFilterAcceptList: return .leAddDeviceToFilterAcceptList(try .init(decoding: &reader))
    case .leRemoveDeviceFromFilterAcceptList: return .leRemoveDeviceFromFilterAcceptList(try .init(decoding: &reader))
    case .leEncrypt: return .leEncrypt(key: try .init(decoding: &reader), plaintext: try .init(decoding: &reader))
    case .leEnableEncryption: return .leEnableEncryption(try .init(decoding: &reader))
    case .leWriteSuggestedDefaultDataLength: return .leWriteSuggestedDefaultDataLength(try .init(decoding: &reader))
    case .leSetDefaultPHY: return .leSetDefaultPHY(try .init(decoding: &reader))
    default: return try decodeConnection(opcode, &reader)
    }
  }

  private static func decodeConnection(
    _ opcode: Opcode, _ reader: inout ByteReader
  ) throws(DecodingFailure) -> Command {
    switch opcode {
    case .disconnect: return .disconnect(try reader.readHandle(), reason: try reader.readErrorCode("reason"))
    case .readRemoteVersionInformation: return .readRemoteVersionInformation(try reader.readHandle())
    case .readRSSI: return .readRSSI(try reader.readHandle())
    case .leConnectionUpdate: return .leConnectionUpdate(try reader.readHandle(), try .init(decoding: &reader))
    case .leReadRemoteFeatures: return .leReadRemoteFeatures(try reader.readHandle())
    case .leLongTermKeyRequestReply:
      return .leLongTermKeyRequestReply(try reader.readHandle(), try .init(decoding: &reader))
    case .leLongTermKeyRequestNegativeReply: return .leLongTermKeyRequestNegativeReply(try reader.readHandle())
    case .leRemoteConnectionParameterRequestReply:
      return .leRemoteConnectionParameterRequestReply(try reader.readHandle(), try .init(decoding: &reader))
    case .leRemoteConnectionParameterRequestNegativeReply:
      return .leRemoteConnectionParameterRequestNegativeReply(
        try reader.readHandle(), reason: try reader.readErrorCode("reason"))
    case .leSetDataLength: return .leSetDataLength(try reader.readHandle(), try .init(decoding: &reader))
    case .leReadPHY: return .leReadPHY(try reader.readHandle())
    case .leSetPHY:
      return .leSetPHY(
        try reader.readHandle(), try .init(decoding: &reader), options: try reader.readUInt16("PHY options"))
    default: return .unknown(opcode, reader.readRemaining())
    }
  }
}
