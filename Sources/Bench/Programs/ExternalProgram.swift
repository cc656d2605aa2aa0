import Bytes
import Glibc
import Text
import Timeline
import Transports
import World

/// A program that the bench file allows, run without a shell.
public struct ExternalProgram: Hashable, Sendable {
  /// The full path, and the arguments.
  public let words: [String]
  /// How long it may take; it is ended after that, with everything it started.
  public let limit: Duration
  /// `NAME=VALUE`, besides what is in our own environment.
  public let environment: [String]

  public init(_ words: [String], within limit: Duration, environment: [String] = []) {
    self.words = words
    self.limit = limit
    self.environment = environment
  }

  /// How a program ended.
  public struct Outcome: Hashable, Sendable {
    /// The exit code; `nil` for one that a signal ended.
    public let code: Int32?
    /// What it wrote to standard output and standard error, the last of it.
    public let output: String
  }

  /// Runs it to its end.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where it cannot be started, or takes too long.
  public func run(on loop: EventLoop, _ waits: Waits) async throws(ControlFailure) -> Outcome {
    let name = PlainText.escaped(words.first ?? "")
    let child: ChildProcess
    do { child = try ChildProcess(words, environment, on: loop) } catch {
      throw .bench("\(name) cannot be run (\(error)): correct its path in the bench file")
    }
    let limit = limit
    let timer = loop.schedule(after: limit, .deadline) { child.finish(nil) }
    let ended = await waits.value { (resume: @escaping (Outcome?) -> Void) in child.onEnd = resume }
    loop.cancel(timer)
    child.kill()
    guard case .success(let outcome?) = ended else {
      throw .bench(
        "\(name) took longer than \(DurationText.exact(limit)): run it by hand to see why, or allow more in the bench file"
      )
    }
    return outcome
  }

  /// Runs it, and takes every exit code but 0 for a failure.
  public func perform(on loop: EventLoop, _ waits: Waits) async throws(ControlFailure) {
    let outcome = try await run(on: loop, waits)
    guard outcome.code == 0 else {
      let last = outcome.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
      throw .bench(
        "\(PlainText.escaped(words.first ?? "")) ended with \(outcome.code.map { "exit code \($0)" } ?? "a signal")"
          + (last.isEmpty ? "" : " and said `\(PlainText.escaped(last, limit: 120))`") + ": run it by hand to see why")
    }
  }
}

/// A program that says something aloud, while nobody waits for it; silenced with its last user.
final class SpokenPrompt {
  private let child: ChildProcess?

  /// Starts to speak; one that cannot be started is silent.
  init(_ words: [String], on loop: EventLoop) { child = try? ChildProcess(words, [], on: loop) }

  deinit { child?.kill() }
}

/// A child in a process group of its own, whose output the loop reads.
private final class ChildProcess {
  /// Told once, with `nil` when it was given up.
  var onEnd: ((ExternalProgram.Outcome?) -> Void)?

  private static let outputLimit = 65_536
  /// Time between looks at a child that closed its output and still runs.
  private static let pace = Duration.milliseconds(10)

  private let loop: EventLoop
  private let descriptor: Int32
  private var process: pid_t = 0
  private var output: [UInt8] = []
  private var isReaped = false

  init(_ words: [String], _ environment: [String], on loop: EventLoop) throws(SystemCallFailure) {
    self.loop = loop
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemCallFailure("pipe", errno) }
    descriptor = ends[0]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let status = Self.spawn(words, environment, output: ends[1], &process)
    _ = close(ends[1])
    guard status == 0 else {
      _ = close(descriptor)
      throw SystemCallFailure("posix_spawn", status)
    }
    loop.watch(descriptor, for: .readable) { [weak self] _ in self?.read() }
  }

  private static func spawn(
    _ words: [String], _ environment: [String], output: Int32, _ process: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that whatever it starts can be ended with it, and no signal blocked or ignored in it
    // because we do so.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    let additions = environment.map { strdup($0) }
    defer { for addition in additions { free(addition) } }
    var variables = additions
    var inherited: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    while let variable = inherited.pointee {
      variables.append(variable)
      inherited += 1
    }
    variables.append(nil)
    return posix_spawn(&process, words.first ?? "", &actions, &attributes, arguments, variables)
  }

  private func read() {
    var block = [UInt8](repeating: 0, count: 4_096)
    let count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      output += block.prefix(count)
      if output.count > Self.outputLimit { output.removeFirst(output.count - Self.outputLimit) }
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      loop.unwatch(descriptor)
      reap()
    }
  }

  private func reap() {
    guard !isReaped else { return }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else {
      loop.schedule(after: Self.pace) { [weak self] in self?.reap() }
      return
    }
    isReaped = true
    // WIFEXITED and WEXITSTATUS of wait(2).
    finish(ExternalProgram.Outcome(code: status & 0x7F == 0 ? status >> 8 & 0xFF : nil, output: text))
  }

  private var text: String { String(decoding: output, as: UTF8.self) }

  func finish(_ outcome: ExternalProgram.Outcome?) {
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?(outcome)
  }

  /// Ends what still runs, and gives back what it held.
  func kill() {
    loop.unwatch(descriptor)
    _ = close(descriptor)
    guard !isReaped else { return }
    isReaped = true
    _ = Glibc.kill(-process, SIGKILL)
    var status: Int32 = 0
    _ = waitpid(process, &status, 0)
  }
}
