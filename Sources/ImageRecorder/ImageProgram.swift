import Board
import FirmwareImages

/// A firmware image with the board it is made for: what ``ExecutedRecorder`` executes.
public struct ImageProgram: Hashable, Sendable {
  /// The application.
  public let application: FirmwareImage
  /// The board.
  public let board: BoardDescription

  /// Checks that an image can be the application of a board. Throws one sentence that says why not.
  public init(_ application: FirmwareImage, on board: BoardDescription) throws(ImageFailure) {
    try application.check(
      start: UInt32(board.softDeviceSize), flashSize: board.chip.flashSize, ramSize: board.chip.ramSize)
    self.application = application
    self.board = board
  }

  /// The board that an image is made for, as far as where it begins tells; `nil` where none of the known ones fits.
  public static func board(for application: FirmwareImage) -> BoardDescription? {
    BoardDescription.all.first { UInt32($0.softDeviceSize) == application.vectorTable }
  }
}
