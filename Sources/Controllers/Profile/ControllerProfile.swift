import Bytes
import HCI

/// The properties in which virtual controllers differ.
package struct ControllerProfile: Hashable, Sendable {
  /// How it uses the time of its connection events.
  package var timing: LinkTiming
  /// How long a packet takes from the host to the controller; more than zero.
  package var hostToControllerLatency: Duration = .microseconds(500)
  /// How long a packet takes from the controller to the host; more than zero.
  package var controllerToHostLatency: Duration = .microseconds(500)
  /// Octets of data that fit into one ACL buffer, 27 to 65,535.
  package var bufferOctets: UInt16 = 251
  /// How many ACL buffers there are; more than 255 only where they are shared.
  package var bufferCount: UInt16 = 16
  /// Whether LE_Read_Buffer_Size answers 0, so that the host has to use the buffers of BR/EDR.
  package var sharesBuffers = false
  /// The longest packets that the link layer can send and receive.
  package var maximumDataLength = LEDataLength(octets: 251, microseconds: 2120)
  /// The longest packets that it sends until its host states a length.
  package var suggestedDataLength = LEDataLength.shortest
  /// How many packets with data it can receive in one connection event; `nil` for any number.
  package var receiveLimit: Int?
  /// What the link layer can do.
  package var features: LEFeatures = [
    .encryption, .connectionParametersRequest, .extendedRejectIndication, .peripheralInitiatedFeaturesExchange,
    .dataPacketLengthExtension, .phy2M,
  ]
  /// What the sleep clock is declared to keep, in ppm, 20 to 500.
  package var clockAccuracyPartsPerMillion: UInt16 = 50
  /// How wrong the sleep clock really is, in ppm; positive is slow, so intervals become longer.
  package var clockErrorPartsPerMillion: Int32 = 0
  /// Transmit power in dBm.
  package var transmitPower: Int8 = 0
  /// The public address; `nil` where there is none, and Read_BD_ADDR answers zero.
  package var publicAddress: BluetoothAddress?
  /// Entries that fit into the filter accept list.
  package var filterAcceptListSize = 8
  /// Connections that are possible at the same time, 1 to 255.
  package var connectionLimit = 20
  /// Number of the Core Specification's version: 9 is 5.0.
  package var version: UInt8 = 9
  /// The company that made it.
  package var company: UInt16 = 0xFFFF

  /// The company's number for the implementation; Nordic's SoftDevices give their firmware identifier.
  package var subversion: UInt16 = 0

  /// A controller with this timing, and otherwise with common properties.
  package init(timing: LinkTiming) { self.timing = timing }

  /// The firmware identifier of SoftDevice S140 7.2.0, on which the recorder stands.
  package static let softDeviceIdentifier: UInt16 = 0x0100

  /// The controller of a Nordic recorder with a GAP event length of 80 units of 1.25 ms and one link.
  package static let recorder: ControllerProfile = {
    var profile = ControllerProfile(timing: .softDevice(eventLength: .milliseconds(100)))
    profile.clockAccuracyPartsPerMillion = 20
    profile.company = 0x0059
    profile.subversion = softDeviceIdentifier
    profile.connectionLimit = 1
    return profile
  }()

  /// The controller of a phone.
  package static let phone: ControllerProfile = {
    var profile = ControllerProfile(timing: .phone)
    profile.suggestedDataLength = profile.maximumDataLength
    return profile
  }()

  /// The commands that this controller has.
  var supportedCommands: [Opcode] {
    var opcodes: [Opcode] = [
      .disconnect, .readRemoteVersionInformation, .setEventMask, .reset, .setEventMaskPage2,
      .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBufferSize,
      .readDeviceAddress, .readRSSI, .leSetEventMask, .leReadBufferSize, .leReadBufferSizeV2,
      .leReadLocalSupportedFeatures, .leSetRandomAddress, .leSetAdvertisingParameters,
      .leReadAdvertisingPhysicalChannelTxPower, .leSetAdvertisingData, .leSetScanResponseData,
      .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable, .leCreateConnection,
      .leCreateConnectionCancel, .leReadFilterAcceptListSize, .leClearFilterAcceptList,
      .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList, .leConnectionUpdate,
      .leReadRemoteFeatures, .leEncrypt, .leRand, .leReadSupportedStates,
    ]
    if features.contains(.encryption) {
      opcodes += [.leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply]
    }
    if features.contains(.connectionParametersRequest) {
      opcodes += [.leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply]
    }
    if features.contains(.dataPacketLengthExtension) {
      opcodes += [
        .leSetDataLength, .leReadSuggestedDefaultDataLength, .leWriteSuggestedDefaultDataLength,
        .leReadMaximumDataLength,
      ]
    }
    if features.contains(.phy2M) || features.contains(.phyCoded) {
      opcodes += [.leReadPHY, .leSetDefaultPHY, .leSetPHY]
    }
    return opcodes
  }

  var physicalLayers: PhysicalLayers {
    var layers: PhysicalLayers = .le1M
    if features.contains(.phy2M) { layers.insert(.le2M) }
    if features.contains(.phyCoded) { layers.insert(.leCoded) }
    return layers
  }

  /// The declared accuracy as LE_Connection_Complete and CONNECT_IND have it (Core Specification Vol 6, Part B,
  /// 2.3.3.1).
  var clockAccuracyCode: UInt8 {
    switch clockAccuracyPartsPerMillion {
    case ...20: 7
    case ...30: 6
    case ...50: 5
    case ...75: 4
    case ...100: 3
    case ...150: 2
    case ...250: 1
    default: 0
    }
  }
}
