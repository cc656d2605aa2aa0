import Foundation
import TestThreads
import Testing
import Verdicts

@testable import Session
@testable import dictobench

@Suite(.waits) struct ShellCommands {
  /// Lines on standard input, and the status of a session of them.
  static let sessions: [(lines: [String], status: Int32)] = [
    (["phone: connect"], 0), (["phone: list"], 1), (["phone: conect"], 2), (["phone: list", "phone: conect"], 1),
    ([], 4), (["help"], 4), (["fts nothing"], 2), (["quit", "phone: list"], 4), (["phone: connect", "quit"], 0),
  ]

  @Test(arguments: sessions) func aScriptIsJudgedAsARun(lines: [String], status: Int32) throws {
    let outcome = try Tool.run(["shell"], typed: lines.map { $0 + "\n" }.joined())
    #expect(outcome.status == status, "\(outcome.output)\(outcome.trouble)")
  }

  /// What is behind the 64 KiB of a line belongs to it.
  @Test func aLineThatIsTooLongIsRefusedWhole() throws {
    let long = "phone: connect #" + String(repeating: "x", count: 65_537 - 16) + "phone: list\nphone: connect\n"
    let outcome = try Tool.run(["shell"], typed: long)
    #expect(outcome.status == 2, "\(outcome.trouble)")
    #expect(outcome.trouble.contains("shell:1: a line has at most 65536 octets"), "\(outcome.trouble)")
    #expect(outcome.trouble.contains("1 step passed, "), "\(outcome.trouble)")
  }

  @Test func aFolderIsNoScript() throws {
    let outcome = try Tool.run(["shell", "--script", "Tests"])
    #expect(outcome.status == 2)
    #expect(outcome.trouble == "dictobench: cannot read Tests: Is a directory\n")
  }

  /// Whoever ends a step says nothing of the bench.
  @Test(arguments: [([], ExitCode.interrupted), ([StepOutcome.failed("too late", .pair)], .deviceFailed)])
  func anInterruptedStepIsNoBenchError(before: [StepOutcome], code: ExitCode) throws {
    let screen = ShellScreen(Console(), try Vocabularies.current(), isInteractive: true)
    func entry(_ outcome: StepOutcome) -> ShellEntry {
      let report = StepReport(sentence: "wait", file: "shell", line: 1, began: .zero, ended: .zero, outcome: outcome)
      return ShellEntry(written: ["wait: 1 h"], reports: [report], shows: [], isWait: true)
    }
    for outcome in before { screen.show(.performed(entry(outcome))) }
    screen.show(.performed(entry(.benchError("interrupted in `wait: 1 h`"))), isInterrupted: true)
    #expect(screen.end(nil, nil) == code)
  }

  @Test func theEndCountsTheStepsThatDidNotPassToo() throws {
    let outcome = try Tool.run(["shell"], typed: "phone: list\nphone: list\nphone: connect\n")
    #expect(outcome.status == 1)
    #expect(outcome.trouble.contains("1 step passed, 2 failed, "), "\(outcome.trouble)")
  }

  @Test func aRecordedSessionIsAScenario() throws {
    let folder = try TemporaryFolder()
    let draft = folder.url.appending(path: "draft.yaml").path
    let script = try folder.write(
      "script", "given: {device: {records: 1}}\nphone: connect\nphone: pair\nphone: list, expect: {count: 1}\n")
    let capture = folder.url.appending(path: "shell.btsnoop").path
    let session = try Tool.run(["shell", "--script", script, "--record", draft, "--capture", capture])
    #expect(session.status == 0, "\(session.trouble)")
    #expect(session.output.contains("> phone: list, expect: {count: 1}\n"))
    #expect(session.output.contains("  found {count: 1, "))
    #expect(session.output.contains("\npassed in "))
    #expect(FileManager.default.fileExists(atPath: capture))
    #expect(try Tool.run(["lint", draft]).status == 0)
    let run = try Tool.run(["run", draft])
    #expect(run.status == 0, "\(run.output)\(run.trouble)")
    #expect(run.output.contains("1 scenario"))
  }

