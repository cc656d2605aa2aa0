import Bench
import Foundation
import ScenarioLanguage
import Transports
import YAML

/// The options of every command that opens controllers.
enum AdapterOptions {
  static let take = OptionDeclaration(
    "--take", "Take the adapter even if the kernel has live links on it, and cut these links.")
  static let quirks = OptionDeclaration(
    "--quirks", "Adapters that deviate from the specification, besides those of \(library).", value: "FILE")

  /// The library of the program's data.
  private static let library = "bench/quirks.yaml"

  /// How the command opens the controllers of a bench, or those that are named on the command line.
  ///
  /// A program that was copied without its data knows no adapter, and opens all of them as the specification says.
  ///
  /// - Throws: ``UsageFailure`` with every mistake at its place.
  static func opening(_ arguments: ParsedArguments, _ bench: BenchFile?) throws(UsageFailure) -> OpeningOptions {
    var options = OpeningOptions(takesAdaptersInUse: arguments.isSet(take.name))
    let own = ProgramData.place(library)
    if FileManager.default.fileExists(atPath: own) { options.quirks.add(try entries(own)) }
    if let path = arguments.value(quirks.name) { options.quirks.add(try entries(path)) }
    if let bench { options.quirks.add(bench.quirks) }
    return options
  }

  private static func entries(_ path: String) throws(UsageFailure) -> [QuirkEntry] {
    let file: SourceFile
    do { file = try SourceFile.readRegular(path) } catch { throw UsageFailure("\(error)") }
    let (entries, problems) = QuirkFile.read(file)
    guard let entries else {
      throw UsageFailure(
        "the library of quirks has errors\n" + DiagnosticReport(problems, files: [file]).text())
    }
    return entries
  }
}
