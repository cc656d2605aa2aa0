import Bytes
import DictofunProtocol
import HostStack
import Timeline

/// Everything that a simulated recorder is made with.
public struct RecorderConfiguration: Hashable, Sendable {
  /// Its address, a static random one.
  public var address: BluetoothAddress
  /// Which recorder it is.
  public var profile: RecorderProfile
  /// Voltage of its battery as its own formula gives it.
  public var batteryMillivolts = 3700
  /// What its clock shows when the world begins.
  public var clock = RecorderConfiguration.defaultClock
  /// How much faster its clock's crystal swings than it should, in parts per billion.
  public var clockErrorPartsPerBillion: Int64 = 0
  /// How much faster its processor's crystal swings than it should, in parts per billion.
  public var tickErrorPartsPerBillion: Int64 = 0
  /// Records that are in its flash, in the order they were made; what does not fit is left out.
  public var records: [PlacedRecord] = []
  /// Phones that it is bonded with.
  public var bonds: [Bond] = []
  /// Whether it never switches itself off, so that a foreign phone finds it whenever it looks.
  public var staysAwake = false
  /// What is on its chip: bootloader and application.
  public var firmware = RecorderFirmware()
  /// How it pairs: legacy Just Works as the firmware, or with LE Secure Connections where set.
  public var security = SecurityParameters()

  /// Everything in its chip's flash after an earlier life, for a program that keeps its bonds itself; `nil` for a new
  /// chip. The model has no use for it.
  public var chipFlash: [UInt8]?

  /// What it kept from an earlier run; replaces clock, records, bonds and firmware.
  package var memory: RecorderMemory?
  /// Name of its profile without the faults that are planted for this run alone, which its memory is not to keep; the
  /// profile's own unless stated.
  public var lastingProfile: String?

  /// 2024-01-01 12:00:00.
  public static let defaultClock = CivilTime(secondsSinceEpoch: 1_704_110_400)

  /// A recorder with that address.
  public init(address: BluetoothAddress, profile: RecorderProfile = .reference) {
    self.address = address
    self.profile = profile
  }
}
