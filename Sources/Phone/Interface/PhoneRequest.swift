import Bytes
import HostStack
import SecureDFU

/// A request to the phone by a user, a scenario or the command line.
///
/// Every operation ends in exactly one ``PhoneEvent/operationEnded(_:_:)`` with its token. Operations run one after the
/// other in the order in which they were requested, except ``PhoneOperation/disconnect``, which abandons the running
/// one and all that wait. Before ``PhoneRequest/start`` and after a failure of the controller every operation is
/// abandoned.
package enum PhoneRequest {
  /// Switch the phone on: set up its controller, load library and bonds.
  case start
  /// Run an operation.
  indirect case perform(OperationToken, PhoneOperation)
  /// Ends the application and starts it again: everything that is not in the library is forgotten, links are dropped.
  case restart
  /// Bring the application to the foreground or send it to the background.
  case setForeground(Bool)
  /// Whether it connects and fetches by itself from now on; a running operation continues.
  case setAutomatic(Bool)
  /// The release feed offers one more firmware for the phone's recorder.
  indirect case publish(FirmwareOffer)
  /// Set the phone's clock: civil local time at this very instant.
  case setClock(LocalSeconds)
  /// A transcriber has told what is said in a record.
  case transcribed(RecordNumber, String)
}

/// Seconds of civil local time since 2000-01-01 00:00:00, without a time zone: `CivilTime.secondsSince2000`.
public typealias LocalSeconds = Int64

