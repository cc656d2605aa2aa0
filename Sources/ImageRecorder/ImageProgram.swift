import Board
import Bytes
import Crypto
import FirmwareImages
import Processor
import SoftDevice

/// A firmware image with the board it is made for, and the bootloader that starts it: what ``ExecutedRecorder`` executes.
package struct ImageProgram: Hashable, Sendable {
  /// The application.
  package let application: FirmwareImage
  /// The bootloader; `nil` for a chip that starts the application itself.
  package let bootloader: FirmwareImage?
  /// The board.
  package let board: BoardDescription
  /// The names of both images' functions.
  package let symbols: SymbolTable
  /// Whether the packages that scenarios name hold programs for this board.
  package var installsPackages = false
  /// How long a recorder's processor may work, sleep not counted, until it is not executed any more; `nil` for ever.
  package var processorTime: Duration?

  /// How long a processor may work unless somebody says otherwise. Five times what the longest of the scenarios needs that
  /// are not about hours of waiting.
  package static let usualProcessorTime = Duration.seconds(60)

  private static let pageSize: UInt32 = 4096

  /// Checks that images can be the application and the bootloader of a board. Throws one sentence that says why not.
  package init(
    _ application: FirmwareImage, with bootloader: FirmwareImage? = nil, on board: BoardDescription
  ) throws(ImageFailure) {
    try application.check(
      start: UInt32(board.softDeviceSize), hasBootloader: bootloader != nil, flashSize: board.chip.flashSize,
      ramSize: board.chip.ramSize)
    if let bootloader {
      try bootloader.checkBootloader(
        above: application, flashSize: board.chip.flashSize, ramSize: board.chip.ramSize)
    }
    self.application = application
    self.bootloader = bootloader
    symbols = bootloader.map { application.symbols.adding(functionsOf: $0.symbols) } ?? application.symbols
    self.board = board
  }

  /// A processor with both images in its flash, for a chip of any address. Its copies share what they do not change, and
  /// the code that is decoded from it.
  package func processor() -> CortexM4 {
    var memory: Memory
    do { memory = try RecorderBoard.memory(of: board) } catch {
      preconditionFailure("the memories of a known board overlap: \(error)")
    }
    for segment in application.segments + (bootloader?.segments ?? []) {
      do { try memory.load(segment.octets, at: segment.address) } catch {
        preconditionFailure("a checked image does not fit into the memories of its board: \(error)")
      }
    }
    return CortexM4(memory: memory)
  }

  /// What else than the application decides what recorders with it show, where it is not as usual. A processor that may
  /// work for ever counts as usual: all that the limit changes is that a scenario can be blocked.
  var conditions: [String] {
    var words: [String] = []
    if board != Self.board(for: application) {
      let digest = SHA256.digest(Array("\(board)".utf8))
      words.append("board \(board.name) \(Self.short(digest))")
    }
    if let bootloader { words.append("bootloader \(Self.short(bootloader.digest))") }
    if installsPackages { words.append("packages of its own") }
    if let processorTime, processorTime != Self.usualProcessorTime { words.append("processor time \(processorTime)") }
    return words
  }

  /// The beginning of a digest, as 16 hexadecimal digits.
  private static func short(_ digest: [UInt8]) -> String { Hexadecimal.string(Array(digest.prefix(8))) }

  /// Where the main stack begins, the first word of the vector table.
  var stackTop: UInt32 { Self.stackTop(of: application) }

  static func stackTop(of image: FirmwareImage) -> UInt32 {
    image.segments[0].octets.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// How many instructions ``processorTime`` are.
  var instructionLimit: UInt64 { processorTime.map { UInt64($0.wholeNanoseconds) * 64 / 1_000 } ?? .max }

  /// The application as an update carries it.
  var applicationOctets: [UInt8] {
    let octets = application.flashOctets
    // Bootloaders write whole words.
    return octets + [UInt8](repeating: 0xFF, count: (4 - octets.count % 4) % 4)
  }

  /// The bootloader's page of settings, the last one of the flash.
  var settingsPage: UInt32 { UInt32(board.chip.flashSize) - Self.pageSize }
  /// The copy of the settings, in the page for the boot record's commands.
  var backupPage: UInt32 { UInt32(board.chip.flashSize) - 2 * Self.pageSize }

  /// Three pages in which the firmware keeps bonds: below the bootloader, or at the end of a flash without one.
  var bondPages: UInt32 { bootloader.map { $0.vectorTable - BondStorage.pageCount * Self.pageSize } ?? board.bondPages }

  /// The board that an image is made for, as far as where it begins tells; `nil` where none of the known ones fits.
  package static func board(for application: FirmwareImage) -> BoardDescription? {
    BoardDescription.all.first { UInt32($0.softDeviceSize) == application.vectorTable }
  }
}
