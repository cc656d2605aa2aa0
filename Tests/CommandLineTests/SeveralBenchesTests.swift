import Foundation
import TestThreads
import Testing

/// Runs whose scenarios are spread over several benches, and what keeps commands off a bench.
@Suite(.waits) struct SeveralBenches {
  private struct Summary: Decodable {
    struct Scenario: Decodable {
      var id: String
      var verdict: String
      var bench: String?
      var replay: String
    }
    struct Bench: Decodable {
      var place: String
      var trouble: String?
    }
    var exitCode: Int
    var bench: Bench
    var furtherBenches: [Bench]
    var scenarios: [Scenario]
  }

  /// A simulated bench in a folder of its own.
  private final class Rig {
    let folder: TemporaryFolder
    let bench: String
    private let simulator: Process

    init(_ name: String, address: String, lock: Bool = false) throws {
      folder = try TemporaryFolder()
      bench = try folder.write(
        "bench.yaml",
        """
        place: \(name)
        tolerance: 5 s
        adapters: ["unix:\(folder.url.path)/air"]
        recorders: [{address: "\(address)"}]
        \(lock ? "lock: bench.lock" : "")
        """)
      simulator = try Tool.start(["simulate", "--bench", bench], until: "ready")
    }

    func end() {
      simulator.terminate()
      simulator.waitUntilExit()
    }

    deinit { end() }
  }

  private static func run(
    _ benches: [Rig], _ folder: TemporaryFolder, count: Int = 4
  ) throws -> (Tool.Outcome, Summary) {
    let scenarios = try (1...count).map { number in
      try folder.write(
        "s\(number).yaml",
        "scenario: number \(number)\nid: s\(number)\nverifies: [DEV-6]\nsteps:\n  - phone: connect\n  - wait: 1 s\n"
          + "always:\n  - phone: disconnect\n")
    }
    let out = folder.url.path + "/out"
    let outcome = try Tool.run(
      ["run", "--target", "hardware", "--out", out] + benches.flatMap { ["--bench", $0.bench] } + scenarios)
    let summary = try JSONDecoder().decode(
      Summary.self, from: Data(contentsOf: URL(filePath: out + "/summary.json")))
    return (outcome, summary)
  }

  @Test func everyBenchTakesItsShareAndOneReportTellsWhich() throws {
    let folder = try TemporaryFolder()
    let rigs = [
      try Rig("shelf-1", address: "C6:05:04:03:02:01"), try Rig("shelf-2", address: "C6:05:04:03:02:02"),
    ]
    let (outcome, summary) = try Self.run(rigs, folder)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.trouble)")
    #expect(summary.scenarios.map(\.id) == ["s1", "s2", "s3", "s4"])
    #expect(Set(summary.scenarios.map(\.bench)) == ["shelf-1", "shelf-2"])
    #expect([summary.bench.place] + summary.furtherBenches.map(\.place) == ["shelf-1", "shelf-2"])
    for scenario in summary.scenarios {
      let rig = rigs[scenario.bench == "shelf-1" ? 0 : 1]
      #expect(scenario.replay.contains("--bench \(rig.bench) "), "\(scenario)")
    }
    let junit = try String(contentsOfFile: folder.url.path + "/out/junit.xml", encoding: .utf8)
    #expect(junit.contains(#"<property name="bench" value="shelf-2"/>"#))
    #expect(junit.contains("on bench: shelf-2"))
  }

  @Test func aBenchThatIsGoneLeavesItsScenariosToTheOthers() throws {
    let folder = try TemporaryFolder()
    let rigs = [
      try Rig("shelf-1", address: "C6:05:04:03:02:01"), try Rig("shelf-2", address: "C6:05:04:03:02:02"),
    ]
    rigs[0].end()
    let (outcome, summary) = try Self.run(rigs, folder, count: 2)
    #expect(outcome.status == 3, "\(outcome.output)\(outcome.trouble)")
    #expect(summary.scenarios.map(\.verdict) == ["passed", "passed"])
    #expect(summary.scenarios.map(\.bench) == ["shelf-2", "shelf-2"])
    #expect(summary.bench.trouble?.isEmpty == false)
    #expect(outcome.output.contains("bench shelf-1 got no more scenarios"), "\(outcome.output)")
  }

  @Test(arguments: [
    ("place: a", "unix:/tmp/two", "C6:05:04:03:02:02", "the name a"),
    ("place: b", "unix:/tmp/one", "C6:05:04:03:02:02", "the adapter unix:/tmp/one"),
    ("place: b", "unix:/tmp/two", "C6:05:04:03:02:01", "the recorder C6:05:04:03:02:01"),
  ])
  func benchesThatShareSomethingAreRefused(_ place: String, _ adapter: String, _ recorder: String, _ thing: String)
    throws
  {
    let folder = try TemporaryFolder()
    let benches = try [
      ("one", "place: a", "unix:/tmp/one", "C6:05:04:03:02:01"), ("two", place, adapter, recorder),
    ].map { name, place, adapter, recorder in
      try folder.write(
        "\(name).yaml", "\(place)\nadapters: [\"\(adapter)\"]\nrecorders: [{address: \"\(recorder)\"}]\n")
    }
    let outcome = try Tool.run([
      "run", "--target", "hardware", "--bench", benches[0], "--bench", benches[1], "scenarios/protocol",
    ])
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains("cannot be used at once: both have \(thing)"), "\(outcome.trouble)")
  }

  /// Every command that opens the bench's adapter keeps off it while somebody else has the bench.
  @Test func nobodyUsesABenchThatSomebodyElseHas() throws {
    let folder = try TemporaryFolder()
    let bench = try folder.write(
      "bench.yaml",
      "place: a\nadapters: [\"unix:/tmp/one\"]\nrecorders: [{address: \"C6:05:04:03:02:01\"}]\nlock: bench.lock\n")
    let holder = Process()
    holder.executableURL = URL(filePath: "/usr/bin/flock")
    holder.arguments = [folder.url.path + "/bench.lock", "sh", "-c", "echo held; cat"]
    let (input, output) = (Pipe(), Pipe())
    (holder.standardInput, holder.standardOutput) = (input, output)
    try holder.run()
    _ = output.fileHandleForReading.availableData
    defer {
      try? input.fileHandleForWriting.close()
      holder.waitUntilExit()
    }
    let remembered = ["DICTOBENCH_BENCH": bench]
    for words in [
      ["pull"], ["gatt"], ["pair"], ["unpair"], ["battery"], ["records"], ["time"], ["scan"], ["fts", "list"],
      ["dfu", "versions"], ["probe"], ["doctor"], ["gatt", "--controller", "unix:/tmp/one"],
      ["simulate", "--controller", "unix:/tmp/one"],
    ] {
      let outcome = try Tool.run(words, environment: remembered)
      #expect(outcome.status == 3, "\(words)")
      #expect(outcome.trouble.contains("the bench is in use by "), "\(words): \(outcome.trouble)")
    }
    let other = try Tool.run(["gatt", "--controller", "unix:/tmp/other"], environment: remembered)
    #expect(!other.trouble.contains("the bench is in use by "), "\(other.trouble)")
    let json = try Tool.run(["battery", "--format", "json"], environment: remembered)
    #expect(json.output.contains(#""failure":"the bench is in use by "#), "\(json.output)\(json.trouble)")
  }
}
