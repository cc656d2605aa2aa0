import Bytes
import HCI
import Packets

/// Everything that a host stores for one connection.
struct Link: Sendable {
  let handle: ConnectionHandle
  let isCentral: Bool
  /// The peer's address on this connection.
  let peer: BluetoothAddress
  /// The identity behind it, as far as it is known.
  var identity: BluetoothAddress

  /// How long the controller waits for the peer.
  var supervisionTimeout: Duration

  var reassembler = FrameReassembler()
  var signalling: SignallingMachine
  var pairing: PairingMachine
  var security = Security()

  /// ATT_MTU in force.
  var maximumTransmissionUnit = ATTPDU.defaultMTU
  var client: AttributeClient
  var server: AttributeServer
  /// A transaction timed out: only responses are sent from then on (Core Specification Vol 3, Part F, 3.3.3).
  var isBearerDead = false

  /// How far ending it has come.
  var ending = Ending.none
  /// The client's MTU of an exchange that waits for the application.
  var exchange: UInt16?
  /// Whether the application was asked for the key that the central starts encryption with.
  var awaitsKey = false
  /// Token of the random octets that pairing waits for.
  var drawToken: UInt32?
  /// Generations of the timers that run.
  var timers = TimerSet()
  /// Failures of pairing in a row, for the protection against repeated attempts.
  var pairingFailures = 0

  /// How far the ending of a link has come.
  enum Ending: Sendable {
    /// It was not requested.
    case none
    /// For this reason, as soon as the controller has sent what it was given before.
    case afterData(ErrorCode)
    /// The controller was told.
    case commanded

    /// Whether it was asked for.
    var isAskedFor: Bool { if case .none = self { false } else { true } }
  }

  /// How the link is encrypted.
  struct Security: Sendable {
    var isEncrypted = false
    /// Octets of the key in use.
    var keySize: UInt8 = 0
    /// The bond whose key is in use.
    var identity: BluetoothAddress?
    /// The key that encryption is being started with.
    var attempt: Attempt?
    /// What the peer sent encrypted before the controller reported that the link is encrypted.
    var earlyKeys: [[UInt8]] = []
  }

  /// An attempt to encrypt.
  struct Attempt: Sendable {
    /// The bond that the key is from; `nil` for one that pairing has just made.
    var identity: BluetoothAddress?
    var keySize: UInt8
  }
}

/// What the host's timers are for; the kind in their tokens.
enum TimerKind: UInt8, CaseIterable, Sendable {
  /// The outstanding command's answer.
  case command = 1
  /// The event that follows a cancelled connection attempt.
  case cancellation
  /// The response to an ATT request.
  case response
  /// The confirmation of an indication.
  case confirmation
  /// The next SMP command.
  case pairing
  /// The answer to a connection parameter update request.
  case signalling
  /// The end of the time in which no new attempt to pair is taken.
  case repeatedAttempts
  /// The controller's report that everything was sent, before the link is ended.
  case lastData
  /// The end of a link that the controller was told to end.
  case disconnection
  /// The controller's event that a link is encrypted, or cannot be.
  case encryption
  /// The connection event of a link whose data arrived first.
  case strayData
  /// The last data of links that have just ended.
  case farewell

  /// How long it runs; 30 s are the specification's, the others this host's.
  var duration: Duration {
    switch self {
    case .command, .cancellation: .seconds(2)
    // Vol 3, Part F, 3.3.3; Part H, 3.4; Part A, 6.2.1 (RTX at most 60 s, here as SoftDevices have it).
    case .response, .confirmation, .pairing, .signalling: .seconds(30)
    // Several connection events of any interval in use; a dead controller or peer blocks the host no longer than this.
    case .repeatedAttempts, .lastData, .strayData, .farewell: .seconds(1)
    case .disconnection: .seconds(2)
    // On a slow link with much loss the controllers take long. A pairing that waits for it gives up after 30 s. A central
    // waits a multiple of it for the peripheral's host.
    case .encryption: .seconds(20)
    }
  }
}

/// Generations of the timers of one owner that run.
struct TimerSet: Sendable {
  private var generations: [UInt32?] = Array(repeating: nil, count: TimerKind.allCases.count + 1)

  /// The generation of a timer that runs; `nil` for one that does not.
  subscript(_ kind: TimerKind) -> UInt32? {
    get { generations[Int(kind.rawValue)] }
    set { generations[Int(kind.rawValue)] = newValue }
  }
}
