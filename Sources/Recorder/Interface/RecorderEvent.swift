import Bytes
import DictofunProtocol
import HCI
import HostStack

/// What a simulated recorder reports about its inside: what no packet shows, or not at once.
public enum RecorderEvent: Hashable, Sendable {
  /// It has booted.
  case poweredOn(BootReason)
  /// It is off.
  case poweredOff(PowerOffReason)
  /// Its state machine moved.
  case stateChanged(from: SystemState, to: SystemState)
  /// Its LED shows something else.
  case lightChanged(LightSignal)
  /// A record was begun under this name.
  case recordBegan(RecordIdentifier)
  /// A record was finished; its size in octets.
  case recordFinished(RecordIdentifier, size: Int)
  /// A record that was begun was lost with the power.
  case recordLost(RecordIdentifier)
  /// There was no room for a record, or the room ended.
  case memoryFull
  /// A record was sent whole.
  case recordDelivered(RecordIdentifier)
  /// The phone said that it has everything; with the number of records that this confirmed.
  case recordsConfirmed(Int)
  /// The flash was formatted; with the number of records lost, and how many of them were never confirmed.
  case formatted(records: Int, unconfirmed: Int)
  /// The battery level shown changed, in percent.
  case batteryLevelChanged(UInt8)
  /// The battery is too low to continue.
  case batteryLow
  /// The clock was set from the phone; what it showed before, and what it shows now.
  indirect case timeTaken(CivilTime, before: CivilTime)
  /// The phone's time was read and not taken.
  case timeIgnored
  /// A phone connected.
  case connected(isBonded: Bool)
  /// The link ended.
  case disconnected(ErrorCode)
  /// A request was written to the control point, accepted or not.
  case requestReceived(ControlPointRequest)
  /// A bond was stored or changed.
  case bondStored(BluetoothAddress)
  /// Pairing made a bond of this identity; how many others it had.
  case bondMade(BluetoothAddress, others: Int)
  /// A phone that wanted to pair was not admitted, because the recorder has this number of owners.
  case pairingRefused(owners: Int)
  /// A phone wrote the request to unpair: the address by which it is known.
  case unpairRequested(BluetoothAddress)
  /// These bonds were deleted at a phone's request.
  case bondsRemoved([BluetoothAddress])
  /// Its bootloader waits for an update.
  case bootloaderStarted
  /// Its application started after the bootloader had something to do; `isWhole` says whether each octet of it is as
  /// somebody built it.
  case applicationStarted(version: UInt32, isWhole: Bool)
  /// Its bootloader took an image, which becomes the application with the next start.
  case updateFinished(version: UInt32)
  /// Its bootloader refused an init packet or an image with this result: the code and, where there is one, the extended
  /// error.
  case updateRefused([UInt8])
  /// Its bootloader threw a packet of an update away, or never got it.
  case updatePacketDropped
  /// The Bluetooth stack could not be set up.
  case bluetoothFailed(HostFailure)
  /// Its chip began to execute a firmware image, with everything it does watched.
  case executionBegan
  /// What its chip executes switched it off: it opened the power latch, or put the chip to System OFF.
  case executionSwitchedOff
  /// What its chip executes wrote a line to the console, made harmless.
  case consoleWritten(String)
  /// Something was found in what its chip executes; each is told once.
  case executionFound(ProgramFinding)
}

/// Why a recorder got power.
public enum BootReason: String, Hashable, Sendable {
  /// Its button was pressed while it was off.
  case button
  /// The power rail was held.
  case rail
  /// It had switched itself off while the rail was held.
  case reset
}

/// Why a recorder is off.
public enum PowerOffReason: String, Hashable, Sendable {
  /// Nothing was recorded since boot.
  case noRecord = "no record"
  /// No phone came after a record.
  case afterRecord = "after record"
  /// The phone that is connected was silent.
  case keepAlive = "keep-alive"
  /// The phone left and did not come back.
  case afterDisconnect = "after disconnect"
  /// It was on for too long.
  case absolute = "max duration"
  /// Its battery is low.
  case batteryLow = "battery low"
  /// Its memory is corrupt.
  case memoryCorrupt = "memory corrupt"
  /// Its firmware switched it off and did not say why.
  case switchedOff = "switched off"
  /// Power was cut.
  case cut = "power cut"
}
