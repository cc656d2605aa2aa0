import ScenarioLanguage

/// Something a bench can do to a recorder. The raw value is the capability's name in scenarios.
public enum Ability: String, FieldChoice, Hashable, Sendable, CaseIterable {
  case button
  case rail
  case battery
  case clock
  case storage
  case bonds
  case firmware

  public var meaning: String {
    switch self {
    case .button: "Press the button and let it go."
    case .rail: "Hold the supply and take it away."
    case .battery: "Set the voltage of the battery."
    case .clock: "Set the clock by hand."
    case .storage: "Erase the records; new ones are made with the button."
    case .bonds: "Make the recorder forget its bonds."
    case .firmware: "Write the bootloader with the public test key, and an application of version 1."
    }
  }

  /// As reports name it: `actuators: button`.
  public var capability: String { "actuators: \(rawValue)" }
}

/// `console: {RawSerialPort: …, image: f934e997}`: the recorder's UART.
public struct ConsolePlan: FieldGroupValue {
  static let imageField = Field<String?>("image", "What the boot banner must name: the firmware's hash.")
  public static var group: FieldGroup { FieldGroup(LineFields.all + [imageField]) }

  let line: LineResource?
  /// What the boot banner must name; `nil` when it does not matter.
  public let image: String?

  init(line: LineResource?, image: String?) {
    self.line = line
    self.image = image
  }

  public init(_ arguments: Arguments) {
    line = LineFields.resource(arguments)
    image = arguments[Self.imageField]
  }
}

/// `supply: {NetworkSerialPort: …, identity: "RIGOL TECHNOLOGIES,DP832"}`: a supply that speaks SCPI.
public struct SupplyPlan: FieldGroupValue {
  static let identityField = Field<String>("identity", "How its answer to *IDN? begins.")
  static let feedsField = Field<Feed>("feeds", "Where it is connected.", default: .battery)
  static let channelField = Field<Int?>("channel", "Which output is meant, for those with several.").limited(to: 1...8)
  static let calibrationField = Field<[CalibrationPoint]>(
    "calibration",
    "What the recorder reports, and what is true; that of the recorder, or 11 to 12, unless stated.", default: [])
  static let highestField = Field<Voltage>(
    "highest", "No more than this is ever at the terminals.", default: Voltage(millivolts: 4_200)
  ).limited(to: Voltage(millivolts: 1)...Voltage(millivolts: 6_000))
  static let toleranceField = Field<Voltage>(
    "tolerance", "How far from what was set counts as settled.", default: Voltage(millivolts: 10)
  ).limited(to: Voltage(millivolts: 1)...Voltage(millivolts: 500))
  static let settlingField = Field<Duration>("settles-within", "How long it may take.", default: .seconds(3))
    .limited(to: Duration.milliseconds(10)...Duration.seconds(60))
  public static var group: FieldGroup {
    FieldGroup(
      LineFields.all + [
        identityField, feedsField, channelField, calibrationField, highestField, toleranceField, settlingField,
      ])
  }

  /// Where a supply is connected.
  enum Feed: String, FieldChoice {
    case battery
    case rail

    var meaning: String {
      switch self {
      case .battery: "In place of the battery: a recorder that is off stays off until its button is pressed."
      case .rail: "At the rail behind the power latch: the recorder boots as soon as it is on."
      }
    }
  }

  let line: LineResource?
  let feeds: Feed
  /// How its answer to `*IDN?` begins.
  public let identity: String
  let channel: Int?
  /// What holds unless the recorder's own place states something, as ``isCalibrated`` tells.
  var calibration: Calibration
  let isCalibrated: Bool
  let highest: Int
  let tolerance: Int
  let settling: Duration

  public init(_ arguments: Arguments) {
    line = LineFields.resource(arguments)
    identity = arguments[Self.identityField]
    feeds = arguments[Self.feedsField]
    channel = arguments[Self.channelField]
    isCalibrated = !arguments[Self.calibrationField].isEmpty
    calibration = isCalibrated ? Calibration(arguments[Self.calibrationField]) : .nominal
    highest = arguments[Self.highestField].millivolts
    tolerance = arguments[Self.toleranceField].millivolts
    settling = arguments[Self.settlingField]
  }

  /// What must be at the terminals for the recorder to report this, in millivolts; `nil` for more than is allowed.
  public func terminalVoltage(reported: Int) -> Int? {
    let millivolts = max(0, calibration.actual(reported: reported))
    return millivolts <= highest ? millivolts : nil
  }
}

/// `{reported: 3.67 V, true: 4.00 V}`
public struct CalibrationPoint: FieldGroupValue {
  static let reportedField = Field<Voltage>(
    "reported", "What the recorder's own formula gives, of which scenarios speak.")
  static let trueField = Field<Voltage>("true", "What is at the recorder's terminals then, as the supply measures it.")
  public static var group: FieldGroup { FieldGroup([reportedField, trueField]) }

  let reported: Int
  let actual: Int

  public init(_ arguments: Arguments) {
    reported = arguments[Self.reportedField].millivolts
    actual = arguments[Self.trueField].millivolts
  }
}

