import DictofunProtocol
import Timeline

/// What a person, a bench or a scenario does to a recorder.
package enum RecorderControl: Hashable, Sendable {
  /// Something holds the power rail: the recorder boots without a press, and boots again after it switched off.
  case holdRail
  /// Nothing holds the rail any more; a recorder that is on keeps itself on.
  case releaseRail
  /// Power is gone at once. The button brings it back.
  case cutPower
  /// Power will fail at an operation of a flash, that of records or the chip's own: the next when 0 are left out.
  case cutPowerAtFlashOperation(skipping: Int)
  /// The button goes down; a recorder that is off boots.
  case pressButton
  /// The button comes up.
  case releaseButton
  /// The battery's voltage changes, in millivolts as the recorder's own formula gives them.
  case setBattery(millivolts: Int)
  /// The microphone hears something else from now on.
  case setMicrophone(Microphone)
  /// The clock is set by hand.
  indirect case setClock(CivilTime)
  /// Real time passed that its world did not count; its clock, which nobody can hold up, did.
  case countTime(Duration)
  /// The clock's crystal changes, in parts per billion too fast.
  case setClockError(partsPerBillion: Int64)
  /// The processor's crystal changes, in parts per billion too fast.
  case setTickError(partsPerBillion: Int64)
  /// All bonds are gone, as after an erased flash page; the stack hears of it.
  case forgetBonds
  /// All records are gone, as after the console's chip erase and the format at the next boot.
  case eraseRecords
  /// A finished record is put into the flash.
  case placeRecord(PlacedRecord)
  /// The recorder ends the link, if there is one.
  case breakLink
  /// The firmware in flash behaves otherwise, which shows with the next boot.
  indirect case setProfile(RecorderProfile)
  /// Bootloader and application are those with which it began, as after a programmer has written them.
  case writeFirmware
}
