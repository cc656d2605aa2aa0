import Bytes
import DictofunProtocol
import Foundation
import HostStack
import Phone

let recorderA = BluetoothAddress(0xC0_0102_0304_05, .random)
let recorderB = BluetoothAddress(0xC0_0102_0304_06, .random)

/// An identifier by its digits.
func identifier(_ digits: String) -> RecordIdentifier {
  guard let identifier = RecordIdentifier(digits) else { fatalError("not an identifier: \(digits)") }
  return identifier
}

/// A moment so many seconds after the epoch.
func second(_ seconds: Int64) -> WallTime { WallTime(nanosecondsSinceEpoch: seconds * 1_000_000_000) }

func sampleBond(_ identity: BluetoothAddress, key: UInt8 = 1) -> Bond {
  var bond = Bond(
    identity: identity, localKey: nil,
    peerKey: LongTermKey(
      key: [UInt8](repeating: key, count: 16), encryptedDiversifier: 0xFFFE, randomNumber: 0xFEDC_BA98_7654_3210,
      keySize: 16),
    peerIdentityResolvingKey: [UInt8](repeating: 9, count: 16), secureConnections: false)
  bond.subscriptions = [StoredSubscription(handle: .init(0x1234), subscription: [.notifications, .indications])]
  return bond
}

/// An update of a recorder to a version.
func sampleUpdate(_ recorder: BluetoothAddress, version: UInt32) -> PendingUpdate {
  PendingUpdate(
    recorder: recorder, bootloader: BluetoothAddress(recorder.value + 1, .random), version: version,
    name: "1.\(version).0", begunAt: second(7))
}

/// Everything that a library holds.
struct LibraryContent: Equatable {
  var records: [LibraryRecord]
  var contents: [[UInt8]?]
  var tombstones: [Tombstone]
  var bonds: [Bond]
  var paired: PairedRecorder?
  var history: [ConnectionStatusEntry]
  var ownAddress: BluetoothAddress?
  var refusedFirmware: [RefusedFirmware]
  var installedReleases: [InstalledRelease]
  var pendingUpdates: [PendingUpdate]

  init(_ library: PhoneLibrary) throws {
    records = try library.records()
    contents = try records.map { try library.content(of: $0.number) }
    tombstones = try library.tombstones()
    bonds = try library.bonds()
    paired = try library.pairedRecorder()
    history = try library.connectionHistory()
    ownAddress = try library.ownAddress()
    refusedFirmware = try library.refusedFirmware()
    installedReleases = try library.installedReleases()
    pendingUpdates = try library.pendingUpdates()
  }
}

/// A folder that goes with its owner.
final class TemporaryFolder {
  let path: String

  init() {
    // In memory where the system offers that: these tests ask for thousands of writes to be on disk.
    let shared = "/dev/shm"
    let parent = FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    var template = Array((parent + "/phone-library-" + String(repeating: "X", count: 6)).utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary folder: \(errno)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// The rights of a file, as nine bits.
  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
