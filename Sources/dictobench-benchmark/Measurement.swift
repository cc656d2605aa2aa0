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

  /// How scenarios are run.
  var settings = RunSettings()
  /// Where a capture is written meanwhile; `nil` for none. Trace, hash and monitors are always on.
  var capturePath: String?

  /// CPU time of one run of a scenario in nanoseconds, set-up included.
  func cost(
    of text: String, firmware: any FirmwareLibrary = NoFirmware(), observer: (any RunObserver)? = nil
  ) throws -> Int {
    try run(text, firmware, observer).nanoseconds
  }

  /// How many times faster than real time a scenario runs: the median of its virtual over its CPU time, set-up included.
  func timesRealTime(of text: String, repetitions: Int) throws -> Double {
    let runs = try (0...max(1, repetitions)).map { _ in try run(text, NoFirmware(), nil) }
    let ratios = runs.dropFirst().map { $0.virtual / .nanoseconds($0.nanoseconds) }
    return ratios.sorted()[ratios.count / 2]
  }

  private func run(
    _ text: String, _ firmware: any FirmwareLibrary, _ observer: (any RunObserver)?
  ) throws -> (nanoseconds: Int, virtual: Duration) {
    let library = ScenarioLibrary(
      files: [SourceFile(path: "benchmark.yaml", text: text)],
      vocabulary: DictofunVocabulary.vocabulary(requirements: []))
    guard let scenario = library.scenarios.first, !library.hasErrors else {
      throw Spoilt(description: library.report.text())
    }
    let run = ScenarioRun(scenario, settings, sounds: NoSounds(), firmware: firmware)
    let began = try ResourceUsage.ofThisProcess()
    let capture = try capturePath.map { try CaptureSink($0, note: "benchmark") }
    let report = run.run(sinks: capture.map { [$0] } ?? [], observer: observer)
    try capture?.close(keeping: false)
    let nanoseconds = try ResourceUsage.ofThisProcess().cpuNanoseconds - began.cpuNanoseconds
    guard report.verdict == .passed else { throw Spoilt(description: "\(scenario.id): \(report.verdict)") }
    return (nanoseconds, report.virtualDuration)
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

  /// The median CPU time of some work in nanoseconds, after doing it once.
  static func median(of repetitions: Int, _ work: () throws -> Void) throws -> Int {
    try work()
    let costs = try (0..<max(1, repetitions)).map { _ in
      let began = try ResourceUsage.ofThisProcess()
      try work()
      return try ResourceUsage.ofThisProcess().cpuNanoseconds - began.cpuNanoseconds
    }
    return costs.sorted()[costs.count / 2]
  }
}
