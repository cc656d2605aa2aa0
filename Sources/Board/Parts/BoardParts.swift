/// What stands around the chip.
struct BoardParts: Hashable, Sendable {
  var storage = NORFlash()
  var clock = ClockChip()
  var console = ConsoleInput()
  var microphone = SoundSource()
  var latch = PowerLatch()
  /// Voltage at the battery's terminals, in millivolts.
  var batteryMillivolts = 4000
  var isButtonPressed = false

  /// Whether the board keeps its power: by the latch, the button, or something that holds the rail.
  var holdsPower: Bool { latch.isClosed || isButtonPressed || latch.isRailHeld }
}
