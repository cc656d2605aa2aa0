import DictofunProtocol
import Recorder

/// A constant of a recorder that a probe can measure, and the instrument without which it cannot.
package enum ProbedConstant: String, Hashable, Sendable, CaseIterable {
  /// From one advertising event to the next, without the random delay.
  case advertisingInterval = "advertising-interval"
  /// The largest ATT_MTU that it answers.
  case maximumTransmissionUnit = "att-mtu"
  /// One read of the flash.
  case flashRead = "flash-read"
  /// From a bonded phone's connection to the Security Request.
  case securityRequest = "security-request"
  /// How long a link without encryption may last.
  case strangersLink = "strangers-link"
  /// From the last traffic on a link to power-off.
  case keepAlive = "keep-alive"
  /// From power to the first advertisement.
  case bootToAdvertising = "boot-to-advertising"
  /// From boot to power-off when nothing was recorded.
  case noRecord = "no-record"
  /// From power-off to the reset that follows while the rail is held.
  case resetOnHeldRail = "reset-on-held-rail"
  /// From the end of a record to power-off when no phone came.
  case afterRecord = "after-record"
  /// From a disconnection to power-off when no phone comes back.
  case afterDisconnect = "after-disconnect"
  /// Erasing the whole flash.
  case format
  /// Samples a second of the microphone.
  case sampleRate = "sample-rate"
  /// The voltage that it reports for the voltage that it should report.
  case divider
  /// The voltage below which it switches itself off.
  case lowBattery = "low-battery"
  /// Between two measurements of the battery.
  case batteryPeriod = "battery-period"
  /// From boot to a file system that is mounted.
  case mounted = "boot-to-mounted"
  /// How long its bootloader waits for a phone.
  case bootloaderIdle = "bootloader-idle"
  /// How much faster its clock goes than ours.
  case clockDrift = "clock-drift"
  /// Ticks a second of its operating system.
  case tick

  /// What must be there to measure a constant.
  package enum Instrument: String, Hashable, Sendable {
    /// The phone's own radio.
    case radio
    /// Something that presses its button.
    case button
    /// Something that switches its supply rail.
    case rail
    /// Something that sets the voltage in place of its battery.
    case supply
    /// Its console.
    case console
  }

  /// The instrument besides the radio, or the radio.
  package var instrument: Instrument {
    switch self {
    case .advertisingInterval, .maximumTransmissionUnit, .flashRead, .securityRequest, .strangersLink, .keepAlive,
      .bootloaderIdle, .tick:
      .radio
    case .bootToAdvertising, .noRecord, .resetOnHeldRail, .format: .rail
    case .afterRecord, .afterDisconnect, .sampleRate, .clockDrift: .button
    case .mounted: .console
    case .divider, .lowBattery, .batteryPeriod: .supply
    }
  }

  /// What it counts.
  package var unit: MeasuredUnit {
    switch self {
    case .maximumTransmissionUnit: .octets
    case .sampleRate, .tick: .rate
    case .divider: .ratio
    case .lowBattery: .voltage
    case .clockDrift: .drift
    default: .time
    }
  }

  /// Where the profile has it, for the times that it counts in ticks.
  package var ticks: WritableKeyPath<RecorderTiming, Int64>? {
    switch self {
    case .flashRead: \.flashRead
    case .securityRequest: \.securityRequest
    case .strangersLink: \.strangersLink
    case .keepAlive: \.keepAlive
    case .bootToAdvertising: \.bootToBluetooth
    case .noRecord: \.noRecord
    case .resetOnHeldRail: \.resetOnHeldRail
    case .afterRecord: \.afterRecord
    case .afterDisconnect: \.afterDisconnect
    case .format: \.format
    case .mounted: \.mount
    case .batteryPeriod: \.batteryPeriod
    default: nil
    }
  }

  /// Whether it is a time-out that is long enough to tell the length of a tick.
  var tellsTicks: Bool {
    switch self {
    case .securityRequest, .strangersLink, .keepAlive, .noRecord, .afterRecord, .afterDisconnect, .batteryPeriod: true
    default: false
    }
  }
}

