import HCI
import HostStack

/// What the SoftDevice tells the recorder's application; several can come in one batch.
enum SoftDeviceEvent {
  /// The stack is set up.
  case ready
  /// The stack cannot be set up.
  case failed(HostFailure)
  /// A phone connected.
  case connected(isBonded: Bool)
  /// The link ended for this reason.
  case disconnected(ErrorCode)
  /// A phone wrote a value; the stack has answered it.
  case written(handle: UInt16, value: [UInt8])
  /// A phone wrote a client configuration; the stack keeps it.
  case subscriptionWritten
  /// The notification that was on its way was acknowledged by the phone's controller.
  case notificationTransmitted
  /// The notification that was on its way will never be.
  case notificationLost
  /// The phone confirmed an indication.
  case indicationConfirmed
  /// A phone wants to pair: whether it is bonded already, and whether it will keep the keys.
  case pairingRequested(isBonded: Bool, keepsKeys: Bool)
  /// The link was encrypted, after pairing or from a bond.
  case secured
  /// Pairing or encrypting failed.
  case securityFailed
  /// A bond was made, or its stored values changed.
  indirect case bondChanged(Bond, isNew: Bool)
  /// The characteristics of the phone's Current Time Service, in order.
  case timeServiceFound([DiscoveredCharacteristic])
  /// The value that was read from the phone.
  case timeRead([UInt8])
}

/// Answer of the SoftDevice to a notification, at once (`sd_ble_gatts_hvx`).
enum NotificationResult: Hashable {
  /// It goes out, with as many octets of the value as the ATT MTU holds.
  case sent(octets: Int)
  /// Another one is on its way; the stack has room for one.
  case busy
  /// There is no link, or the phone has not enabled this characteristic.
  case invalidState
}
