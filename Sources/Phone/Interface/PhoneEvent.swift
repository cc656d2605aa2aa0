import Bytes
import HCI
import HostStack
import SecureDFU

/// An event that the phone reports.
public enum PhoneEvent: Sendable {
  /// The phone is ready.
  case started
  /// The phone's controller failed; nothing works until it is started again.
  case failed(HostFailure)
  /// An operation begins, when those before it have ended. Not told of what the phone does by itself.
  indirect case operationBegan(PhoneOperation)
  /// An operation ended.
  indirect case operationEnded(OperationToken, Result<PhoneResult, PhoneFailure>)
  /// The shown status of the connection changed.
  case connectionStatus(PhoneConnectionStatus)
  /// A download advanced: octets received and octets expected. In the foreground only.
  case progress(identifier: String, received: UInt32, total: UInt32)
  /// A record arrived completely and is in the library.
  case recordStored(identifier: String, octets: UInt32)
  /// The number of records to which the user has not listened yet; told when it changes. In the foreground only.
  case newRecords(Int)
  /// A record has arrived whole, and a transcript of these octets is wanted.
  case transcriptWanted(RecordNumber, [UInt8])
  /// The user removed a record.
  case recordDeleted(identifier: String, octets: UInt32)
  /// On a plain connection a value was notified or indicated.
  case valueReceived(AttributeHandle, [UInt8], isIndication: Bool)
  /// The battery level changed or was read again, in percent.
  case battery(UInt8)
  /// The battery level is low: the user is told, and only the battery is read.
  case batteryLow(UInt8)
  /// The recorder read the time; the local time it was given.
  case timeServed(LocalSeconds)
  /// The recorder wanted the time while its battery is low and was refused.
  case timeRefused
  /// An update began: its version, and whether the user chose the package instead of taking an offer.
  case updateBegan(version: UInt32?, isAsked: Bool)
  /// The shown state of the update changed.
  case update(UpdateState)
  /// The update is over, with the firmware that the user is told is installed.
  case updateEnded(InstalledAfterUpdate)
  /// A newer firmware is offered to the user.
  indirect case firmwareOffered(FirmwareOffer)
  /// The user answered the offer of this version.
  case firmwareAnswered(version: UInt32, accepted: Bool)
  /// The user was shown the recorder's versions.
  indirect case versionsShown(VersionReport)
  /// The recorder sent something that breaks its protocol.
  case protocolTrouble(String)
  /// The library could not be read or written outside an operation, such as for the history of connections.
  case libraryTrouble(String)
}

/// The status of the connection as the phone shows it.
public enum PhoneConnectionStatus: Hashable, Sendable {
  /// Not connected, and not trying.
  case disconnected(ErrorCode?)
  /// Looking for the recorder.
  case searching
  /// Making the connection.
  case connecting(BluetoothAddress)
  /// Connected; not secured yet.
  case connected(BluetoothAddress)
  /// Connected over an encrypted link.
  case secured(BluetoothAddress)
}

/// The reason why an operation failed.
public enum PhoneFailure: Error, Hashable, Sendable {
  /// No recorder was heard.
  case nothingInSight
  /// Recorders were heard, but not the one that was named.
  case othersInSight([BluetoothAddress])
  /// Several recorders were heard and none was named.
  case severalInSight([BluetoothAddress])
  /// A recorder is paired already; it must be unpaired first.
  case alreadyPaired(BluetoothAddress)
  /// No recorder is paired.
  case notPaired
  /// The phone is not connected.
  case notConnected
  /// The connection could not be made.
  case connectionFailed(ErrorCode)
  /// The connection ended during the operation.
  case disconnected(ErrorCode)
  /// The recorder lacks a service or characteristic.
  case serviceMissing(BluetoothUUID)
  /// The recorder answered a request with an error.
  case refused(ATTErrorCode)
  /// Pairing failed.
  case pairingFailed(PairingFailureReason)
  /// The link could not be encrypted from the bond.
  case securityFailed(ErrorCode)
  /// The recorder does not know the record.
  case recordNotFound(String)
  /// The recorder said that its file system is corrupt.
  case fileSystemCorrupt
  /// The recorder ended the request with another status.
  case status(UInt8)
  /// The recorder did not answer in time.
  case noAnswer
  /// The recorder's answer could not be understood.
  case malformedAnswer(String)
  /// The battery is low, and the operation is not allowed then.
  case batteryLow(UInt8)
  /// An external application reported this failure, by a word that scenarios know.
  case stated(word: String, text: String)
  /// The package cannot be for this recorder, which was not touched; the text says why.
  case packageUnfit(String)
  /// The application or the bootloader refused; its reply, and the firmware that is installed now.
  case updateRefused([UInt8], InstalledAfterUpdate)
  /// The update failed; the firmware that is installed now.
  case updateFailed(UpdateTrouble, InstalledAfterUpdate)
  /// No firmware is offered.
  case nothingOffered
  /// The library has no such record.
  case noSuchRecord
  /// The library could not be read or written; the text says which operation.
  case library(String)
  /// The phone was restarted or the operation overtaken by a disconnect.
  case abandoned
}

extension PhoneFailure {
  /// Whether the recorder that was sought was not heard.
  package var isAbsence: Bool {
    switch self {
    case .nothingInSight, .othersInSight: true
    default: false
    }
  }
}
