import Reports
import Runner
import ScenarioLanguage
import System
import YAML

/// Runs scenarios for their cost.
struct Measurement {
  /// A scenario that did not pass, so that its cost says nothing.
  struct Spoilt: Error, CustomStringConvertible {
    let description: String
  }

  /// Where a capture is written meanwhile; `nil` for none. Trace, hash and monitors are always on.
  var capturePath: String?

  /// CPU time of one run of a scenario in nanoseconds, set-up included.
  func cost(
    of text: String, firmware: any FirmwareLibrary = NoFirmware(), observer: (any RunObserver)? = nil
  ) throws -> Int {
    let library = ScenarioLibrary(
      files: [SourceFile(path: "benchmark.yaml", text: text)],
      vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    guard let scenario = library.scenarios.first, !library.hasErrors else {
      throw Spoilt(description: library.report.text())
    }
    let run = ScenarioRun(scenario, RunSettings(), sounds: NoSounds(), firmware: firmware)
    let began = try ResourceUsage.ofThisProcess()
    let capture = try capturePath.map { try CaptureSink($0, note: "benchmark") }
    let report = run.run(sinks: capture.map { [$0] } ?? [], observer: observer)
    try capture?.close(keeping: false)
    let nanoseconds = try ResourceUsage.ofThisProcess().cpuNanoseconds - began.cpuNanoseconds
    guard report.verdict == .passed else { throw Spoilt(description: "\(scenario.id): \(report.verdict)") }
    return nanoseconds
  }

  /// The median cost of several scenarios, which take turns so that a slow moment of the machine meets all of them.
  func costs(of texts: [String], repetitions: Int) throws -> [Int] {
    for text in texts { _ = try cost(of: text) }
    var costs = texts.map { _ in [Int]() }
    for _ in 0..<repetitions {
      for (index, text) in texts.enumerated() { costs[index].append(try cost(of: text)) }
    }
    return costs.map { $0.sorted()[$0.count / 2] }
  }
}