  @Test func theSameScriptGivesTheSameTraceInAnotherProcess() throws {
    let lines = "phone: connect\nphone: pair\ndevice: {press: 2 s}\nphone: sync\n"
    let first = try Tool.run(["shell", "--seed", "7"], typed: lines)
    #expect(first.trouble.contains(", trace "))
    #expect(try Tool.run(["shell", "--seed", "7"], typed: lines).trouble == first.trouble)
    #expect(try Tool.run(["shell", "--seed", "8"], typed: lines).trouble != first.trouble)
  }

  @Test func whatTheDeviceSaysCannotSteerTheTerminal() throws {
    let outcome = try Tool.run(["shell"], typed: "phone: {\u{1B}[2J: 3}\nhelp \u{1B}[2J\n\u{1B}[2J\n")
    #expect(!(outcome.output + outcome.trouble).contains("\u{1B}"))
  }

  @Test(arguments: [
    (["--script", "/nonexistent"], "cannot read /nonexistent: No such file or directory"),
    (["--capture", "-"], "--capture - needs a session in real time: --bench or --controller; or name a file"),
    (["--controller", "tcp-client:127.0.0.1:1", "--profile", "reference"], "--profile and --fault are for simulated"),
  ])
  func aWrongRequestIsSaid(words: [String], complaint: String) throws {
    let outcome = try Tool.run(["shell"] + words)
    #expect(outcome.status == 2)
    #expect(outcome.trouble.contains(complaint), "\(outcome.trouble)")
  }
}

@Suite struct LineEditing {
  private static let none = ShellCompletion.Proposal(addition: "", choices: [])

  /// The line that keys give, with lines before it.
  private static func line(_ keys: String, after lines: [String] = []) -> String? {
    var decoder = TerminalKeyDecoder()
    var editor = LineEditor()
    for octet in (lines.map { $0 + "\r" }.joined() + keys).utf8 {
      guard let key = decoder.take(octet) else { continue }
      _ = editor.take(key) { _ in ShellCompletion.Proposal(addition: "-tab", choices: []) }
    }
    return String(editor.text)
  }

  @Test(arguments: [
    ("abc", "abc"), ("ab\u{7F}c", "ac"), ("bc\u{01}a", "abc"), ("ac\u{1B}[Db", "abc"), ("abc\u{1B}[H\u{1B}[3~", "bc"),
    ("abc\u{1B}OH\u{1B}[Cx", "axbc"), ("one two\u{17}x", "one x"), ("abc\u{02}\u{0B}", "ab"), ("abc\u{02}\u{15}", "c"),
    ("ü€😀\u{7F}", "ü€"), ("a\tb", "a-tabb"), ("\u{1B}[A", "second"), ("\u{1B}[A\u{1B}[A", "first"),
    ("new\u{1B}[A\u{1B}[B", "new"), ("\u{1B}[A\u{1B}[A\u{1B}[A", "first"), ("a\u{1B}[99;99~b", "ab"),
    ("a\u{1B}\u{1B}b", "ab"),
  ])
  func keysEditTheLine(keys: String, expected: String) {
    #expect(Self.line(keys, after: ["first", "second", "second", " "]) == expected)
  }

  @Test func endOfInputEndsOnlyAnEmptyLine() {
    var editor = LineEditor()
    #expect(editor.take(.endOfInput) { _ in Self.none } == .end)
    _ = editor.take(.character("a")) { _ in Self.none }
    #expect(editor.take(.endOfInput) { _ in Self.none } == .none)
    #expect(editor.take(.enter) { _ in Self.none } == .line("a"))
  }

  @Test func aLongLineIsSeenAroundItsCursor() {
    var editor = LineEditor()
    for character in "0123456789" { _ = editor.take(.character(character)) { _ in Self.none } }
    #expect(editor.view(width: 5).text == "6789")
    #expect(editor.view(width: 5).column == 4)
    _ = editor.take(.home) { _ in Self.none }
    #expect(editor.view(width: 5).text == "01234")
  }

