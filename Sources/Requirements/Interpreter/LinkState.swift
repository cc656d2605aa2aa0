import Bytes
import HCI
import Packets

/// A request of the Attribute Protocol that waits for its answer.
struct OutstandingRequest {
  var opcode: ATTOpcode
  /// The attribute asked for; 0 where the request names a range or none.
  var handle = AttributeHandle(0)
  /// The type that a discovery asks for.
  var type: BluetoothUUID?
  /// Whether the answer may hold what was recorded.
  var isAnswerCovered = false
  /// The attributes that the request writes from what was prepared.
  var executed: [AttributeHandle] = []
}

/// A part of a value that waits for Execute Write Request (Vol 3, Part F, 3.4.6).
struct PreparedPart {
  /// Parts that are kept on one link; more than any value of a recorder needs.
  static let limit = 64

  var handle: AttributeHandle
  var octets: [UInt8]
}

/// What the interpreter knows of one connection.
struct LinkState {
  let handle: UInt16
  let number: UInt32
  let peer: BluetoothAddress?
  let role: LinkRole
  /// Attributes of the other end's server.
  var remoteMap: AttributeMap
  /// Whether it was said that nothing can be known here.
  var isReportedUndetermined = false
  var isPairing = false
  /// The longest key that the initiator of the pairing offered, in octets, and both once the other side answered.
  var initiatorKeySize: UInt8?
  var keySizes: OfferedKeySizes?
  var sent = FrameAssembly()
  var received = FrameAssembly()
  /// The request of this host, and that of the other end: one each (Vol 3, Part F, 3.3.2).
  var localRequest: OutstandingRequest?
  var remoteRequest: OutstandingRequest?
  var clientMTU: UInt16 = 0
  /// The ATT_MTU that was agreed, in octets; `nil` where no agreement was seen.
  var agreedMTU: UInt16?
  /// Whether an unpairing waits for its answer.
  var isUnpairing = false
  /// What the other end or this one prepared to write.
  var prepared: [PreparedPart] = []
  var transfer = FileTransferFollower()
  var update = FirmwareUpdateFollower()

  /// The ATT_MTU in octets: the one that was agreed, or with which every link begins (Vol 3, Part G, 5.2.1); `nil` where the
  /// packets begin inside the connection, and it may have been agreed before.
  var usedMTU: UInt16? { agreedMTU ?? (peer == nil ? nil : ATTPDU.defaultMTU) }

  /// Takes the assembly of a direction out, or puts it back, so that it is changed without a copy.
  mutating func exchangeAssembly(_ direction: PacketDirection, _ assembly: inout FrameAssembly) {
    switch direction {
    case .toController: swap(&sent, &assembly)
    case .toHost: swap(&received, &assembly)
    }
  }
}
