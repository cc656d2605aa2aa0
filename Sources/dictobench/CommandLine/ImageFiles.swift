import Board
import Bytes
import FirmwareImages
import Foundation
import ImageRecorder

/// A firmware image that can be executed.
struct ExecutableImage: Sendable {
  /// The image on its board, with its bootloader where one is given.
  var program: ImageProgram
  /// What runs are told apart by: the beginning of its digest, and of the bootloader's.
  let name: String
  /// SHA-256 of the octets that the application puts into flash, in hexadecimal. Files that differ in their symbols only
  /// have the same.
  let digest: String
  /// The same of the bootloader; `nil` without one.
  let bootloaderDigest: String?
  /// What reports call it: file, the beginning of its digest, and board; then file and digest of the bootloader.
  let description: String
}

/// Reads the firmware image that simulated chips shall execute, and its bootloader.
enum ImageFiles {
  static let bootloader = OptionDeclaration(
    "--bootloader",
    "With --image: the bootloader that starts the application and updates it, an ELF or Intel HEX file that was built for "
      + "the same board.", value: "FILE")

  static let packages = OptionDeclaration(
    "--packages",
    "With --bootloader: a folder like firmware-images whose packages hold programs that the board can execute, signed with "
      + "the key that the bootloader trusts. What it does not have is taken from firmware-images.", value: "FOLDER")

  static let processorTime = OptionDeclaration(
    "--processor-time",
    "With --target image: how long a recorder's processor may work in one scenario, sleep not counted, at 64 million "
      + "instructions a second; a scenario that needs more is blocked (default: 60s).", value: "DURATION")

  static let defaultProcessorTime = ImageProgram.usualProcessorTime

  /// Digits of a digest that names in reports have.
  static let digestPrefix = 16

  /// What a description has before the folder of packages.
  static let packagesMark = ", packages of "

  /// The image that `--image`, `--board` and `--bootloader` name; `nil` without an image.
  static func read(_ arguments: ParsedArguments) throws(UsageFailure) -> ExecutableImage? {
    let loader = arguments.value(bootloader.name)
    guard let path = arguments.value("--image") else {
      if loader != nil { throw UsageFailure("--bootloader needs --image FILE, the application that it starts") }
      for option in [packages, BoardFiles.declaration] where arguments.isSet(option.name) {
        throw UsageFailure("\(option.name) needs --image FILE")
      }
      return nil
    }
    let folder = arguments.value(packages.name)
    if folder != nil, loader == nil { throw UsageFailure("--packages needs --bootloader FILE, which installs them") }
    return try read(path, board: arguments.value("--board"), bootloader: loader, packages: folder)
  }

  /// The image of a file, above the bootloader of another file where there is one.
  static func read(
    _ path: String, board name: String?, bootloader bootloaderPath: String? = nil, packages folder: String? = nil
  ) throws(UsageFailure) -> ExecutableImage {
    let image = try file(path)
    guard let board = try name.map(BoardFiles.board) ?? ImageProgram.board(for: image) else {
      throw UsageFailure(
        "\(path) begins at 0x\(String(image.vectorTable, radix: 16)), where the application of no known board "
          + "begins; give the application alone, not merged with a SoftDevice, and name its board with --board")
    }
    let loader = try bootloaderPath.map(file)
    var program: ImageProgram
    do { program = try ImageProgram(image, with: loader, on: board) } catch { throw UsageFailure(error.description) }
    let digest = Hexadecimal.string(image.digest)
    let short = digest.prefix(digestPrefix)
    let loaderDigest = loader.map { Hexadecimal.string($0.digest) }
    var (text, mark) = ("\(path) (SHA-256 of its flash \(short)…, board \(board.name))", "image \(short)")
    if let bootloaderPath, let loaderDigest {
      text += ", bootloader \(bootloaderPath) (SHA-256 of its flash \(loaderDigest.prefix(digestPrefix))…)"
      mark += ", bootloader \(loaderDigest.prefix(digestPrefix))"
    }
    if let folder {
      program.installsPackages = true
      text += packagesMark + folder
    }
    return ExecutableImage(
      program: program, name: mark, digest: digest, bootloaderDigest: loaderDigest, description: text)
  }

  /// What a file of a firmware image holds, whatever it is for.
  static func file(_ path: String) throws(UsageFailure) -> FirmwareImage {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    guard size <= FirmwareImage.largestFile else {
      throw UsageFailure("\(path): \(size) octets, but an image has at most \(FirmwareImage.largestFile)")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw UsageFailure("cannot read \(path): \(isThere ? "it is not a readable file" : "no such file")")
    }
    do { return try FirmwareImage([UInt8](data), name: path) } catch { throw UsageFailure(error.description) }
  }
}
