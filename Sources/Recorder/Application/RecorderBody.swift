import Bytes
import DictofunProtocol
import HostStack
import SecureDFU
import Timeline

/// What outlives a recorder's power, and what surrounds the chip: flash, clock, button, battery, microphone.
struct RecorderBody: Hashable, Sendable {
  /// How the firmware in flash behaves.
  var profile: RecorderProfile
  /// The name that the bootloader shall advertise, in its settings.
  var bootloaderName: [UInt8]?
  /// Records.
  var storage = RecordStorage()
  /// Bonds, in the order they were made.
  var bonds: [Bond]
  /// The clock on its own supply.
  var clock: RealTimeClock
  /// Whether the clock was ever set from a phone.
  var hasTakenTime = false
  /// Whether a phone was ever connected.
  var hasBeenConnected = false
  /// Whether the button is down.
  var isButtonPressed = false
  /// Whether something else holds the power rail.
  var isRailHeld = false
  /// Voltage of the battery.
  var batteryMillivolts: Int
  /// What the microphone hears.
  var microphone = Microphone()
  /// Error of the processor's crystal.
  var tickErrorPartsPerBillion: Int64

  /// A recorder as it was made and used before the world began.
  init(_ configuration: RecorderConfiguration) {
    profile = configuration.profile
    bonds = configuration.bonds
    clock = RealTimeClock(
      configuration.clock,
      partsPerBillion: configuration.clockErrorPartsPerBillion + configuration.profile.clockErrorPartsPerBillion,
      at: .zero)
    batteryMillivolts = configuration.batteryMillivolts
    tickErrorPartsPerBillion = configuration.tickErrorPartsPerBillion + configuration.profile.tickErrorPartsPerBillion
    for record in configuration.records { _ = storage.place(record.identifier, record.content) }
    if let memory = configuration.memory { recall(memory) }
  }

  /// Has what it kept.
  private mutating func recall(_ memory: RecorderMemory) {
    storage = memory.storage
    bonds = memory.bonds
    clock = memory.clock
    hasTakenTime = memory.hasTakenTime
    hasBeenConnected = memory.hasBeenConnected
    bootloaderName = memory.bootloaderName
  }

  /// Stores a bond in the place of one with the same identity.
  mutating func store(_ bond: Bond) {
    if let index = bonds.firstIndex(where: { $0.identity == bond.identity }) {
      bonds[index] = bond
    } else {
      bonds.append(bond)
    }
  }
}

extension RecorderMemory {
  init(address: BluetoothAddress, profile: String, board: String, body: RecorderBody, chip: BootloaderFlash) {
    self.init(
      address: address, profile: profile, board: board, storage: body.storage, bonds: body.bonds, clock: body.clock,
      hasTakenTime: body.hasTakenTime, hasBeenConnected: body.hasBeenConnected, bootloaderName: body.bootloaderName,
      chip: chip)
  }
}
