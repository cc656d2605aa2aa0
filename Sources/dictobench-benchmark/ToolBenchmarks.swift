import Foundation
import Timeline

/// What the command line tool costs: starting, and running the scenarios.
struct ToolBenchmarks {
  let sampling: Sampling
  /// The tool's executable.
  let tool: String
  /// Where its reports go.
  let folder: String

  func run() throws -> [Figure] {
    try [start()]
      + group("data", "scenarios that move data: virtual over wall time", .atLeast(300))
      + group("idle", "scenarios that wait: virtual over wall time", .atLeast(10_000)) + everything()
  }

  private func start() throws -> Figure {
    let samples = try sampling.samples {
      try Program([tool, "--help"], clock: MachineClock.monotonicNanoseconds).wallNanoseconds / 1e6
    }
    return Figure("help", "--help, wall time", samples.median, "ms", samples: samples, bar: .atMost(20))
  }

  /// The scenarios of one tag, one after the other: how much faster than the time they simulate, over their sum, and
  /// the median of the scenarios.
  private func group(_ tag: String, _ title: String, _ bar: Figure.Bar) throws -> [Figure] {
    var summary = RunSummary()
    let samples = try sampling.samples {
      let run = try Program(
        [tool, "run", "--tag", tag, "--jobs", "1", "--out", folder], clock: MachineClock.monotonicNanoseconds)
      guard run.status == 0 || run.status == 1 else { throw Trouble.program("run --tag \(tag) ended in \(run.status)") }
      summary = try RunSummary(folder: folder)
      return summary.speed
    }
    return [
      Figure(tag, title, samples.median, "s/s", samples: samples, bar: bar),
      Figure(tag + "Median", "  median of \(summary.scenarios.count) scenarios", summary.medianSpeed, "s/s"),
    ]
  }

  private func everything() throws -> [Figure] {
    let runs = try sampling.samples {
      try Program([tool, "run", "--jobs", "2", "--out", folder], clock: MachineClock.monotonicNanoseconds)
    }
    let peaks = runs.map { $0.peakOctets / 1e6 }
    let times = runs.map { $0.wallNanoseconds / 1e9 }
    let summary = try RunSummary(folder: folder)
    return [
      Figure(
        "suite", "all \(summary.scenarios.count) runs with two jobs, wall time", times.median, "s", samples: times),
      Figure("memory", "  peak memory", peaks.median, "MB", samples: peaks, bar: .atMost(200)),
    ]
  }
}

/// The two columns of `summary.json` that count here.
struct RunSummary: Decodable {
  struct Scenario: Decodable {
    let virtualSeconds: Double
    let wallSeconds: Double
  }

  private(set) var scenarios: [Scenario] = []

  init() {}

  /// Reads the summary that a run wrote into its folder.
  init(folder: String) throws {
    guard let data = FileManager.default.contents(atPath: folder + "/summary.json") else {
      throw Trouble.file("\(folder)/summary.json cannot be read")
    }
    self = try JSONDecoder().decode(RunSummary.self, from: data)
  }

  /// All time simulated over all time taken.
  var speed: Double {
    scenarios.reduce(0) { $0 + $1.virtualSeconds } / max(1e-6, scenarios.reduce(0) { $0 + $1.wallSeconds })
  }

  /// The same of the scenario in the middle.
  var medianSpeed: Double { scenarios.map { $0.virtualSeconds / max(1e-6, $0.wallSeconds) }.median }
}

/// What `Tests/Interoperability/bumble_benchmark.py` measured.
struct BumbleFigures: Decodable {
  let bumble: String
  let downloadCPUSeconds: Double
  let meetingCPUSeconds: Double

  var downloadSeconds: Double { downloadCPUSeconds }
  var meetingSeconds: Double { meetingCPUSeconds }

  init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else { throw Trouble.file("\(path) cannot be read") }
    self = try JSONDecoder().decode(BumbleFigures.self, from: data)
  }
}
