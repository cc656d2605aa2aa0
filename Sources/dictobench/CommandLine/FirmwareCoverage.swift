import ImageRecorder
import Runner
import ScenarioLanguage
import Session
import Text
import Trace
import Verdicts

/// The coverage of the firmware that `--coverage` asks for.
struct FirmwareCoverage: Sendable {
  static let declaration = OptionDeclaration(
    "--coverage",
    "With --target image: write which lines of the firmware the scenarios executed, for lcov and genhtml, and say how "
      + "much that is.", value: "FILE")

  private let image: ExecutableImage
  private let file: String
  private let ledger = CoverageLedger()

  /// - Throws: ``UsageFailure`` for a file without an image.
  init?(_ arguments: ParsedArguments, _ image: ExecutableImage?) throws(UsageFailure) {
    guard let file = arguments.value(Self.declaration.name) else { return nil }
    guard let image else { throw UsageFailure("\(Self.declaration.name) needs --target image") }
    self.image = image
    self.file = file
  }

  /// Runs scenarios with recorders that tell what they execute.
  func covering(_ performer: any ScenarioPerformer) -> any ScenarioPerformer {
    CoveringPerformer(performer, image, ledger)
  }

  /// Writes the file, and says how much was executed by the scenarios and for each requirement of the catalogue.
  ///
  /// - Throws: ``UsageFailure`` where the file cannot be written.
  func finish(
    _ scenarios: [Scenario], _ catalogue: RequirementCatalogue, _ console: Console
  ) throws(UsageFailure) {
    let verifying = catalogue.requirements.map { requirement in
      (requirement.id, scenarios.filter { $0.requirements.contains(requirement.id) }.map(\.name))
    }
    let coverage = ledger.coverage(
      of: image.program.application, by: scenarios.map(\.name), verifying: verifying)
    for line in coverage.lines { console.out(PlainText.escaped(line)) }
    try OutputFile.write(coverage.lcov, to: file)
    console.out("coverage in \(PlainText.escaped(file))")
  }
}

/// Gives every scenario recorders of its own program, which tell a ledger what they execute.
private struct CoveringPerformer: ScenarioPerformer {
  private let performer: any ScenarioPerformer
  private let image: ExecutableImage
  private let ledger: CoverageLedger

  init(_ performer: any ScenarioPerformer, _ image: ExecutableImage, _ ledger: CoverageLedger) {
    self.performer = performer
    self.image = image
    self.ledger = ledger
  }

  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    var settings = settings
    settings.program = image.program.recorderProgram(named: image.name, telling: ledger, scenario: scenario.name)
    return performer.perform(scenario, settings, sinks: sinks, observer: observer)
  }
}
