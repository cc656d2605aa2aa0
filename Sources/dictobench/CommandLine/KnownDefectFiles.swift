import Runner
import ScenarioLanguage
import YAML

/// Reads the file of `--known`.
enum KnownDefectFiles {
  static let declaration = OptionDeclaration(
    "--known",
    "The known defects of the firmware. A failure that is declared there does not fail the run; a declared "
      + "failure that does not occur does.",
    value: "FILE")

  /// The same option of a search, whose runs need not show every defect.
  static let searchDeclaration = OptionDeclaration(
    declaration.name, "The known defects of the firmware. A failure that is declared there is not a finding.",
    value: "FILE")

  /// The defects that `--known` declares; none without the option. `library` are the scenarios of the run. A file may also
  /// name scenarios of the folder `scenarios` that this run leaves out.
  ///
  /// - Throws: ``UsageFailure`` with every mistake at its place.
  static func read(_ arguments: ParsedArguments, _ library: ScenarioLibrary) throws(UsageFailure) -> KnownDefects {
    try arguments.value(declaration.name).map { path throws(UsageFailure) in try read(path, library) } ?? KnownDefects()
  }

  /// The defects that a file declares.
  ///
  /// - Throws: ``UsageFailure`` with every mistake at its place.
  static func read(_ path: String, _ library: ScenarioLibrary) throws(UsageFailure) -> KnownDefects {
    let file: SourceFile
    do { file = try SourceFile.readRegular(path) } catch { throw UsageFailure("\(error)") }
    let catalogue = try Vocabularies.catalogue()
    let (defects, problems) = KnownDefects.read(
      file, requirements: catalogue.requirements.map(\.id), scenarios: library.scenarios, others: everyScenario)
    guard let defects else {
      throw UsageFailure(
        "the file of known defects has errors\n" + DiagnosticReport(problems, files: [file]).text())
    }
    return defects
  }

  /// The scenarios of the folder `scenarios`; none where it has errors, which a run of them tells.
  private static func everyScenario() -> [Scenario] {
    guard let files = try? ScenarioFiles.read([]), let vocabulary = try? Vocabularies.current() else { return [] }
    return ScenarioLibrary(files: files, vocabulary: vocabulary).scenarios
  }
}
