import HCI

/// A control PDU of the link layer (Core Specification Vol 6, Part B, 2.4.2). Between two virtual controllers it
/// travels as a value; its length counts on the air. It is seldom, so that it is kept apart from the PDUs that carry it.
indirect enum ControlPDU: Hashable {
  /// New connection parameters from an instant on.
  case connectionUpdateIndication(ConnectionUpdate)
  /// The sender leaves.
  case terminateIndication(ErrorCode)
  /// The central wants encryption.
  case encryptionRequest(EncryptionRequest)
  /// The peripheral's half of what the session key is made of.
  case encryptionResponse(diversifier: UInt64, vector: UInt32)
  /// The peripheral has the key.
  case startEncryptionRequest
  /// Encryption works in the sender's direction.
  case startEncryptionResponse
  /// The opcode received is not known.
  case unknownResponse(UInt8)
  /// The central tells its features.
  case featureRequest(LEFeatures)
  /// Features of the answering side.
  case featureResponse(LEFeatures)
  /// The central wants another key.
  case pauseEncryptionRequest
  /// Encryption is paused in the sender's direction.
  case pauseEncryptionResponse
  /// Version of the sender.
  case versionIndication(RemoteVersion)
  /// A refusal that names only the reason.
  case rejectIndication(ErrorCode)
  /// The peripheral tells its features.
  case peripheralFeatureRequest(LEFeatures)
  /// The peripheral asks for other connection parameters.
  case connectionParameterRequest(LEParameterRequest)
  /// A refusal that names the opcode refused.
  case rejectExtendedIndication(UInt8, ErrorCode)
  /// What the sender can send and receive.
  case lengthRequest(LEDataLengths)
  /// The same from the other side.
  case lengthResponse(LEDataLengths)
  /// PHYs that the sender would like.
  case phyRequest(transmit: PhysicalLayers, receive: PhysicalLayers)
  /// The same from the other side.
  case phyResponse(transmit: PhysicalLayers, receive: PhysicalLayers)
  /// New PHYs from an instant on; `nil` where a direction stays as it is.
  case phyUpdateIndication(PHYUpdate)

  /// Opcodes that a rejection can name (Vol 6, Part B, 2.4.2).
  enum OpCode {
    static let encryptionRequest: UInt8 = 0x03
    static let featureRequest: UInt8 = 0x08
    static let peripheralFeatureRequest: UInt8 = 0x0E
    static let connectionParameterRequest: UInt8 = 0x0F
    static let lengthRequest: UInt8 = 0x14
    static let phyRequest: UInt8 = 0x16
  }

  /// Opcode, and octets of payload with it.
  var shape: (opcode: UInt8, length: Int) {
    switch self {
    case .connectionUpdateIndication: (0x00, 12)
    case .terminateIndication: (0x02, 2)
    case .encryptionRequest: (OpCode.encryptionRequest, 23)
    case .encryptionResponse: (0x04, 13)
    case .startEncryptionRequest: (0x05, 1)
    case .startEncryptionResponse: (0x06, 1)
    case .unknownResponse: (0x07, 2)
    case .featureRequest: (OpCode.featureRequest, 9)
    case .featureResponse: (0x09, 9)
    case .pauseEncryptionRequest: (0x0A, 1)
    case .pauseEncryptionResponse: (0x0B, 1)
    case .versionIndication: (0x0C, 6)
    case .rejectIndication: (0x0D, 2)
    case .peripheralFeatureRequest: (OpCode.peripheralFeatureRequest, 9)
    case .connectionParameterRequest: (OpCode.connectionParameterRequest, 24)
    case .rejectExtendedIndication: (0x11, 3)
    case .lengthRequest: (OpCode.lengthRequest, 9)
    case .lengthResponse: (0x15, 9)
    case .phyRequest: (OpCode.phyRequest, 3)
    case .phyResponse: (0x17, 3)
    case .phyUpdateIndication: (0x18, 5)
    }
  }

  var opcode: UInt8 { shape.opcode }

  /// The feature without which a receiver does not know the PDU (Vol 6, Part B, 4.6).
  var requiredFeature: LEFeatures? {
    switch self {
    case .lengthRequest: .dataPacketLengthExtension
    case .phyRequest: .phy2M
    case .connectionParameterRequest: .connectionParametersRequest
    case .encryptionRequest: .encryption
    case .peripheralFeatureRequest: .peripheralInitiatedFeaturesExchange
    default: nil
    }
  }
}

/// Parameters of LL_CONNECTION_UPDATE_IND (Core Specification Vol 6, Part B, 2.4.2.1).
struct ConnectionUpdate: Hashable {
  /// What holds from the instant on.
  var link: LELinkParameters
  /// From the old anchor to the first one of the new schedule, in nanoseconds. On the air this is a transmit window in
  /// units of 1.25 ms, within which the central chooses.
  var anchorOffset: UInt64
  /// The connection event from which on it holds.
  var instant: UInt16
}

/// Parameters of LL_ENC_REQ (Core Specification Vol 6, Part B, 2.4.2.4).
struct EncryptionRequest: Hashable {
  var randomNumber: UInt64
  var encryptedDiversifier: UInt16
  var diversifier: UInt64
  var vector: UInt32
}

/// Parameters of LL_PHY_UPDATE_IND (Core Specification Vol 6, Part B, 2.4.2.24).
struct PHYUpdate: Hashable {
  var centralToPeripheral: PhysicalLayer?
  var peripheralToCentral: PhysicalLayer?
  var instant: UInt16
}
