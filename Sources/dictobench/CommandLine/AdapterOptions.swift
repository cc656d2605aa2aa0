import Bench
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
  /// - Throws: ``UsageFailure`` where the library is missing, and with every mistake at its place.
  static func opening(_ arguments: ParsedArguments, _ bench: BenchFile?) throws(UsageFailure) -> OpeningOptions {
    var options = OpeningOptions(takesAdaptersInUse: arguments.isSet(take.name))
    options.quirks.add(try entries(ProgramData.place(library), isOwn: true))
    if let path = arguments.value(quirks.name) { options.quirks.add(try entries(path, isOwn: false)) }
    if let bench { options.quirks.add(bench.quirks) }
    return options
  }

  private static func entries(_ path: String, isOwn: Bool) throws(UsageFailure) -> [QuirkEntry] {
    let file: SourceFile
    do { file = try SourceFile.read(path) } catch {
      throw isOwn ? ProgramData.missing(path) : UsageFailure("\(error)")
    }
    let (entries, problems) = QuirkFile.read(file)
    guard let entries else {
      throw UsageFailure(
        "the library of quirks has errors\n" + DiagnosticReport(problems, files: [file]).text())
    }
    return entries
  }
}
