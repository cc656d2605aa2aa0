import Bytes
import DictofunProtocol
import HCI
import Packets

/// What happened, in the words of the product.
///
/// The same words serve both ends of a link: seen from the phone's host `batteryRead` means that the answer came in,
/// seen from the recorder's that it went out.
public enum Happening: Sendable {
  // Advertising.

  /// A host began to advertise; the interval is in units of 0.625 ms.
  case advertisingStarted(intervalSlots: UInt16)
  /// A host stopped advertising, or a connection ended it.
  case advertisingStopped
  /// An advertisement was heard; `isRecorder` when it offers the File Transfer Service.
  case advertisementHeard(BluetoothAddress, isRecorder: Bool, signalStrength: Int8)

  // The link.

  /// A connection was made.
  case linkUp(role: LinkRole, LELinkParameters)
  /// Making a connection ended without one.
  case linkFailed(ErrorCode)
  /// A connection ended for this reason.
  case linkDown(ErrorCode)
  /// The parameters of a connection changed.
  case parametersChanged(LELinkParameters)
  /// The link changed to these PHYs, or kept them when it was asked for others.
  case physicalLayers(transmit: PhysicalLayer, receive: PhysicalLayer)
  /// The longest packets of the link layer changed, in octets of payload: 27 to 251.
  case dataLength(transmit: UInt16, receive: UInt16)
  /// The recorder asked the phone for other parameters.
  case parametersAsked(ParameterUpdateRequest)
  /// The ATT MTU was agreed, in octets.
  case maximumTransmissionUnit(UInt16)
  /// The attributes of the recorder are known on this link: told by discovery, which may go on, or remembered from an
  /// earlier link with the same address.
  case attributesKnown(remembered: Bool)

  // Security.

  /// A pairing began.
  case pairingStarted
  /// A pairing ended with an encrypted link, and each side had offered keys up to these sizes; `nil` where that was not
  /// seen.
  case paired(OfferedKeySizes?)
  /// A pairing was ended by one side for this reason (Vol 3, Part H, 3.5.5).
  case pairingFailed(reason: UInt8)
  /// The link became encrypted, or its key was refreshed.
  case encrypted
  /// The link could not be encrypted.
  case encryptionFailed(ErrorCode)

  // Battery.

  /// The battery level was asked for.
  case batteryAsked
  /// The battery level was answered, in percent.
  case batteryRead(UInt8)
  /// The battery level was notified, in percent.
  case batteryNotified(UInt8)
  /// The phone switched notifications of the battery level on or off.
  case batterySubscribed(Bool)
  /// A value of this number of octets stands where a battery level has one.
  case batteryMalformed(octets: Int)

  // Time.

  /// The recorder asked the phone for the current time.
  case timeAsked
  /// The phone gave the time; `nil` where the value is not a date.
  indirect case timeServed(CivilTime?)
  /// The phone refused with this ATT error.
  case timeRefused(attributeError: UInt8)

  // Services.

  /// The phone wrote to or read from a service of the recorder.
  case serviceUsed(RecorderService)
  /// The phone wrote 0xAD to the pairing characteristic.
  case unpairRequested
  /// The recorder answered that: it took it, or refused.
  case unpairAnswered(isTaken: Bool)
  /// The phone wrote the recorder's GAP device name, and the recorder took it or refused.
  case nameWritten(isAccepted: Bool)
  /// The File Transfer Service moved.
  case fileTransfer(FileTransferHappening)
  /// A firmware update moved, in the recorder's application or in its bootloader.
  case firmwareUpdate(FirmwareUpdateHappening)

  // What the interpreter could not do.

  /// A packet did not mean anything; the text says which rule it breaks.
  case malformed(String)
  /// What happens on this link cannot be known: the attributes were discovered before the packets begin.
  case undetermined(UndeterminedReason)

  /// Something that only a simulated world can know.
  case oracle(OracleEvent)
}

extension LELinkParameters {
  /// The connection interval.
  package var interval: Duration { .microseconds(Int64(intervalUnits) * 1250) }
  /// The supervision time-out.
  package var supervision: Duration { .milliseconds(Int64(supervisionTimeoutUnits) * 10) }
}

/// The longest keys that two devices offered each other when they paired, in octets: 7 to 16 where they keep to the
/// specification (Vol 3, Part H, 3.5.1).
public struct OfferedKeySizes: Hashable, Sendable {
  /// The longest key that there is, in octets.
  package static let longest: UInt8 = 16

  /// What the initiator offered, our phone.
  public var initiator: UInt8
  /// What the responder offered, the recorder.
  public var responder: UInt8

  /// The size of the key that they use.
  public var agreed: UInt8 { min(initiator, responder) }
}

/// The services of a recorder that a phone may use.
public enum RecorderService: UInt8, Hashable, Sendable, CaseIterable {
  /// The File Transfer Service.
  case fileTransfer
  /// The Battery Service.
  case battery
  /// Nordic's Secure DFU Service.
  case firmwareUpdate
}

/// Why the interpreter cannot say what happens.
public enum UndeterminedReason: String, Hashable, Sendable {
  /// The packets begin in the middle of a connection.
  case beganInsideConnection = "the packets begin inside a connection"
  /// Another connection began, which has the handle or takes the place of one whose end is not among the packets; or the
  /// packets of this host end while those of others go on.
  case endNotSeen = "the packets lack the end of a connection"
  /// The phone uses handles that it learnt before the packets begin.
  case attributesUnknown = "the attributes were discovered before the packets begin"
}

/// What the File Transfer Service did.
public enum FileTransferHappening: Sendable {
  /// A request was written to the control point.
  case requested(ControlPointRequest)
  /// The recorder accepted the write of the last request. This is not the answer yet.
  case requestTaken(ControlPointRequest)
  /// The request that the recorder took can have no answer, because the phone did not enable it on this link.
  case answerNotEnabled(ControlPointRequest)
  /// The recorder refused the write of the last request with this ATT error.
  case requestRefused(ControlPointRequest, attributeError: UInt8)
  /// A part of the list of files came and more must follow: how many files it announces, and how many are there.
  case listing(announced: Int, present: Int)
  /// The list of files is whole.
  case listed([RecordIdentifier])
  /// The size of a file was answered, in octets; the identifier is that of the request.
  case informed(RecordIdentifier?, size: UInt32)
  /// Octets of a file arrived: in this notification, so far, and the size where it was told before.
  case data(RecordIdentifier?, octets: UInt32, received: UInt32, size: UInt32?)
  /// The last octet of a file whose size was told arrived.
  case completed(RecordIdentifier?, octets: UInt32)
  /// The state of the file system was answered.
  case fileSystemStatus(FileSystemStatus)
  /// A request was ended by a status.
  case status(GeneralStatus)
  /// A value of the service was read, and the recorder gave this number of octets.
  case valueRead(octets: Int)
  /// The recorder notified what its protocol does not allow; the text says what is wrong.
  case notUnderstood(String)
}
