import Bytes
import DictofunProtocol
import HostStack
import SecureDFU
import Timeline

/// What a recorder keeps without power: records, bonds, its clock, and all of its chip's flash.
package struct RecorderMemory: Hashable, Sendable {
  /// Its address.
  package let address: BluetoothAddress
  /// Name of the profile that it was made with.
  package let profile: String
  /// Name of its bootloader's build.
  package let board: String

  let storage: RecordStorage
  let bonds: [Bond]
  let clock: RealTimeClock
  let hasTakenTime: Bool
  let hasBeenConnected: Bool
  let bootloaderName: [UInt8]?
  let chip: BootloaderFlash

  init(
    address: BluetoothAddress, profile: String, board: String, storage: RecordStorage, bonds: [Bond],
    clock: RealTimeClock, hasTakenTime: Bool, hasBeenConnected: Bool, bootloaderName: [UInt8]?, chip: BootloaderFlash
  ) {
    self.address = address
    self.profile = profile
    self.board = board
    self.storage = storage
    self.bonds = bonds
    self.clock = clock
    self.hasTakenTime = hasTakenTime
    self.hasBeenConnected = hasBeenConnected
    self.bootloaderName = bootloaderName
    self.chip = chip
  }

  /// Its finished records, in the order they were made.
  package var records: [PlacedRecord] {
    storage.finished.map { PlacedRecord(identifier: $0.identifier, content: $0.content) }
  }
  /// How many phones it is bonded with.
  package var bondCount: Int { bonds.count }
  /// Version of its application, as its bootloader knows it.
  package var firmwareVersion: UInt32 { chip.storedSettings?.applicationVersion ?? 0 }
  /// The image of its application; `nil` for a chip without one.
  package var application: [UInt8]? { chip.application }
  /// What its clock shows.
  package func clock(at instant: Instant) -> CivilTime { clock.time(at: instant) }

  /// Octets that are kept beside the table: of each record, and of each page of the banks that is not erased.
  var contents: [[UInt8]] { storage.entries.map(\.content) + chip.pages.filter { !$0.isEmpty } }
}
