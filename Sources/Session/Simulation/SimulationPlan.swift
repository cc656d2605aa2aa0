import Bench
import Recorder
import SecureDFU
import Transports
import World

/// Which recorders are simulated for somebody else's host, and how that host reaches them.
package struct SimulationPlan: Sendable {
  /// What the user stated about the recorders, which must not contradict what they keep.
  package struct Statements: Sendable {
    /// Whether the behaviour was stated.
    package var profile = false
    /// Whether the installed release was stated.
    package var firmware = false
    /// Whether the bootloader was stated.
    package var board = false

    package init() {}
  }

  /// A statement that contradicts what a recorder keeps.
  package enum Contradiction: Error, Equatable, Sendable {
    /// The recorder behaves like this profile.
    case profile(String)
    /// The recorder behaves like a profile that only a file has, and no file was named.
    case unknownProfile(String)
    /// This version is installed.
    case firmware(UInt32)
    /// The recorder has this bootloader.
    case board(String)
    /// The recorder has this address.
    case address(String)
  }

  /// The recorders.
  package var recorders = RecorderPlan()
  /// The bench whose recorders and instruments are simulated; `nil` for none.
  package var bench: BenchFile?
  /// Where hosts attach to virtual controllers.
  package var listens: [TransportSpecification] = []
  /// The controller outside this process that the recorder uses; `nil` for virtual ones.
  package var controller: TransportSpecification?
  /// How that controller is opened.
  package var opening = OpeningOptions()
  /// The seed of addresses and chance.
  package var seed: UInt64 = 1
  /// The folder that keeps what the recorders keep without power; `nil` for none.
  package var state: String?
  /// Path of the socket at which the recorders are steered; `nil` for none.
  package var control: String?
  /// Whether the trace shows keys and recordings.
  package var isUncovered = false
  /// What the user stated about the recorders.
  package var stated = Statements()

  package init() {}

  /// Takes over what recorder `number` keeps.
  ///
  /// - Throws: ``Contradiction`` where the user stated something else.
  package mutating func adopt(_ memory: RecorderMemory, number: Int) throws(Contradiction) {
    if stated.profile, recorders.profile.name != memory.profile { throw .profile(memory.profile) }
    if !stated.profile, RecorderProfile.named(memory.profile) == nil { throw .unknownProfile(memory.profile) }
    if stated.firmware { throw .firmware(memory.firmwareVersion) }
    if stated.board, recorders.firmware.build.name != memory.board { throw .board(memory.board) }
    if recorders.addresses.indices.contains(number), recorders.addresses[number] != memory.address {
      throw .address("\(memory.address)")
    }
    guard let build = BootloaderBuild.all.first(where: { $0.name == memory.board }),
      build != recorders.firmware.build
    else { return }
    recorders.firmware.build = build
    recorders.firmware.timing = FlashTiming(of: build)
  }
}
