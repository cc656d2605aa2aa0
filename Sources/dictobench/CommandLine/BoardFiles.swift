import Board
import Foundation
import ScenarioLanguage
import YAML

/// Finds the board that `--board` means.
enum BoardFiles {
  static let declaration = OptionDeclaration(
    "--board",
    "The board of the image, \(BoardDescription.all.map(\.name).joined(separator: " or ")), or a file that describes "
      + "one (default: found by the image's address).", value: "NAME|FILE")

  /// The board of a name, else of a file.
  ///
  /// - Throws: ``UsageFailure`` where there is neither, and with every mistake of the file at its place.
  static func board(_ name: String) throws(UsageFailure) -> BoardDescription {
    if let known = BoardDescription.all.first(where: { $0.name == name }) { return known }
    let names = BoardDescription.all.map(\.name)
    guard FileManager.default.fileExists(atPath: name) else {
      throw UsageFailure(
        "--board \(name): neither a board (\(names.joined(separator: ", "))) nor a file"
          + ParsedArguments.suggestion(name, names))
    }
    let file: SourceFile
    do { file = try SourceFile.readRegular(name) } catch { throw UsageFailure("\(error)") }
    let (board, problems) = BoardFile.read(file)
    guard let board else {
      throw UsageFailure("the board file has errors\n" + DiagnosticReport(problems, files: [file]).text())
    }
    return board
  }
}
