import DictofunProtocol

/// How long things take in the recorder, in ticks of its operating system: 1024 a second.
///
/// Every constant of the firmware whose name says milliseconds counts these ticks.
public struct RecorderTiming: Hashable, Sendable {
  /// From boot to offering Bluetooth when the button is not pressed.
  public var bootToBluetooth: Int64 = 800
  /// From boot to a SoftDevice that is set up.
  public var bootToSoftDevice: Int64 = 200
  /// From boot to a file system that is mounted: one page and ten descriptors are read.
  public var mount: Int64 = 24
  /// Handing the flash from the audio side to the Bluetooth side or back, mount included.
  public var ownershipSwitch: Int64 = 40
  /// Creating the descriptor of a new record.
  public var createRecord: Int64 = 15
  /// Closing a record: last page and size.
  public var closeRecord: Int64 = 20
  /// Between two checks of button, battery and time-outs by the state machine.
  public var statePoll: Int64 = 10
  /// From the event that makes a pass of the file transfer necessary to the pass.
  public var enginePass: Int64 = 1
  /// One read of the flash, of any size.
  public var flashRead: Int64 = 2
  /// Closing a file after its last notification was acknowledged.
  public var closeFile: Int64 = 15
  /// Between two measurements of the battery.
  public var batteryPeriod: Int64 = 5000
  /// In the low battery state before the recorder switches itself off.
  public var batteryLow: Int64 = 5000
  /// In the out of memory state before Bluetooth is offered again.
  public var outOfMemory: Int64 = 5000
  /// In the memory corrupt state before the recorder switches itself off.
  public var memoryCorrupt: Int64 = 5000
  /// From boot to power-off when nothing was recorded since.
  public var noRecord: Int64 = 20_000
  /// From the end of a record to power-off when no phone came.
  public var afterRecord: Int64 = 25_000
  /// From the last traffic to power-off while a phone is connected.
  public var keepAlive: Int64 = 15_000
  /// From a disconnection to power-off when no phone comes back.
  public var afterDisconnect: Int64 = 5000
  /// From boot to power-off in any case, once something was recorded.
  public var absolute: Int64 = 480_000
  /// From the decision to switch off to the power latch: a pause of 50 and the latch's own 100.
  public var powerOff: Int64 = 150
  /// From the power latch to the reset that follows when something else holds the rail.
  public var resetOnHeldRail: Int64 = 2000
  /// Erasing the whole flash: 255 blocks of 64 KiB and 15 of 4 KiB.
  public var format: Int64 = 40_000
  /// From a bonded phone's connection to the Security Request it gets when it does not encrypt (one second).
  public var securityRequest: Int64 = 1024
  /// How long a low battery's last notification may take before Bluetooth is switched off.
  public var lowBatteryFarewell: Int64 = 512
  /// How long a recorder that has an owner pairs after its button was used, or after its first bond.
  public var pairingWindow: Int64 = DictofunAdmission.pairingWindow.components.seconds * Oscillator.ticksPerSecond
  /// How long a link without a bond lasts while the recorder does not pair.
  public var strangersLink: Int64 = DictofunAdmission.strangersLink.components.seconds * Oscillator.ticksPerSecond

  /// The published firmware's times.
  public init() {}
}
