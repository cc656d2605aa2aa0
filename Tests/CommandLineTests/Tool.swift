import Foundation
import Testing

/// The built tool, run as its users run it, from the top of the repository.
enum Tool {
  struct Outcome {
    let status: Int32
    let output: String
    let trouble: String
  }

  static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let vectors = repository.appending(path: "Tests/CommandLineTests/Vectors")

  /// The tool lies beside the bundle of tests.
  static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "dictobench")

  /// Runs the tool, or `wrapper` with the tool and its arguments behind its own; `typed` is all that stands on standard
  /// input, `home` a folder that outlives the run.
  static func run(
    _ arguments: [String], within wrapper: [String] = [], typed: String? = nil, home: TemporaryFolder? = nil,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    let output = folder.url.appending(path: "output")
    let trouble = folder.url.appending(path: "trouble")
    for file in [output, trouble] { try Data().write(to: file) }
    let process = Process()
    let words = wrapper + [executable.path] + arguments
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = repository
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": (home ?? folder).url.path].merging(environment) { $1 }
    process.standardInput =
      try typed.map { try FileHandle(forReadingFrom: URL(filePath: folder.write("typed", $0))) }
      ?? FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: trouble)
    try process.run()
    process.waitUntilExit()
    let outcome = Outcome(
      status: process.terminationStatus, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      trouble: String(decoding: try Data(contentsOf: trouble), as: UTF8.self))
    if arguments.contains("json") || arguments.contains("--format=json") { try Documents.expectAll(in: outcome.output) }
    return outcome
  }

  /// Starts the tool, and waits until it has said `word` on a line of its own.
  static func start(_ arguments: [String], until word: String) throws -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = repository
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var said = Data()
    while !String(decoding: said, as: UTF8.self).split(separator: "\n").contains(Substring(word)) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw CocoaError(.fileReadUnknown) }
      said += more
    }
    return process
  }

  /// Holds a text against a golden file. A file that is missing is written, and the test fails until it is looked at.
  static func expect(_ text: String, equals golden: String, _ location: SourceLocation = #_sourceLocation) throws {
    let file = vectors.appending(path: golden)
    guard let known = try? String(contentsOf: file, encoding: .utf8) else {
      try Data(text.utf8).write(to: file)
      Issue.record("\(golden) was missing and has been written", sourceLocation: location)
      return
    }
    #expect(text == known, "\(golden) says something else", sourceLocation: location)
  }
}

/// A terminal for the tool.
enum TerminalShell {
  /// What runs a shell's words in a terminal of their own; `"$@"` among them is the tool with its arguments.
  static func around(_ words: String) -> [String] {
    // `script` takes one text; the shell around it hands the arguments over unchanged.
    let inner = "bash -c '\(words.replacing("'", with: #"'\''"#))' bash"
    return [
      "/bin/bash", "-c", #"words=$(printf '%q ' "${@:2}"); exec script -qec "$1 $words" /dev/null"#, "bash", inner,
    ]
  }
}

/// A folder that goes away with its last user.
final class TemporaryFolder {
  let url: URL

  init() throws {
    let pattern = FileManager.default.temporaryDirectory.path + "/dictobench-" + String(repeating: "X", count: 6)
    var template = Array(pattern.utf8CString)
    let path = mkdtemp(&template).map { String(cString: $0) }
    url = URL(filePath: try #require(path))
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws -> String {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// Every file below the folder, in order of paths.
  var files: [(name: String, mode: Int, bytes: [UInt8])] {
    get throws {
      let names = (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []).sorted()
      return try names.compactMap { name in
        let path = url.appending(path: name).path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return (name, mode, Array(try Data(contentsOf: URL(filePath: path))))
      }
    }
  }
}