/// A number by which the caller recognises the end of an operation.
public struct OperationToken: Hashable, Sendable {
  public var rawValue: UInt32
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// One thing the phone can do.
public enum PhoneOperation: Hashable, Sendable {
  /// Listen for recorders and bootloaders for this long; ends in ``PhoneResult/recorders(_:)``.
  case scan(Duration)
  /// Connect to a recorder: the paired one, this address, or the only one in sight. Then exchange the MTU, discover,
  /// secure the link where there is a bond, and read the battery.
  case connect(RecorderChoice)
  /// Connect as `connect` does, but look for no service and read nothing: exchange the MTU, and secure the link where
  /// there is a bond. Such a connection accepts only `attribute`, `pair` and `disconnect`.
  case connectPlainly(RecorderChoice)
  /// Connect as `connectPlainly` does, but leave the link without encryption even where there is a bond, to see what a
  /// recorder does then.
  case connectUnsecured(RecorderChoice)
  /// Connect as `connectPlainly` does, but leave the ATT_MTU at its default of 23 octets, as a phone does that does not ask
  /// for another one.
  case connectNarrowly(RecorderChoice)
  /// Run one procedure of the GATT client on the connection; ends in ``PhoneResult/attribute(_:)``. Values that are
  /// notified or indicated on a plain connection come as ``PhoneEvent/valueReceived(_:_:isIndication:)``.
  case attribute(ClientProcedure)
  /// Pair with the connected recorder and remember it; refused while another one is paired.
  case pair
  /// Tell the recorder to forget its bonds (0xAD to 0x10FE), and forget its keys; the link stays. Without a connection
  /// to the paired recorder, which may be lost or have lost its keys, the phone only forgets its own.
  case unpair
  /// End the connection or the attempt to make one; done at once where there is none.
  case disconnect
  /// Ask for the list of records.
  case list
  /// Ask for the size of one record.
  case inform(RecordSelection)
  /// Fetch one record, whether or not it is new; one that the user removed ends in ``PhoneFailure/noSuchRecord``.
  case download(RecordSelection)
  /// Ask for the state of the file system.
  case fileSystemStatus
  /// Read the battery level.
  case readBattery
  /// Connect where needed, then list and fetch every new record, newest first; with `finishes`, ask for the state of
  /// the file system, say "receive complete" (0x06) and wait for the recorder to disconnect. A record that cannot be
  /// opened is passed over, and the sync then ends in its failure. Never pairs by itself.
  case sync(RecorderChoice, finishes: Bool)
  /// Remove a record from the library; it is never fetched again.
  case delete(RecordSelection)
  /// Listen to a record of the library up to this position, at most to its end; the record is new no longer.
  case listen(RecordSelection, until: Duration)
  /// Write octets to the control point as they are, to test requests that a well-behaved phone does not make.
  case writeControlPoint([UInt8])
  /// Install a package: from the application through the bootloader to the new application, and over as many links as
  /// it takes. Connects where needed; ends without a link, or with one to the application.
  case update(FirmwareOrder, RecorderChoice)
  /// Look into the release feed now; ends in ``PhoneResult/offer(_:)``.
  case lookForFirmware
  /// Answer the standing offer: install it, or refuse it for good.
  case answerOffer(accepts: Bool)
  /// Find out which hardware and firmware the connected recorder has.
  case reportVersions
  /// Let the connected recorder start its bootloader, after having given that a name where there is one, and wait until
  /// the link ends.
  case enterBootloader(name: [UInt8]?)
  /// Write these octets to the application's buttonless characteristic as they are, and wait for its indication.
  case askApplication([UInt8], subscribes: Bool)
  /// Connect to the bootloader of the paired recorder, or of this one; `subscribes` enables its notifications.
  case connectBootloader(RecorderChoice, subscribes: Bool)
  /// Write these octets to the bootloader's control point as they are, and wait for its next notification.
  case askBootloader([UInt8], awaitsReply: Bool)
  /// Write these octets to the bootloader's packet characteristic, at most this many in a packet.
  case sendToBootloader([UInt8], packetSize: Int)
}

/// The recorder that an operation is for.
public enum RecorderChoice: Hashable, Sendable {
  /// The paired one; where none is paired, the only one in sight.
  case paired
  /// The one at this address.
  case address(BluetoothAddress)
}

/// The record that an operation is for.
public enum RecordSelection: Hashable, Sendable {
  /// The newest by the time in its identifier.
  case newest
  /// The oldest by the time in its identifier.
  case oldest
  /// The one with this identifier, as sixteen digits.
  case identifier(String)
}

/// The result of an operation.
public enum PhoneResult: Hashable, Sendable {
  /// The operation succeeded and has no result.
  case done
  /// The recorders heard, in the order they were first heard, and bootloaders among them.
  case recorders([RecorderSighting])
  /// Identifiers, as listed.
  case records([String])
  /// Size of a record in octets.
  case size(UInt32)
  /// A record was fetched.
  case record(identifier: String, bytes: [UInt8])
  /// The state of the file system.
  case fileSystem(free: UInt32, occupied: UInt32, count: UInt32)
  /// Battery level in percent.
  case battery(UInt8)
  /// The result of a sync.
  case synced(SyncSummary)
  /// The result of an update.
  case updated(UpdateSummary)
  /// The firmware that is offered; `nil` where nothing is.
  case offer(FirmwareOffer?)
  /// Which hardware and firmware the recorder has.
  case versions(VersionReport)
  /// The value that the bootloader notified.
  case reply([UInt8])
  /// The result of a procedure of the GATT client.
  case attribute(ClientResult)
}

/// The result of a sync.
public struct SyncSummary: Hashable, Sendable {
  /// Records the recorder listed.
  public var listed = 0
  /// Records fetched.
  public var downloaded = 0
  /// Octets fetched.
  public var octets = 0
  /// Battery level read in this connection, in percent.
  public var battery: UInt8?

  public init() {}
}

/// A recorder that was heard while scanning.
public struct RecorderSighting: Hashable, Sendable {
  /// The address it advertises from.
  public var address: BluetoothAddress
  /// Its identity, where a bond resolves it; else the address itself.
  public var identity: BluetoothAddress
  /// The name it advertises, not escaped: it may contain anything.
  public var name: String
  /// Last received signal strength in dBm; `nil` where unknown.
  public var signalStrength: Int8?
  /// Nanoseconds from the first scan to the last time it was heard.
  public var lastHeardNanoseconds: UInt64
  /// Whether it is the paired one.
  public var isPaired: Bool
  /// Whether its bootloader advertises instead of its application.
  public var isBootloader: Bool
  /// The advertising data that was heard first, octets as on the air.
  public var advertisingData: [UInt8] = []
  /// The scan response that was heard first; empty where none was heard.
  public var scanResponse: [UInt8] = []

  public init(
    address: BluetoothAddress, identity: BluetoothAddress, name: String, signalStrength: Int8?,
    lastHeardNanoseconds: UInt64, isPaired: Bool, isBootloader: Bool = false
  ) {
    self.address = address
    self.identity = identity
    self.name = name
    self.signalStrength = signalStrength
    self.lastHeardNanoseconds = lastHeardNanoseconds
    self.isPaired = isPaired
    self.isBootloader = isBootloader
  }
}
