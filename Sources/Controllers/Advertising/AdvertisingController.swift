import Bytes
import HCI

/// A controller as the advertising states know it: their own, and those that listen to them.
protocol AdvertisingController: LinkController {
  /// The channels on which it advertises and listens.
  var channels: AdvertisingChannels { get }

  // As advertiser.
  var advertisingData: [UInt8] { get }
  var scanResponseData: [UInt8] { get }
  /// Whether the filter accept list has an address.
  func accepts(_ address: BluetoothAddress) -> Bool
  /// Directed advertising timed out (Vol 6, Part B, 4.4.2.4.3).
  func directedAdvertisingEnded()
  /// A connection request was received: advertising ends by itself (Vol 4, Part E, 7.8.9).
  func connectionReceived(_ end: LinkEnd)

  // As listener.
  var initiator: Initiator? { get }
  /// The address in its scan requests.
  var scannerAddress: BluetoothAddress? { get }
  /// Whether it listens on channel 37 + `channel` for the whole of a packet.
  func listens(on channel: Int, _ first: UInt64, _ last: UInt64) -> Bool
  /// Takes an advertising PDU and says what it answers.
  func hears(
    _ advertiser: Advertiser, of sender: any AdvertisingController, _ signalStrength: Int8, channel: Int,
    _ first: UInt64, _ last: UInt64
  ) -> ListenerAnswer
  /// A scan request was sent; `nil` when nothing came back.
  func scanRequestEnded(answeredBy report: LEAdvertisingReport?)
  /// The outcome of a scan request is known at `end`.
  func expectScanResponse(_ report: LEAdvertisingReport?, at end: UInt64)
  /// The connection request is on the air: this controller believes in the connection.
  func connectionRequested(_ end: LinkEnd)
}
