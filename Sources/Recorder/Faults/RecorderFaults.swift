/// The deliberate faults of a recorder: an overlay of independent values over its profile.
///
/// Each thing that can be wrong has one stored value of its own, so several faults can be planted together, none
/// overwrites another, and none changes a policy. The initial values mean that nothing is wrong.
public struct RecorderFaults: Hashable, Sendable {
  /// Faults of advertising.
  public var advertising = AdvertisingFaults()
  /// Faults of links, encryption and bonds.
  public var security = SecurityFaults()
  /// Faults of the battery.
  public var battery = BatteryFaults()
  /// Faults of the clock and of the names that records get from it.
  public var clock = ClockFaults()
  /// Faults of the files list.
  public var list = ListFaults()
  /// Faults of answers other than the files list, and of transfers.
  public var transfer = TransferFaults()
  /// Faults that make the file transfer stop answering.
  public var service = ServiceFaults()
  /// Faults of sound.
  public var recording = RecordingFaults()
  /// Faults of the flash that holds records.
  public var storage = StorageFaults()
  /// Faults of power and of the times that states take.
  public var power = PowerFaults()
  /// Faults of the way into the bootloader, and what an update costs.
  public var update = UpdateFaults()
  /// Faults of the bootloader; decided when the recorder is made, because no update of the application changes them.
  public var bootloader = BootloaderDefects()

  /// A recorder without faults.
  public init() {}
}
