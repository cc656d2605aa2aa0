import Glibc
import Reports
import Runner
import ScenarioLanguage
import World
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
    let run = ScenarioRun(scenario, RunSettings(), sounds: Silence(), firmware: firmware)
    let began = Self.processNanoseconds
    let capture = try capturePath.map { try CaptureSink($0, note: "benchmark") }
    let report = run.run(sinks: capture.map { [$0] } ?? [], observer: observer)
    try capture?.close(keeping: false)
    let nanoseconds = Self.processNanoseconds - began
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

  /// CPU time of this process so far in nanoseconds, in user and system mode.
  private static var processNanoseconds: Int {
    let usage = usage
    func nanoseconds(_ time: timeval) -> Int { (time.tv_sec * 1_000_000 + time.tv_usec) * 1000 }
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
  }

  /// The most memory this process has held.
  static var peakKibibytes: Int { usage.ru_maxrss }

  private static var usage: rusage {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage
  }
}

/// No benchmark hears a file.
private struct Silence: SoundLibrary {
  func samples(_ name: String) throws(ControlFailure) -> [Int16] { throw .impossible("benchmarks have no sounds") }
}