extension ProbedConstant {
  /// Ticks a second of a perfect crystal.
  static let nominalTicks: Int64 = 1024
  /// Nanoseconds in a second.
  private static let second: Int64 = 1_000_000_000
  /// Nanoseconds of one unit of the advertising interval.
  private static let slot: Int64 = 625_000

  /// What a recorder of this profile has, in small units.
  package func value(of profile: RecorderProfile) -> Int64 {
    let rate = Self.nominalTicks * (Self.second + profile.tickErrorPartsPerBillion)
    if let ticks {
      let extra = self == .bootToAdvertising ? profile.timing.ownershipSwitch : 0
      return Self.scaled(profile.timing[keyPath: ticks] + extra, by: Self.second * Self.second, over: rate)
    }
    return switch self {
    case .advertisingInterval: Int64(profile.advertisingIntervalSlots) * Self.slot
    case .maximumTransmissionUnit: Int64(profile.maximumTransmissionUnit)
    case .sampleRate: Int64(profile.sampleRate) * unit.scale
    case .divider: Int64(profile.batteryDividerPartsPerMillion)
    case .lowBattery: Int64(profile.lowBatteryMillivolts) * unit.scale
    case .bootloaderIdle: (profile.bootloaderIdle ?? Self.usualBootloaderIdle).wholeNanoseconds
    case .clockDrift: profile.clockErrorPartsPerBillion
    default: rate / 1_000_000
    }
  }

  /// What a profile can have, in small units; beyond it the model would not be a recorder.
  package var range: ClosedRange<Int64> {
    switch self {
    // Core Specification Vol 4, Part E, 7.8.5, and Vol 3, Part F, 3.2.8.
    case .advertisingInterval: 20_000_000...10_240_000_000
    case .maximumTransmissionUnit: 23...517
    case .sampleRate: 1_000_000...100_000_000
    case .divider: 10_000...10_000_000
    case .lowBattery: 0...10_000_000
    case .tick: 900_000...1_150_000
    // The model's crystals are off by a tenth at most.
    case .clockDrift: -100_000_000...100_000_000
    default: 0...Self.longestTime
    }
  }

  /// What bootloaders are built with (`NRF_BL_DFU_INACTIVITY_TIMEOUT_MS`).
  private static let usualBootloaderIdle = Duration.seconds(60)

  /// A day.
  private static let longestTime = 86_400 * second

  /// Gives a profile this constant, held within ``range``. A time becomes ticks of the profile's own length, so ``tick``
  /// comes first.
  package func set(_ value: Int64, in profile: inout RecorderProfile) {
    let value = min(max(value, range.lowerBound), range.upperBound)
    if let ticks {
      let rate = Self.nominalTicks * (Self.second + profile.tickErrorPartsPerBillion)
      let extra = self == .bootToAdvertising ? profile.timing.ownershipSwitch : 0
      profile.timing[keyPath: ticks] = max(1, Self.scaled(value, by: rate, over: Self.second * Self.second) - extra)
      return
    }
    switch self {
    case .advertisingInterval: profile.advertisingIntervalSlots = UInt16(clamping: (value + Self.slot / 2) / Self.slot)
    case .maximumTransmissionUnit: profile.maximumTransmissionUnit = UInt16(clamping: value)
    case .sampleRate: profile.sampleRate = Int(clamping: (value + unit.scale / 2) / unit.scale)
    case .divider: profile.batteryDividerPartsPerMillion = Int(clamping: value)
    case .lowBattery: profile.lowBatteryMillivolts = Int(clamping: (value + unit.scale / 2) / unit.scale)
    case .bootloaderIdle: profile.bootloaderIdle = .milliseconds((value + 500_000) / 1_000_000)
    case .clockDrift: profile.clockErrorPartsPerBillion = value
    default: profile.tickErrorPartsPerBillion = Self.scaled(value, by: 1_000_000, over: Self.nominalTicks) - Self.second
    }
  }

  /// `value` · `factor` / `divisor`, rounded to the nearest.
  private static func scaled(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
    let product = Int128(value) * Int128(factor)
    return Int64(clamping: (product + Int128(divisor) / 2) / Int128(divisor))
  }
}
