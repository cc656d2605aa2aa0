import Bytes
import DictofunProtocol
import HostStack

/// The configuration of a phone.
public struct PhoneConfiguration {
  /// The address the phone uses on the air.
  public var ownAddress: BluetoothAddress
  /// The key of its private addresses, sixteen octets; `nil` for a phone that uses ``ownAddress`` on the air. A phone
  /// with a key takes a new private address whenever it is switched on or restarted.
  package var resolvingKey: [UInt8]?
  /// Its library.
  public var library: PhoneLibrary
  /// Largest ATT_MTU it asks for, 23 to 517 octets; at 23 it does not ask.
  public var maximumTransmissionUnit: UInt16 = 247
  /// The ATT_MTU of every new link, in octets (Core Specification Vol 3, Part G, 5.2.1).
  public static let defaultMaximumTransmissionUnit = ATTPDU.defaultMTU
  /// Whether it exchanges the ATT_MTU on a new link.
  var asksForMaximumTransmissionUnit: Bool { maximumTransmissionUnit > Self.defaultMaximumTransmissionUnit }
  /// The connection parameters it asks for: 15 to 30 ms.
  public var connectionParameters = ConnectionParameters(minimumIntervalUnits: 12, maximumIntervalUnits: 24)
  /// Its answer when the recorder requests other connection parameters.
  public var parameterUpdatePolicy = ParameterUpdatePolicy.accept
  /// The PHY it asks for once connected; `nil` asks for none.
  public var preferredPHY: PHY?
  /// Its scan parameters.
  public var scanParameters = ScanParameters()
  /// Whether it encrypts a link only when the recorder asks for it, as some phones do, and uses it without encryption where
  /// the recorder does not ask.
  public var waitsForSecurityRequest = false
  /// Its pairing parameters.
  public var security = SecurityParameters()
  /// The time of its clock at instant zero: 2024-01-01 12:00:00 local time.
  public var clockBase: LocalSeconds = 757_425_600
  /// Whether the application begins in the foreground.
  public var isForeground = true
  /// The delay until the application in the background handles events; with zero it handles them at once.
  public var backgroundDelay = Duration.milliseconds(50)
  /// Whether battery notifications are enabled besides the periodic reads.
  public var subscribesToBattery = true
  /// Whether the phone connects to the paired recorder whenever it appears, and fetches new records
  /// (requirement APP-1.2.2.1).
  public var autoSync = false
  /// The offers of the release feed for its recorder when the phone is switched on.
  public var feed: [FirmwareOffer] = []
  /// Whether it asks for transcripts of the records that arrive.
  public var transcribes = false
  /// The addresses of the only recorders that it accepts; `nil` accepts all in sight.
  public var admittedRecorders: [BluetoothAddress]?
  /// What it does where the published application differs.
  package var policies = PhonePolicies()
  /// Its time-outs.
  public var timeouts = PhoneTimeouts()
  /// Its deliberate faults.
  public var faults: [PhoneFault] = []

  public init(ownAddress: BluetoothAddress, library: PhoneLibrary) {
    self.ownAddress = ownAddress
    self.library = library
  }
}

/// The time-outs of a phone.
///
/// The recorder's own limits are 6,000 ticks of 1/1024 s each for status and data of a list, 1,000 for info and file
/// system status, 2,000 for file data. The phone's are longer, so that no answer means a lost or stuck request.
public struct PhoneTimeouts: Hashable, Sendable {
  /// Until the first suitable recorder is heard.
  public var search = Duration.seconds(5)
  /// From the first recorder heard until the phone is sure that it is the only one.
  public var choice = Duration.seconds(1)
  /// Until the connection is made.
  public var connect = Duration.seconds(10)
  /// Until a GATT procedure ends; longer than the thirty seconds after which the stack gives it up.
  public var attribute = Duration.seconds(35)
  /// Until pairing or encrypting ends; longer than the thirty seconds of the Security Manager.
  public var security = Duration.seconds(35)
  /// Until the recorder asks a phone for encryption that waits for that; then the phone goes on without. A recorder asks
  /// a second after the connection, or when it has ended a record.
  public var securityRequest = Duration.seconds(4)
  /// Until the list is there, and between two parts of it.
  public var list = Duration.seconds(15)
  /// Until the size of a record is told.
  public var information = Duration.seconds(3)
  /// Until the state of the file system is told.
  public var fileSystem = Duration.seconds(3)
  /// Until the first octets of a record arrive.
  public var firstData = Duration.seconds(5)
  /// Between two notifications of a record.
  public var nextData = Duration.seconds(4)
  /// Until the recorder disconnects after "receive complete".
  public var finish = Duration.seconds(5)
  /// Until a link that is being closed is gone; longer than the longest supervision time-out.
  public var disconnect = Duration.seconds(40)
  /// Between the last notification of a request and the next request, besides one connection interval: the recorder
  /// closes the file in this time and would drop a request.
  public var settle = Duration.milliseconds(20)
  /// Between two readings of the battery. Requirement APP-1.3.1 asks for one in sixty seconds; the rest of the
  /// minute is for a read that has to wait.
  public var batteryPeriod = Duration.seconds(55)
  /// Between the end of a link and the next automatic search, as in the published application.
  public var autoSyncPause = Duration.seconds(10)
  /// The same after the battery was low, so that the phone does not drain it.
  public var autoSyncPauseWhileLow = Duration.seconds(60)

  /// Between two looks into the release feed (requirement APP-1.4.2).
  public var feedPeriod = Duration.seconds(24 * 3_600)
  /// Until the application or the bootloader answers a request of an update.
  public var updateAnswer = Duration.seconds(20)
  /// Until a link that the recorder is about to end is gone: its supervision time-out and some more.
  public var updateLinkEnd = Duration.seconds(10)
  /// Until the bootloader is heard after the recorder was asked to start it.
  public var bootloaderSearch = Duration.seconds(30)
  /// Until the application is heard after an update: copying 200 KiB takes up to 22 s, and a bootloader without
  /// a connection waits for a minute.
  public var applicationReturn = Duration.seconds(75)

  /// The time-outs of a correct phone.
  public init() {}
}
