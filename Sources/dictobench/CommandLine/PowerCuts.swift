import ImageRecorder
import Runner
import ScenarioLanguage
import Session
import Text
import Timeline
import Trace
import Verdicts

/// The power cuts that `--cut-power-within` asks for.
struct PowerCuts: Sendable {
  static let declaration = OptionDeclaration(
    "--cut-power-within",
    "With --target image: cut power at each instruction between these times of every scenario, such as 2s..4s, in copies "
      + "of the recorder, and say what records that costs. The scenarios themselves go on undisturbed.", value: "A..B")

  private let image: ExecutableImage
  private let span: Range<Instant>
  private let ledger = PowerCutLedger()

  /// - Throws: ``UsageFailure`` for cuts without an image, or a span that is not one.
  init?(_ arguments: ParsedArguments, _ image: ExecutableImage?) throws(UsageFailure) {
    guard let text = arguments.value(Self.declaration.name) else { return nil }
    guard let image else { throw UsageFailure("\(Self.declaration.name) needs --target image") }
    guard arguments.value(FirmwareCoverage.declaration.name) == nil else {
      throw UsageFailure("\(Self.declaration.name) and \(FirmwareCoverage.declaration.name) exclude each other")
    }
    guard let span = Self.span(text) else {
      throw UsageFailure(
        "\(Self.declaration.name) needs two times of which the second is later, such as 2s..4s, not \"\(text)\"")
    }
    self.image = image
    self.span = span
  }

  private static func span(_ text: String) -> Range<Instant>? {
    guard let dots = text.firstRange(of: "..") else { return nil }
    let times = [text[..<dots.lowerBound], text[dots.upperBound...]].compactMap { part in
      (try? Dimension.duration.parse(String(part))).flatMap { $0 >= 0 ? Instant(nanoseconds: UInt64($0)) : nil }
    }
    guard times.count == 2, times[0] < times[1] else { return nil }
    return times[0]..<times[1]
  }

  /// Runs scenarios with recorders whose copies lose power.
  func cutting(_ performer: any ScenarioPerformer) -> any ScenarioPerformer {
    CuttingPerformer(performer, image, span, ledger)
  }

  /// Says that there was nothing to cut. Where the run was interrupted that says nothing about the scenario.
  static func nothingExecuted(in scenario: String, isInterrupted: Bool) -> String {
    "power cuts in \(PlainText.escaped(scenario)): the recorder executed nothing in that time"
      + (isInterrupted ? " before the run was interrupted" : "")
  }

  /// Says what the cuts did, scenario by scenario; whether any did harm.
  func finish(_ scenarios: [Scenario], _ console: Console) -> Bool {
    var didHarm = false
    for scenario in scenarios {
      guard let sweep = ledger.sweep(of: scenario.name) else {
        console.out(Self.nothingExecuted(in: scenario.name, isInterrupted: Interruption.isRequested))
        continue
      }
      didHarm = didHarm || sweep.harmfulCount > 0
      for line in sweep.lines(of: scenario.name, image.program.symbols) {
        console.out(PlainText.escaped(line, limit: 400))
      }
    }
    return didHarm
  }
}

/// Gives every scenario recorders of its own program, whose copies lose power.
private struct CuttingPerformer: ScenarioPerformer {
  private let performer: any ScenarioPerformer
  private let image: ExecutableImage
  private let span: Range<Instant>
  private let ledger: PowerCutLedger

  init(
    _ performer: any ScenarioPerformer, _ image: ExecutableImage, _ span: Range<Instant>, _ ledger: PowerCutLedger
  ) {
    self.performer = performer
    self.image = image
    self.span = span
    self.ledger = ledger
  }

  func perform(
    _ scenario: Scenario, _ settings: RunSettings, sinks: [any TraceSink], observer: (any RunObserver)?
  ) -> ScenarioReport {
    var settings = settings
    settings.program = image.program.recorderProgram(
      named: image.name, cuttingPowerWithin: span, telling: ledger, scenario: scenario.name)
    return performer.perform(scenario, settings, sinks: sinks, observer: observer)
  }
}
