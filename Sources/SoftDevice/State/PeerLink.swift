import Bytes
import HCI
import HostStack

/// Everything the SoftDevice's place keeps of the connection. Its handle towards the image is 0.
struct PeerLink: Sendable {
  /// The host stack's handle.
  let handle: ConnectionHandle
  let peer: BluetoothAddress
  var parameters: ConnectionParameters
  /// ATT_MTU in force.
  var maximumTransmissionUnit = GATTNumber.defaultTransmissionUnit
  /// An exchange of the MTU waits for the image.
  var isExchangeRequested = false
  var isUpdatingParameters = false
  /// The intervals that the image asked for last, in units of 1.25 ms.
  var wantedIntervals: ClosedRange<UInt16> = 0...0
  var isDisconnecting = false
  /// Octets of the longest packets.
  var lengths = (transmit: LEDataLength.octetRange.lowerBound, receive: LEDataLength.octetRange.lowerBound)
  /// The image's say in them.
  var lengthSay = ImageSay.none
  /// The PHYs in use.
  var physicalLayers = (transmit: PHY.le1M, receive: PHY.le1M)
  /// The image's say in them.
  var physicalLayerSay = ImageSay.none

  /// Level of security mode 1.
  var securityLevel: UInt8 = 1
  var keySize: UInt8 = 0
  var pairing: PendingPairing?
  /// The image was asked for a key.
  var isKeyRequested = false
  /// Level that the key gives which the image answered with.
  var keyLevel = AccessMode.encryptedLevel

  /// Client configurations by their number in the table.
  var subscriptions: [UInt16]
  /// Which parts of the system attributes were set.
  var knownSystemAttributes: SystemAttributeParts = []
  /// Notifications on their way.
  var notifications: [NotificationTicket] = []
  /// Notifications that found no place since the last one was sent.
  var crowdedOut = 0
  var indication: PendingIndication?
  var authorization: PendingAuthorization?

  var clientRequest: PendingClientRequest?
  /// Write commands on their way.
  var writeCommands: [ClientToken] = []
  /// The indication of the peer's server may be confirmed by the image.
  var isConfirmationOwed = false

  /// What the image wants to hear of the signal strength: a threshold, 0xFF for nothing.
  var signalThreshold: UInt8?
  var signalStrength: Int8?
}

/// What an image has said in what the ends of a link agree upon.
enum ImageSay: Sendable {
  /// It was not asked and made no wish.
  case none
  /// The phone made a wish, and the image was asked for its own.
  case isAsked
  /// It made a wish.
  case isGiven
}

/// Pairing that goes on.
struct PendingPairing: Sendable {
  /// What the peer asked with.
  var request: PairingFeatures
  /// What the image answered; `nil` until then.
  var answer: PairingFeatures?
  /// Where the image wants the keys: this side's and the peer's encryption key, identity key, signing key, public key.
  var keyStores: [UInt32] = []
  static let keyStoreCount = 8
  var isBonded = false
}

/// An indication that waits for its confirmation.
struct PendingIndication: Hashable, Sendable {
  var ticket: NotificationTicket
  var handle: UInt16
  var isServiceChange: Bool
}

/// An access that waits for `sd_ble_gatts_rw_authorize_reply`.
struct PendingAuthorization: Hashable, Sendable {
  var token: AccessToken
  var handle: UInt16
  var isWrite: Bool
  /// Where a read begins.
  var offset: UInt16
}

/// A request of the image's GATT client.
struct PendingClientRequest: Hashable, Sendable {
  /// What the image asked for.
  enum Kind: Hashable, Sendable {
    case primaryServices(BluetoothUUID?)
    case relationships
    case characteristics
    case descriptors
    case attributeInformation
    case valuesByType
    case value(UInt16, offset: UInt16)
    case values
    case write(UInt16, operation: UInt8, offset: UInt16, [UInt8])
    case transmissionUnit
  }

  var token: ClientToken
  var kind: Kind
}

/// The two parts of the system attributes (`BLE_GATTS_SYS_ATTR_FLAGS`).
struct SystemAttributeParts: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  /// Those of the SoftDevice's own services.
  static let own = SystemAttributeParts(rawValue: 1)
  /// Those of the image's services.
  static let user = SystemAttributeParts(rawValue: 2)
  static let all: SystemAttributeParts = [.own, .user]
}
