import Board
import FirmwareImages

/// A firmware image with the board it is made for: what ``ExecutedRecorder`` executes.
package struct ImageProgram: Hashable, Sendable {
  /// The application.
  package let application: FirmwareImage
  /// The board.
  package let board: BoardDescription

  /// Checks that an image can be the application of a board. Throws one sentence that says why not.
  package init(_ application: FirmwareImage, on board: BoardDescription) throws(ImageFailure) {
    try application.check(
      start: UInt32(board.softDeviceSize), flashSize: board.chip.flashSize, ramSize: board.chip.ramSize)
    self.application = application
    self.board = board
  }

  /// Where the main stack begins, the first word of the vector table.
  var stackTop: UInt32 {
    application.segments[0].octets.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The board that an image is made for, as far as where it begins tells; `nil` where none of the known ones fits.
  package static func board(for application: FirmwareImage) -> BoardDescription? {
    BoardDescription.all.first { UInt32($0.softDeviceSize) == application.vectorTable }
  }
}
