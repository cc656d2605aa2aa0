import Bytes

/// What a Command_Complete event answers (Core Specification Vol 4, Part E, the return parameters of each command).
public enum ReturnParameters: Hashable, Sendable {
  /// Done, and there is nothing more to say.
  case success
  /// Done on this connection.
  case connection(ConnectionHandle)
  /// The command failed; some controllers send only the status, others the rest of the parameters too.
  case failure(ErrorCode, [UInt8] = [])
  /// Read_Local_Version_Information.
  case localVersion(LocalVersion)
  /// Read_Local_Supported_Commands.
  case supportedCommands(SupportedCommands)
  /// Read_Local_Supported_Features: the features of the BR/EDR link manager.
  case linkManagerFeatures(UInt64)
  /// Read_Buffer_Size.
  case bufferSize(SharedBufferSize)
  /// Read_BD_ADDR.
  case deviceAddress(BluetoothAddress)
  /// Read_RSSI: in dBm; 127 when it cannot be read.
  case signalStrength(ConnectionHandle, Int8)
  /// LE_Read_Buffer_Size.
  case leBufferSize(LEBufferSize)
  /// LE_Read_Buffer_Size, version 2: ACL and isochronous buffers.
  case leBufferSizeV2(LEBufferSize, isochronous: LEBufferSize)
  /// LE_Read_Local_Supported_Features.
  case leFeatures(LEFeatures)
  /// LE_Read_Advertising_Physical_Channel_Tx_Power: in dBm.
  case advertisingPower(Int8)
  /// LE_Read_Filter_Accept_List_Size.
  case filterAcceptListSize(UInt8)
  /// LE_Encrypt: the block, least significant octet first.
  case encrypted(LEKeyOctets)
  /// LE_Rand.
  case randomNumber(UInt64)
  /// LE_Read_Supported_States.
  case supportedStates(UInt64)
  /// LE_Read_Suggested_Default_Data_Length.
  case suggestedDataLength(LEDataLength)
  /// LE_Read_Maximum_Data_Length.
  case maximumDataLength(LEDataLengths)
  /// LE_Read_PHY.
  case phy(ConnectionHandle, transmit: PhysicalLayer, receive: PhysicalLayer)
  /// The answer to a command that this house does not use, or to none.
  case other([UInt8])

  /// Whether the command succeeded, or why it failed; `nil` where only the sender of an unknown command can say.
  public var status: ErrorCode? {
    switch self {
    case .failure(let status, _): status
    case .other: nil
    default: .success
    }
  }

  /// Reads the parameters of the answer to `opcode` from all that is left of the reader.
  public init(of opcode: Opcode, decoding reader: inout ByteReader) throws(DecodingFailure) {
    // The answer to a vendor's command need not even begin with a status.
    guard SupportedCommands.hasPlace(for: opcode) || opcode == .readLocalSupportedCommands else {
      self = .other(reader.readRemaining())
      return
    }
    let status = try reader.readErrorCode()
    guard status == .success else {
      self = .failure(status, reader.readRemaining())
      return
    }
    self = try Self.decodeSuccess(opcode, &reader)
    try reader.expectEnd("return parameters")
  }

  private static func decodeSuccess(
    _ opcode: Opcode, _ reader: inout ByteReader
  ) throws(DecodingFailure) -> ReturnParameters {
    switch opcode {
    case .readLocalVersionInformation: return .localVersion(try LocalVersion(decoding: &reader))
    case .readLocalSupportedCommands:
      let table = try reader.readBytes(SupportedCommands.length, "supported commands")
      return .supportedCommands(SupportedCommands(octets: table))
    case .readLocalSupportedFeatures: return .linkManagerFeatures(try reader.readUInt64("LMP features"))
    case .readBufferSize: return .bufferSize(try SharedBufferSize(decoding: &reader))
    case .readDeviceAddress: return .deviceAddress(try reader.readAddress(.public, "BD_ADDR"))
    case .readRSSI: return .signalStrength(try reader.readHandle(), try reader.readInt8("RSSI"))
    case .leReadBufferSize: return .leBufferSize(try LEBufferSize(decoding: &reader))
    case .leReadBufferSizeV2:
      return .leBufferSizeV2(
        try LEBufferSize(decoding: &reader), isochronous: try LEBufferSize(decoding: &reader))
    case .leReadLocalSupportedFeatures:
      return .leFeatures(LEFeatures(rawValue: try reader.readUInt64("LE features")))
    case .leReadAdvertisingPhysicalChannelTxPower: return .advertisingPower(try reader.readInt8("TX power"))
    case .leReadFilterAcceptListSize: return .filterAcceptListSize(try reader.readUInt8("filter accept list size"))
    case .leEncrypt: return .encrypted(try LEKeyOctets(decoding: &reader))
    case .leRand: return .randomNumber(try reader.readUInt64("random number"))
    case .leReadSupportedStates: return .supportedStates(try reader.readUInt64("LE states"))
    case .leReadSuggestedDefaultDataLength: return .suggestedDataLength(try LEDataLength(decoding: &reader))
    case .leReadMaximumDataLength: return .maximumDataLength(try LEDataLengths(decoding: &reader))
    case .leReadPHY:
      return .phy(
        try reader.readHandle(), transmit: try reader.readValue("TX PHY", PhysicalLayer.self),
        receive: try reader.readValue("RX PHY", PhysicalLayer.self))
    default: return answersWithHandle(opcode) ? .connection(try reader.readHandle()) : .success
    }
  }

  func encode(into writer: inout ByteWriter) {
    switch self {
    case .other(let octets): writer.write(octets)
    case .failure(let status, let rest):
      writer.write(status)
      writer.write(rest)
    default:
      writer.write(ErrorCode.success)
      encodeSuccess(into: &writer)
    }
  }

  private func encodeSuccess(into writer: inout ByteWriter) {
    switch self {
    case .success, .failure, .other: break
    case .connection(let handle): writer.write(handle)
    case .localVersion(let version): version.encode(into: &writer)
    case .supportedCommands(let table): writer.write(table.octets)
    case .linkManagerFeatures(let number), .randomNumber(let number), .supportedStates(let number):
      writer.write(number)
    case .bufferSize(let size): size.encode(into: &writer)
    case .deviceAddress(let address): writer.write(address)
    case .signalStrength(let handle, let strength):
      writer.write(handle)
      writer.write(strength)
    case .leBufferSize(let size): size.encode(into: &writer)
    case .leBufferSizeV2(let size, let isochronous):
      size.encode(into: &writer)
      isochronous.encode(into: &writer)
    case .leFeatures(let features): writer.write(features.rawValue)
    case .advertisingPower(let power): writer.write(power)
    case .filterAcceptListSize(let size): writer.write(size)
    case .encrypted(let block): block.encode(into: &writer)
    case .suggestedDataLength(let length): length.encode(into: &writer)
    case .maximumDataLength(let lengths): lengths.encode(into: &writer)
    case .phy(let handle, let transmit, let receive):
      writer.write(handle)
      writer.write(transmit.rawValue)
      writer.write(receive.rawValue)
    }
  }

  private static func answersWithHandle(_ opcode: Opcode) -> Bool {
    switch opcode {
    case .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply, .leSetDataLength,
      .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply:
      true
    default: false
    }
  }
}
