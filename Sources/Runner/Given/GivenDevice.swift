import Bytes
import DictofunProtocol
import Recorder
import ScenarioLanguage

/// `given: {device: {battery: 84 %, records: {count: 7, seconds: 4 s}}}`
enum GivenDevice {
  /// Whether the recorder is awake when the scenario begins.
  enum Power: String, FieldChoice {
    case off
    case on

    var meaning: String {
      switch self {
      case .off: "It sleeps until its button is pressed."
      case .on: "It is powered from outside, so it boots without a press of the button."
      }
    }
  }

  /// How the recorder pairs.
  enum Security: String, FieldChoice {
    case legacy
    case secureConnections = "secure-connections"

    var meaning: String {
      switch self {
      case .legacy: "LE legacy pairing, as in the firmware."
      case .secureConnections: "LE Secure Connections."
      }
    }
  }

  /// When the recorder switches itself off.
  enum Timeouts: String, FieldChoice {
    case field
    case never

    var meaning: String {
      switch self {
      case .field: "As in the product: some seconds after the last record or connection."
      case .never: "It stays on."
      }
    }
  }

  static let published = Field<[PublishedBehaviour]>(
    "published", "What it does as the published firmware does, and not as the reference.", default: [])
  static let power = Field<Power>("power", "Whether it is awake at the beginning.", default: .on)
  static let timeouts = Field<Timeouts>("timeouts", "When it switches itself off.", default: .never)
  static let records = Field<RecordPlan?>("records", "Records that it already stores.", needs: Capabilities.storage)
  static let battery = Field<Share>(
    "battery", "Battery level; the voltage is the middle of the range that gives this level.",
    default: Share(percent: 96)
  ).limited(to: Share(percent: 0)...Share(percent: 100)).counted(in: Share(percent: 1))
  /// What a recorder's battery can be set to, before a scenario as well as in it.
  static let voltages = Voltage(millivolts: 0)...Voltage(millivolts: 4_500)
  static let voltage = Field<Voltage?>(
    "voltage", "Voltage of the battery as the recorder reports it, instead of the level."
  ).limited(to: voltages)
  static let clock = Field<CivilDateTime?>("clock", "Its local time at the beginning; the phone's unless stated.")
    .limited(to: CivilDateTime.ofRecorders)
  static let drift = Field<FrequencyError>(
    "drift", "How much faster than nominal its oscillator runs.", default: FrequencyError(partsPerBillion: 0)
  ).limited(to: FrequencyError.simulated)
  static let address = Field<BluetoothAddress?>(
    "address", "Its static random address, which no other recorder has; derived from the seed unless stated.")
  static let security = Field<Security>("security", "How it pairs.", default: .legacy)
  static let bootloader = Field<BootloaderPlan?>("bootloader", "Its bootloader and the installed firmware.")
  static let bootloaderFaults = Field<BootloaderFaultPlan?>("bootloader-faults", "What goes wrong in updates.")

  static let declaration = GivenDeclaration(
    "device", plural: "devices", actor: .device, "A recorder.",
    fields: [
      power, timeouts, records, battery, voltage, clock, drift, address, security, published, bootloader,
      bootloaderFaults,
    ],
    rules: [.single(of: battery, voltage)],
    example: "device: {battery: 84 %, records: {count: 7, seconds: 4 s}}")
}

extension FrequencyError {
  /// The errors of an oscillator that are simulated.
  static var simulated: ClosedRange<Self> {
    let errors = Oscillator.errors
    return Self(partsPerBillion: Int(errors.lowerBound))...Self(partsPerBillion: Int(errors.upperBound))
  }
}

extension PublishedBehaviour: FieldChoice {
  /// The behaviour in one sentence.
  public var meaning: String { summary }
}

extension Arguments {
  /// The battery's voltage that a recorder's section states, in millivolts.
  var batteryMillivolts: Int {
    self[GivenDevice.voltage]?.millivolts
      ?? BatteryLevel.millivolts(percent: UInt8(clamping: self[GivenDevice.battery].percent))
  }
}

/// `records: {count: 7, seconds: 4 s}`
struct RecordPlan: FieldGroupValue {
  static let countField = Field<Int>("count", "How many.").limited(to: 0...253)
  static let lengthField = Field<Duration>("seconds", "Length of each record.", default: .seconds(1))
    .limited(to: Duration.milliseconds(8)...Duration.seconds(600))
  static let gapField = Field<Duration>("apart", "Time from one record to the next.", default: .seconds(60))
    .limited(to: Duration.seconds(1)...Duration.seconds(86_400)).counted(in: Duration.seconds(1))
  static let soundField = Field<SoundName?>("sound", "The WAV file that was recorded; a synthetic voice unless stated.")
  static var group: FieldGroup {
    FieldGroup([countField, lengthField, gapField, soundField], shorthand: countField)
  }

  /// How many.
  let count: Int
  /// How long each is.
  let length: Duration
  /// Time from one to the next.
  let gap: Duration
  /// The sound that was recorded; `nil` for a synthetic voice.
  let sound: String?
  /// Whether such records can be made with the button, one after another.
  let canBeMade: Bool

  init(_ arguments: Arguments) {
    canBeMade = !arguments.states(Self.gapField) && !arguments.states(Self.soundField)
    count = arguments[Self.countField]
    length = arguments[Self.lengthField]
    gap = arguments[Self.gapField]
    sound = arguments[Self.soundField]?.text
  }
}
