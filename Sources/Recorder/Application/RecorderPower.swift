import Charts

/// The states of a recorder's chip between power and power: off, in its bootloader, or in a state of the application's
/// system task.
enum PowerState: UInt8, ChartSymbol {
  case off, bootloader, initialisation, recordPrepare, recording, recordEnd, bluetoothOperation, outOfMemory
  case batteryLow, shutdown

  /// The state of the system task; `nil` where the application does not run.
  var systemState: SystemState? {
    switch self {
    case .off, .bootloader: nil
    case .initialisation: .initialisation
    case .recordPrepare: .recordPrepare
    case .recording: .recording
    case .recordEnd: .recordEnd
    case .bluetoothOperation: .bluetoothOperation
    case .outOfMemory: .outOfMemory
    case .batteryLow: .batteryLow
    case .shutdown: .shutdown
    }
  }
}

/// What moves a recorder from one of these states to another.
enum PowerEvent: UInt8, ChartSymbol {
  case powered, bootloaderReset, applicationStarted, updateRequested, powerCut, latchReleased
  case buttonPressed, buttonReleased, bluetoothIsDue, batteryIsLow
  case recordCreated, noRoom, memoryFilled, recordClosed, messageShown, quietTooLong
}

/// The chart of a recorder's power.
///
/// The states and transitions of the application are those of the firmware's system task (`task_state.cpp`); the way
/// through the bootloader is that of Nordic's (nRF5 SDK 17.1.0, `nrf_bootloader_init`). The firmware's states
/// `DEVELOPMENT_MODE` and `MEMORY_IS_CORRUPT` are not here, because the model never enters them. Power can be cut in
/// every state. A request for the bootloader counts when its answer is confirmed, which may be after a press.
package enum RecorderPower {
  /// The chart in words.
  package static let outline = chart.outline

  static let chart = StateChart<PowerState, PowerEvent>(
    "recorder-power", "The chip of a modelled recorder, from power to power: bootloader and system task.",
    initial: .off,
    [
      (.off, .powered, .bootloader),
      (.bootloader, .bootloaderReset, .bootloader),
      (.bootloader, .applicationStarted, .initialisation),
      (.bootloader, .powerCut, .off),
      (.initialisation, .buttonPressed, .recordPrepare),
      (.initialisation, .batteryIsLow, .batteryLow),
      (.initialisation, .bluetoothIsDue, .bluetoothOperation),
      (.initialisation, .powerCut, .off),
      (.recordPrepare, .recordCreated, .recording),
      (.recordPrepare, .noRoom, .outOfMemory),
      (.recordPrepare, .updateRequested, .bootloader),
      (.recordPrepare, .powerCut, .off),
      (.recording, .buttonReleased, .recordEnd),
      (.recording, .memoryFilled, .recordEnd),
      (.recording, .updateRequested, .bootloader),
      (.recording, .powerCut, .off),
      (.recordEnd, .recordClosed, .bluetoothOperation),
      (.recordEnd, .memoryFilled, .outOfMemory),
      (.recordEnd, .updateRequested, .bootloader),
      (.recordEnd, .powerCut, .off),
      (.bluetoothOperation, .buttonPressed, .recordPrepare),
      (.bluetoothOperation, .batteryIsLow, .batteryLow),
      (.bluetoothOperation, .quietTooLong, .shutdown),
      (.bluetoothOperation, .updateRequested, .bootloader),
      (.bluetoothOperation, .powerCut, .off),
      (.outOfMemory, .messageShown, .bluetoothOperation),
      (.outOfMemory, .updateRequested, .bootloader),
      (.outOfMemory, .powerCut, .off),
      (.batteryLow, .messageShown, .shutdown),
      (.batteryLow, .updateRequested, .bootloader),
      (.batteryLow, .powerCut, .off),
      (.shutdown, .latchReleased, .off),
      (.shutdown, .updateRequested, .bootloader),
      (.shutdown, .powerCut, .off),
    ])
}
