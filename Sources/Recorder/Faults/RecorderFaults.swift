/// The deliberate faults of a recorder: an overlay of independent values over its profile.
///
/// Each thing that can be wrong has one stored value of its own, so several faults can be planted together, none
/// overwrites another, and none changes a policy. The initial values mean that nothing is wrong.
package struct RecorderFaults: Hashable, Sendable {
  /// Faults of advertising.
  package var advertising = AdvertisingFaults()
  /// Faults of the attributes.
  package var attributes = AttributeFaults()
  /// Faults of connection parameters.
  package var link = LinkFaults()
  /// Faults of the light.
  package var light = LightFaults()
  /// Faults of links, encryption and bonds.
  package var security = SecurityFaults()
  /// Faults of the battery.
  package var battery = BatteryFaults()
  /// Faults of the clock and of the names that records get from it.
  package var clock = ClockFaults()
  /// Faults of the files list.
  package var list = ListFaults()
  /// Faults of answers other than the files list, and of transfers.
  package var transfer = TransferFaults()
  /// Faults that make the file transfer stop answering.
  package var service = ServiceFaults()
  /// Faults of sound.
  package var recording = RecordingFaults()
  /// Faults of the flash that holds records.
  package var storage = StorageFaults()
  /// Faults of power and of the times that states take.
  package var power = PowerFaults()
  /// Faults of the way into the bootloader, and what an update costs.
  package var update = UpdateFaults()
  /// Faults of the bootloader; decided when the recorder is made, because no update of the application changes them.
  package var bootloader = BootloaderDefects()

  /// A recorder without faults.
  package init() {}
}
