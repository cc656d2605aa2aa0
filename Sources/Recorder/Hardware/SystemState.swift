/// State of the recorder's system task; the raw values are those of its log.
public enum SystemState: UInt8, Hashable, Sendable, CaseIterable {
  /// Booting; waits for the button or for the time to offer Bluetooth.
  case initialisation = 0
  /// The battery is low; soon off.
  case batteryLow = 1
  /// Stored mode is development: waits for console commands. Not entered by the profiles that exist.
  case developmentMode = 2
  /// The flash is handed to the audio side and a record is created.
  case recordPrepare = 3
  /// Sound is taken until the button is released.
  case recording = 4
  /// The record is closed.
  case recordEnd = 5
  /// Bluetooth is offered.
  case bluetoothOperation = 6
  /// The flash has no room for a record.
  case outOfMemory = 16
  /// The flash does not answer as it should.
  case memoryIsCorrupt = 17
  /// Switching off.
  case shutdown = 32

  /// The state's name in the firmware.
  public var firmwareName: String {
    switch self {
    case .initialisation: "INIT"
    case .batteryLow: "BATTERY_LOW"
    case .developmentMode: "DEVELOPMENT_MODE"
    case .recordPrepare: "RECORD_PREPARE"
    case .recording: "RECORDING"
    case .recordEnd: "RECORD_END"
    case .bluetoothOperation: "BLE_OPERATION"
    case .outOfMemory: "OUT_OF_MEMORY"
    case .memoryIsCorrupt: "MEMORY_IS_CORRUPT"
    case .shutdown: "SHUTDOWN"
    }
  }

  /// Everything that the LED can show, each once, in the order of the states.
  package static let lights = allCases.flatMap { [$0.light(isConnected: false), $0.light(isConnected: true)] }
    .reduce(into: [LightSignal]()) { if !$0.contains($1) { $0.append($1) } }

  /// What the LED shows in this state, with or without a phone.
  func light(isConnected: Bool) -> LightSignal {
    switch self {
    case .initialisation: LightSignal(.green, .slow)
    case .batteryLow: LightSignal(.yellow, .fast)
    case .developmentMode: LightSignal(.white, .slow)
    case .recordPrepare: LightSignal(.green, .fast)
    case .recording, .recordEnd: LightSignal(.red, .slow)
    case .bluetoothOperation: LightSignal(.darkBlue, isConnected ? .fast : .slow)
    case .outOfMemory: LightSignal(.purple, .slow)
    case .memoryIsCorrupt: LightSignal(.purple, .fast)
    case .shutdown: LightSignal(.white, .fast)
    }
  }
}
