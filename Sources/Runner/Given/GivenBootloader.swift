import Recorder
import ScenarioLanguage
import SecureDFU

/// `bootloader: {build: s140-debug, firmware: 1.4.0, erase: 85 ms, word: 41 us}`
struct BootloaderPlan: FieldGroupValue {
  /// The bootloaders that are known.
  enum Build: String, FieldChoice {
    case s132Debug = "s132-debug"
    case s132Release = "s132-release"
    case s140Debug = "s140-debug"

    var meaning: String {
      switch self {
      case .s132Debug: "nRF52832 with S132; accepts debug packages and starts damaged applications."
      case .s132Release: "nRF52832 with S132; neither."
      case .s140Debug: "nRF52840 with S140; accepts debug packages and starts damaged applications."
      }
    }

    /// The build of that name.
    var build: BootloaderBuild {
      switch self {
      case .s132Debug: .s132Debug
      case .s132Release: .s132Release
      case .s140Debug: .s140Debug
      }
    }
  }

  /// Which pages of settings cannot be read.
  enum Damage: String, FieldChoice {
    case first, copy, both

    var meaning: String {
      switch self {
      case .first: "The primary page."
      case .copy: "The backup page."
      case .both: "Both, so that the bootloader finds no application."
      }
    }

    /// The pages.
    var pages: [SettingsPage] {
      switch self {
      case .first: [.primary]
      case .copy: [.backup]
      case .both: [.primary, .backup]
      }
    }
  }

  static let buildField = Field<Build>("build", "The bootloader's build.", default: .s140Debug)
  static let firmwareField = Field<ReleaseName?>(
    "firmware", "The release that is installed, by its name in the catalogue.")
  static let versionField = Field<Int?>(
    "version", "Version of the application, instead of the release's; 1 when no release is installed."
  )
  .limited(to: 0...Int(UInt32.max))
  static let debugField = Field<Bool?>(
    "debug", "Whether it accepts debug packages; depends on the build unless stated.")
  static let eraseField = Field<Duration?>("erase", "Time to erase a flash page; depends on the chip unless stated.")
    .limited(to: Duration.zero...Duration.seconds(10)).counted(in: Duration.microseconds(1))
  static let wordField = Field<Duration?>("word", "Time to write a word; depends on the chip unless stated.")
    .limited(to: Duration.zero...Duration.milliseconds(100)).counted(in: Duration.microseconds(1))
  static let queueField = Field<Int>("queue", "Number of flash operations that may be queued.", default: 16)
    .limited(to: 5...1000)
  static let savesField = Field<Bool>("saves-progress", "Whether executed objects survive a lost link.", default: false)
  static let reducedField = Field<Bool>(
    "reduced", "Whether it is built with only the requests that an update needs.", default: true)
  static let sameField = Field<Bool>("same-version", "Whether it accepts the installed version again.", default: true)
  static let leakField = Field<Bool>("leaks", "Whether a refused packet leaks a buffer.", default: true)
  static let inactivityField = Field<Duration>(
    "inactivity", "How long it waits for a client before it resets.", default: .seconds(60)
  )
  .limited(to: Duration.milliseconds(100)...Duration.seconds(86_400)).counted(in: Duration.milliseconds(1))

  static let damagedField = Field<Damage?>("damaged-settings", "Which pages of its settings cannot be read.")

  static var group: FieldGroup {
    FieldGroup(
      [
        buildField, firmwareField, versionField, debugField, eraseField, wordField, queueField, savesField,
        reducedField, sameField, leakField, inactivityField, damagedField,
      ], shorthand: buildField)
  }

  /// Name of the release that is installed.
  let release: String?
  /// Version that is stated.
  let version: UInt32?
  /// The bootloader.
  let build: BootloaderBuild
  /// Its flash.
  let timing: FlashTiming
  /// The pages of its settings that cannot be read.
  let damagedSettings: [SettingsPage]
  /// Whether it is to be built, or to work, otherwise than its build says.
  let isBuiltOtherwise: Bool

  init(_ arguments: Arguments) {
    release = arguments[Self.firmwareField]?.text
    version = arguments[Self.versionField].map(UInt32.init(clamping:))
    var build = arguments[Self.buildField].build
    if let isDebug = arguments[Self.debugField] { build.isDebug = isDebug }
    build.flashQueueLimit = arguments[Self.queueField]
    build.savesProgress = arguments[Self.savesField]
    build.isReduced = arguments[Self.reducedField]
    build.acceptsSameVersion = arguments[Self.sameField]
    build.leaksBuffers = arguments[Self.leakField]
    build.inactivityTimeout = Int(arguments[Self.inactivityField].wholeNanoseconds / 1_000_000)
    self.build = build
    var timing = FlashTiming(of: build)
    if let erase = arguments[Self.eraseField] { timing.erase = Int(erase.wholeNanoseconds / 1_000) }
    if let word = arguments[Self.wordField] { timing.word = Int(word.wholeNanoseconds / 1_000) }
    self.timing = timing
    damagedSettings = arguments[Self.damagedField]?.pages ?? []
    isBuiltOtherwise = build != arguments[Self.buildField].build || timing != FlashTiming(of: build)
  }
}