  @Test func anyOctetsAreTaken() {
    var decoder = TerminalKeyDecoder()
    var editor = LineEditor()
    var seed: UInt32 = 1
    for _ in 0..<100_000 {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      guard let key = decoder.take(UInt8(truncatingIfNeeded: seed >> 24)) else { continue }
      _ = editor.take(key) { _ in Self.none }
      #expect((0...editor.text.count).contains(editor.cursor))
    }
  }
}

/// A session before a real recorder, which another process simulates.
@Suite(.waits) struct BenchShells {
  @Test func theLinkIsKeptAndAnInterruptEndsTheSession() throws {
    let folder = try TemporaryFolder()
    let bench = try Benches.benchFile(folder.url)
    let simulator = try Tool.start(["simulate", "--bench", bench], until: "ready")
    defer { simulator.terminate() }
    let draft = folder.url.appending(path: "draft.yaml").path
    let (session, lines) = try LockedBenches.shell(["--bench", bench, "--record", draft])
    lines.fileHandleForWriting.write(Data("phone: connect\n".utf8))
    // Longer than the supervision timeout of the link.
    usleep(9_000_000)
    let others = "phone: read-battery\ndevice: inspect\nphone: disconnect\nwait: 500 s\n"
    lines.fileHandleForWriting.write(Data(others.utf8))
    usleep(3_000_000)
    session.interrupt()
    session.waitUntilExit()
    #expect(session.terminationStatus == 130)
    let yaml = try String(contentsOfFile: draft, encoding: .utf8)
    #expect(
      yaml.hasSuffix(
        """
        steps:
          - phone: connect
          - phone: read-battery
          - device: inspect
          - phone: disconnect
          # In the shell this did not pass: interrupted in `wait: 500 s`
          - wait: 500 s

        """), "\(yaml)")
  }
}

/// A bench that a session of the shell holds, and a second run that wants it.
@Suite(.waits) struct LockedBenches {
  @Test func aSecondRunIsKeptOffTheBenchUntilTheFirstIsGone() throws {
    let folder = try TemporaryFolder()
    let bench = try Benches.benchFile(folder.url)
    let text = try String(contentsOfFile: bench, encoding: .utf8)
    try Data((text + "\nlock: bench.lock\n").utf8).write(to: URL(filePath: bench))
    let simulator = try Tool.start(["simulate", "--bench", bench], until: "ready")
    defer { simulator.terminate() }
    let (holder, lines) = try Self.shell(["--bench", bench])
    lines.fileHandleForWriting.write(Data("phone: connect\n".utf8))
    let lock = folder.url.appending(path: "bench.lock").path
    try Self.waitUntil { FileManager.default.fileExists(atPath: lock) }

    let second = try Tool.run(["shell", "--bench", bench, "--wait-for-bench", "1s"], typed: "phone: connect\n")
    #expect(second.status == 3)
    #expect(second.trouble.contains("waiting for the bench, in use by "))
    #expect(second.trouble.contains("the bench is in use by "))
    #expect(second.trouble.contains("(process \(holder.processIdentifier) on "))

    // A killed process gives nothing back, and must not have to.
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    #expect(FileManager.default.fileExists(atPath: lock))
    let third = try Tool.run(["shell", "--bench", bench], typed: "phone: scan\n")
    #expect(third.trouble.contains("the bench was left behind by "), "\(third.trouble)")
    #expect(!FileManager.default.fileExists(atPath: lock))
  }

  /// A session that goes on until its lines end.
  static func shell(_ arguments: [String]) throws -> (process: Process, lines: Pipe) {
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = ["shell"] + arguments
    process.currentDirectoryURL = Tool.repository
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    let lines = Pipe()
    process.standardInput = lines
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, lines)
  }

  private static func waitUntil(_ isThere: () -> Bool) throws {
    for _ in 0..<200 where !isThere() { usleep(50_000) }
    try #require(isThere())
  }
}