/// `pico: {USBSerialPort: …, serial: E6614C311B}`: a Pico with our firmware on the bed of nails.
public struct PicoPlan: FieldGroupValue {
  static let serialField = Field<String?>("serial", "Which Pico it must be.")
  public static var group: FieldGroup { FieldGroup(LineFields.all + [serialField]) }

  let line: LineResource?
  let serial: String?

  init(line: LineResource?, serial: String?) {
    self.line = line
    self.serial = serial
  }

  public init(_ arguments: Arguments) {
    line = LineFields.resource(arguments)
    serial = arguments[Self.serialField]
  }
}

/// `flash: {USBDebugger: {serial: E6614C311B}, image: recorder.hex}`: a debug probe, driven by OpenOCD.
public struct FlashPlan: FieldGroupValue {
  static let probeField = Field<USBDebugger>("USBDebugger", "The probe.")
  static let imageField = Field<String>("image", "The file whose content the recorder's flash must have.")
  static let programField = Field<String>("program", "OpenOCD.", default: "/usr/bin/openocd")
  static let interfaceField = Field<String>(
    "interface", "OpenOCD's file of the probe's kind.", default: "interface/cmsis-dap.cfg")
  static let targetField = Field<String>("target", "OpenOCD's file of the chip.", default: "target/nrf52.cfg")
  static let limitField = Field<Duration>("within", "How long one run of OpenOCD may take.", default: .seconds(120))
    .limited(to: Duration.seconds(1)...Duration.seconds(1_200))
  public static var group: FieldGroup {
    FieldGroup([probeField, imageField, programField, interfaceField, targetField, limitField])
  }

  let serial: String
  let image: String
  let program: String
  let interface: String
  let target: String
  let limit: Duration

  public init(_ arguments: Arguments) {
    serial = arguments[Self.probeField].serial
    image = arguments[Self.imageField]
    program = arguments[Self.programField]
    interface = arguments[Self.interfaceField]
    target = arguments[Self.targetField]
    limit = arguments[Self.limitField]
  }
}

/// `USBDebugger: {serial: E6614C311B}`
struct USBDebugger: FieldGroupValue {
  static let serialField = Field<String>("serial", "Its serial number.")
  static var group: FieldGroup { FieldGroup([serialField], shorthand: serialField) }

  let serial: String

  init(_ arguments: Arguments) { serial = arguments[Self.serialField] }
}

/// `{for: press, run: [/usr/local/bin/relay, "1", "on"]}`: a program that may be run, and what for.
public struct CommandPlan: FieldGroupValue {
  /// What a program does.
  public enum Purpose: String, FieldChoice, Hashable {
    case press
    case release
    case powerOn = "power-on"
    case cutPower = "cut-power"
    case setBattery = "set-battery"
    case setClock = "set-clock"
    case eraseRecords = "erase-records"
    case forgetBonds = "forget-bonds"
    case installFirmware = "install-firmware"

    public var meaning: String {
      switch self {
      case .press: "Press the button and keep it pressed."
      case .release: "Let the button go."
      case .powerOn: "Hold the supply."
      case .cutPower: "Take the supply away."
      case .setBattery:
        "Set the voltage; in an argument `%millivolts` stands for that at the terminals, `%reported` for what the "
          + "recorder shall report."
      case .setClock: "Set the clock; `%seconds` in an argument stands for seconds since 1970 of local time."
      case .eraseRecords: "Erase all records, and have the recorder boot with none."
      case .forgetBonds: "Make the recorder forget its bonds."
      case .installFirmware: Ability.firmware.meaning
      }
    }
  }

  static let purposeField = Field<Purpose>("for", "What it does.")
  static let runField = Field<[String]>("run", "The program by its full path, and its arguments; no shell sees them.")
  static let limitField = Field<Duration>("within", "How long it may take.", default: .seconds(10))
    .limited(to: Duration.milliseconds(100)...Duration.seconds(600))
  public static var group: FieldGroup { FieldGroup([purposeField, runField, limitField]) }

  /// What the program does.
  public let purpose: Purpose
  let words: [String]
  let limit: Duration

  public init(_ arguments: Arguments) {
    purpose = arguments[Self.purposeField]
    words = arguments[Self.runField]
    limit = arguments[Self.limitField]
  }
}

/// `operator: {does: [button, battery]}`: somebody who does by hand what nothing else can.
public struct OperatorPlan: FieldGroupValue {
  static let abilitiesField = Field<[Ability]>("does", "What the operator is asked for when nothing else can do it.")
  static let limitField = Field<Duration>("within", "How long an answer may take.", default: .seconds(60))
    .limited(to: Duration.milliseconds(100)...Duration.seconds(3_600))
  static let voiceField = Field<[String]?>("speak", "A program that speaks a prompt, which is its last argument.")
  public static var group: FieldGroup {
    FieldGroup([abilitiesField, limitField, voiceField], shorthand: abilitiesField)
  }

  /// What the operator is asked for.
  public let abilities: [Ability]
  let limit: Duration
  let voice: [String]?

  init(abilities: [Ability] = [], limit: Duration, voice: [String]?) {
    self.abilities = abilities
    self.limit = limit
    self.voice = voice
  }

  public init(_ arguments: Arguments) {
    abilities = arguments[Self.abilitiesField]
    limit = arguments[Self.limitField]
    voice = arguments[Self.voiceField]
  }
}
