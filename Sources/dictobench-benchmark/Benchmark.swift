import Bytes
import Foundation
import System

/// Measures the simulator, for `ci/benchmark`, which sets the numbers beside Bumble's.
///
/// Usage: `dictobench-benchmark [REPETITIONS] [IMAGE]`. Prints one JSON object; times are of the CPU, medians after a
/// warm-up. Without a firmware image what executing it takes is left out. `dictobench-benchmark --library RECORDS` fills a
/// phone's library and prints nothing: `ci/growth` measures it. Nor does `dictobench-benchmark --downloads COUNT`, which lets
/// phone and recorder meet twice and download the record as often, 0 to 2 times: `ci/benchmark` counts what it allocates.
@main enum Benchmark {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.count == 2, arguments[0] == "--library", let count = Int(arguments[1]) {
        try LibraryGrowth.fill(count)
      } else if arguments.count == 2, arguments[0] == "--downloads", let count = Int(arguments[1]),
        (0...2).contains(count)
      {
        try download(count)
      } else {
        try measure()
      }
    } catch {
      FileHandle.standardError.write(Data("dictobench-benchmark: \(error)\n".utf8))
      exit(1)
    }
  }

  private static var capturePath: String { NSTemporaryDirectory() + "dictobench-\(getpid()).btsnoop" }

  private static func download(_ count: Int) throws {
    let capturing = Measurement(capturePath: capturePath)
    for _ in 0..<count { _ = try capturing.cost(of: Workloads.download) }
    for _ in count..<2 { _ = try capturing.cost(of: Workloads.downloadBaseline) }
  }

  private static func measure() throws {
    let repetitions = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
    let image = try CommandLine.arguments.dropFirst(2).first.map(ImageSpeed.init(path:))
    func speed(of guest: [UInt32]) throws -> Int {
      try ProcessorSpeed.instructionsPerSecond(guest, repetitions: repetitions)
    }
    let measurement = Measurement()
    let downloads = [Workloads.download, Workloads.downloadBaseline]
    let transfer = try measurement.costs(of: downloads, repetitions: repetitions)
    let capturing = Measurement(capturePath: capturePath)
    let captured = try capturing.costs(of: downloads, repetitions: repetitions)
    let meeting = try measurement.costs(
      of: [Workloads.meeting, Workloads.meetingBaseline, Workloads.idleHour], repetitions: repetitions)
    let crowd = try measurement.costs(of: [Workloads.crowd, Workloads.crowdBaseline], repetitions: 1)
    let result = JSONValue.object([
      ("repetitions", .integer(repetitions)),
      ("downloadOctets", .integer(Workloads.downloadOctets)),
      ("downloadNotifications", .integer(Workloads.downloadNotifications)),
      ("downloadNanoseconds", .integer(captured[0] - captured[1])),
      ("downloadWithoutCaptureNanoseconds", .integer(transfer[0] - transfer[1])),
      ("meetingNanoseconds", .integer(meeting[0] - meeting[1])),
      ("idleHourNanoseconds", .integer(meeting[2] - meeting[0])),
      ("crowdRecorders", .integer(Workloads.crowdCount)),
      ("crowdNanosecondsPerSecond", .integer((crowd[0] - crowd[1]) / (Workloads.crowdSeconds - 1))),
      ("loopInstructionsPerSecond", .integer(try speed(of: BenchmarkGuest.loop))),
      ("mixInstructionsPerSecond", .integer(try speed(of: BenchmarkGuest.mix))),
      ("forkNanoseconds", .integer(try ProcessorSpeed.forkNanoseconds(repetitions: repetitions))),
      ("image", try image?.measured(repetitions: repetitions) ?? .null),
      ("updates", try UpdateRates.measured()),
      ("peakKibibytes", .integer(try ResourceUsage.ofThisProcess().peakKibibytes)),
    ])
    FileHandle.standardOutput.write(Data((result.text + "\n").utf8))
  }
}
