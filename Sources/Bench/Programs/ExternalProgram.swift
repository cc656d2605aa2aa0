import Bytes
import System
import Text
import Timeline
import World

/// A program that the bench file allows, run without a shell.
package struct ExternalProgram: Hashable, Sendable {
  /// The full path, and the arguments.
  package let words: [String]
  /// How long it may take; it is ended after that, with everything it started.
  package let limit: Duration
  /// `NAME=VALUE`, besides what is in our own environment.
  package let environment: [String]
  /// Whether what it writes to standard error belongs to its output.
  private let takesErrors: Bool

  package init(
    _ words: [String], within limit: Duration, environment: [String] = [], takesErrors: Bool = true
  ) {
    self.takesErrors = takesErrors
    self.words = words
    self.limit = limit
    self.environment = environment
  }

  /// How a program ended.
  package struct Outcome: Hashable, Sendable {
    /// The exit code; `nil` for one that a signal ended.
    package let code: Int32?
    /// What it wrote to standard output and standard error, the last of it.
    package let output: String

    package init(code: Int32?, output: String) {
      self.code = code
      self.output = output
    }
  }

  /// Runs it to its end.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where it cannot be started, or takes too long; ``ControlFailure/ended(_:)`` where
  ///   the user wants no more of it.
  package func run(on loop: EventLoop, _ waits: Waits) async throws(ControlFailure) -> Outcome {
    let name = PlainText.escaped(words.first ?? "")
    let child: RunningProgram
    do { child = try RunningProgram(words, environment, takesErrors: takesErrors, on: loop) } catch {
      throw .bench("cannot run \(name) (\(error))", advice: "correct its path in the bench file")
    }
    let limit = limit
    let timer = loop.schedule(after: limit, .deadline) { child.finish(nil) }
    let ended = await waits.value { (resume: @escaping (Outcome?) -> Void) in child.onEnd = resume }
    loop.cancel(timer)
    child.kill()
    if case .failure(.interrupted) = ended { throw .ended(.interrupted) }
    guard case .success(let outcome?) = ended else {
      throw .bench(
        "\(name) took longer than \(DurationText.exact(limit))",
        advice: "run it by hand to see why, or allow more in the bench file")
    }
    return outcome
  }

  /// Runs it, and takes every exit code but 0 for a failure. Returns what it wrote, the last of it.
  @discardableResult
  package func perform(on loop: EventLoop, _ waits: Waits) async throws(ControlFailure) -> String {
    let outcome = try await run(on: loop, waits)
    guard outcome.code == 0 else {
      let last = outcome.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
      throw .bench(
        "\(PlainText.escaped(words.first ?? "")) ended with \(outcome.code.map { "exit code \($0)" } ?? "a signal")"
          + (last.isEmpty ? "" : " and said `\(PlainText.escaped(last, limit: 120))`") + "",
        advice: "run it by hand to see why")
    }
    return outcome.output
  }
}

/// A program that says something aloud, while nobody waits for it; silenced with its last user.
final class SpokenPrompt {
  private let child: RunningProgram?

  /// Starts to speak; one that cannot be started is silent.
  init(_ words: [String], on loop: EventLoop) { child = try? RunningProgram(words, [], on: loop) }

  deinit { child?.kill() }
}

/// A program whose output the loop reads.
private final class RunningProgram {
  /// Told once, with `nil` when it was given up.
  var onEnd: ((ExternalProgram.Outcome?) -> Void)?

  private static let outputLimit = 65_536
  private static let readSize = 4_096
  /// Time between looks at a child that closed its output and still runs.
  private static let pace = Duration.milliseconds(10)
  /// Time between looks at a child whose output is open.
  private static let look = Duration.milliseconds(50)

  private let loop: EventLoop
  private let child: ChildProcess
  private var output: [UInt8] = []
  private var isEnded = false

  init(
    _ words: [String], _ environment: [String], takesErrors: Bool = true, on loop: EventLoop
  ) throws(SystemCallFailure) {
    self.loop = loop
    child = try ChildProcess(words, environment: environment, takesErrors: takesErrors)
    loop.watch(child.output.number, for: .readable) { [weak self] _ in self?.read() }
    loop.schedule(after: Self.look) { [weak self] in self?.watch() }
  }

  /// Looks whether the program has ended although its output is open: what it left running in the background may hold that.
  private func watch() {
    guard !isEnded, onEnd != nil else { return }
    guard let exit = try? child.exit() else {
      loop.schedule(after: Self.look) { [weak self] in self?.watch() }
      return
    }
    while let octets = try? child.output.read(upTo: Self.readSize), !octets.isEmpty { take(octets) }
    end(exit)
  }

  private func read() {
    let octets: [UInt8]
    do {
      guard let read = try child.output.read(upTo: Self.readSize) else { return }
      octets = read
    } catch { octets = [] }
    // A pipe that cannot be read any more is at its end.
    guard !octets.isEmpty else {
      loop.unwatch(child.output.number)
      return reap()
    }
    take(octets)
  }

  private func take(_ octets: [UInt8]) {
    output += octets
    if output.count > Self.outputLimit { output.removeFirst(output.count - Self.outputLimit) }
  }

  private func reap() {
    guard !isEnded else { return }
    let exit: ChildProcess.Exit?
    do { exit = try child.exit() } catch { return finish(nil) }
    guard let exit else {
      loop.schedule(after: Self.pace) { [weak self] in self?.reap() }
      return
    }
    end(exit)
  }

  private func end(_ exit: ChildProcess.Exit) {
    switch exit {
    case .code(let code): finish(ExternalProgram.Outcome(code: code, output: text))
    case .signal: finish(ExternalProgram.Outcome(code: nil, output: text))
    }
  }

  private var text: String { String(decoding: output, as: UTF8.self) }

  func finish(_ outcome: ExternalProgram.Outcome?) {
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?(outcome)
  }

  /// Ends what still runs, and gives back what it held.
  func kill() {
    guard !isEnded else { return }
    isEnded = true
    loop.unwatch(child.output.number)
    child.kill()
  }
}
