extension Command {
  /// The command's opcode.
  public var opcode: Opcode {
    switch self {
    case .disconnect: .disconnect
    case .readRemoteVersionInformation: .readRemoteVersionInformation
    case .setEventMask: .setEventMask
    case .reset: .reset
    case .setEventMaskPage2: .setEventMaskPage2
    case .readLocalVersionInformation: .readLocalVersionInformation
    case .readLocalSupportedCommands: .readLocalSupportedCommands
    case .readLocalSupportedFeatures: .readLocalSupportedFeatures
    case .readBufferSize: .readBufferSize
    case .readDeviceAddress: .readDeviceAddress
    case .readRSSI: .readRSSI
    case .leSetEventMask: .leSetEventMask
    case .leReadBufferSize: .leReadBufferSize
    case .leReadBufferSizeV2: .leReadBufferSizeV2
    case .leReadLocalSupportedFeatures: .leReadLocalSupportedFeatures
    case .leSetRandomAddress: .leSetRandomAddress
    case .leSetAdvertisingParameters: .leSetAdvertisingParameters
    case .leReadAdvertisingPhysicalChannelTxPower: .leReadAdvertisingPhysicalChannelTxPower
    case .leSetAdvertisingData: .leSetAdvertisingData
    case .leSetScanResponseData: .leSetScanResponseData
    case .leSetAdvertisingEnable: .leSetAdvertisingEnable
    case .leSetScanParameters: .leSetScanParameters
    case .leSetScanEnable: .leSetScanEnable
    case .leCreateConnection: .leCreateConnection
    case .leCreateConnectionCancel: .leCreateConnectionCancel
    case .unknown(let opcode, _): opcode
    default: connectionOpcode
    }
  }

  private var connectionOpcode: Opcode {
    switch self {
    case .leReadFilterAcceptListSize: .leReadFilterAcceptListSize
    case .leClearFilterAcceptList: .leClearFilterAcceptList
    case .leAddDeviceToFilterAcceptList: .leAddDeviceToFilterAcceptList
    case .leRemoveDeviceFromFilterAcceptList: .leRemoveDeviceFromFilterAcceptList
    case .leConnectionUpdate: .leConnectionUpdate
    case .leReadRemoteFeatures: .leReadRemoteFeatures
    case .leEncrypt: .leEncrypt
    case .leRand: .leRand
    case .leEnableEncryption: .leEnableEncryption
    case .leLongTermKeyRequestReply: .leLongTermKeyRequestReply
    case .leLongTermKeyRequestNegativeReply: .leLongTermKeyRequestNegativeReply
    case .leReadSupportedStates: .leReadSupportedStates
    case .leRemoteConnectionParameterRequestReply: .leRemoteConnectionParameterRequestReply
    case .leRemoteConnectionParameterRequestNegativeReply: .leRemoteConnectionParameterRequestNegativeReply
    case .leSetDataLength: .leSetDataLength
    case .leReadSuggestedDefaultDataLength: .leReadSuggestedDefaultDataLength
    case .leWriteSuggestedDefaultDataLength: .leWriteSuggestedDefaultDataLength
    case .leReadMaximumDataLength: .leReadMaximumDataLength
    case .leReadPHY: .leReadPHY
    case .leSetDefaultPHY: .leSetDefaultPHY
    case .leSetPHY: .leSetPHY
    default: preconditionFailure("a command has no opcode")
    }
  }
}
