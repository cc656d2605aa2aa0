import Foundation
import System
import Verdicts

/// `dictobench manual`
enum ManualCommand: Command {
  static let declaration = CommandDeclaration(
    "manual", "Prints the manual page of dictobench.", options: [], example: "dictobench manual | man -l -")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    console.out(ManualPage.text(CommandTable.declarations, date: date))
    return .passed
  }

  /// The date of the page: that of the sources from which a package is made (`SOURCE_DATE_EPOCH`), so that two packages
  /// of the same sources are identical. Empty where it is not known.
  private static var date: String {
    guard let text = Environment.value("SOURCE_DATE_EPOCH"), let seconds = Int64(text) else {
      return ""
    }
    return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
  }
}
