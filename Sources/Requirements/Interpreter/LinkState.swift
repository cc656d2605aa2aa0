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
  /// The ATT_MTU that was agreed, in octets; `nil` where no agreement was seen, which may have been before.
  var agreedMTU: UInt16?
  var transfer = FileTransferFollower()
  var update = FirmwareUpdateFollower()

  /// Takes the assembly of a direction out, or puts it back, so that it is changed without a copy.
  mutating func exchangeAssembly(_ direction: PacketDirection, _ assembly: inout FrameAssembly) {
    switch direction {
    case .toController: swap(&sent, &assembly)
    case .toHost: swap(&received, &assembly)
    }
  }
}
