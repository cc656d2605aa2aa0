import Bytes
import Foundation

/// `dictobench-benchmark [--only link|crowd|tool] [--tool DICTOBENCH] [--bumble FILE] [--json FILE] [--repetitions N]`
///
/// Measures what `BENCHMARKS.md` lists. Run by `ci/benchmark` from the root of the repository; no part of the product.
struct Invocation {
  var only: String?
  var tool = ".build/release/dictobench"
  var bumble: String?
  var json: String?
  var repetitions = 9

  init?(_ words: [String]) {
    var words = words[...]
    while let option = words.popFirst() {
      guard let value = words.popFirst() else { return nil }
      switch option {
      case "--only" where ["link", "crowd", "tool"].contains(value): only = value
      case "--tool": tool = value
      case "--bumble": bumble = value
      case "--json": json = value
      case "--repetitions":
        guard let number = Int(value), (1...999).contains(number) else { return nil }
        repetitions = number
      default: return nil
      }
    }
  }

  func measure() throws -> [Figure] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "dictobench-benchmark-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let sampling = Sampling(repetitions: repetitions)
    let theirs = try bumble.map(BumbleFigures.init)
    var figures: [Figure] = []
    if only ?? "link" == "link" {
      figures += try LinkBenchmarks(sampling: sampling, folder: folder, bumble: theirs).run()
    }
    if only ?? "crowd" == "crowd" { figures.append(try CrowdBenchmark(sampling: sampling).run()) }
    if only ?? "tool" == "tool" {
      figures += try ToolBenchmarks(sampling: sampling, tool: tool, folder: folder).run()
    }
    return figures
  }
}

func write(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

guard let invocation = Invocation(Array(CommandLine.arguments.dropFirst())) else {
  write("usage: dictobench-benchmark [--only link|crowd|tool] [--tool PATH] [--bumble FILE] [--json FILE]")
  exit(2)
}
do {
  let figures = try invocation.measure()
  for figure in figures { write(figure.line) }
  if let path = invocation.json {
    let document = JSONValue.object([("figures", .array(figures.map(\.document)))])
    try Data(document.indentedText.utf8).write(to: URL(filePath: path))
  }
  exit(figures.allSatisfy(\.passes) ? 0 : 1)
} catch {
  write("the benchmark failed: \(error)")
  exit(70)
}
