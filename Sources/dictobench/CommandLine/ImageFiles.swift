import Board
import Bytes
import FirmwareImages
import Foundation
import ImageRecorder

/// A firmware image that can be executed.
struct ExecutableImage: Sendable {
  /// The image on its board.
  let program: ImageProgram
  /// What runs are told apart by: the beginning of its digest.
  let name: String
  /// SHA-256 of the octets that it puts into flash, in hexadecimal. Files that differ in their symbols only have the same.
  let digest: String
  /// What reports call it: file, the beginning of its digest, and board.
  let description: String
}

/// Reads the firmware image that simulated chips shall execute.
enum ImageFiles {
  /// The image of a file.
  static func read(_ path: String, board name: String?) throws(UsageFailure) -> ExecutableImage {
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    guard size <= FirmwareImage.largestFile else {
      throw UsageFailure("\(path): \(size) octets, but an image has at most \(FirmwareImage.largestFile)")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw UsageFailure("cannot read \(path): \(isThere ? "it is not a readable file" : "no such file")")
    }
    do {
      let image = try FirmwareImage([UInt8](data), name: path)
      guard let board = try name.map(BoardFiles.board) ?? ImageProgram.board(for: image) else {
        throw UsageFailure(
          "\(path) begins at 0x\(String(image.vectorTable, radix: 16)), where the application of no known board "
            + "begins; give the application alone, not merged with a SoftDevice, and name its board with --board")
      }
      let program = try ImageProgram(image, on: board)
      let digest = Hexadecimal.string(image.digest)
      let short = digest.prefix(16)
      return ExecutableImage(
        program: program, name: "image \(short)", digest: digest,
        description: "\(path) (SHA-256 of its flash \(short)…, board \(board.name))")
    } catch let failure as ImageFailure {
      throw UsageFailure(failure.description)
    } catch let failure as UsageFailure {
      throw failure
    } catch {
      throw UsageFailure("\(path): \(error)")
    }
  }
}
