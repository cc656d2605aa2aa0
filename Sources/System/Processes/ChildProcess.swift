import Glibc

/// A program that was started, in a process group of its own. Its standard input is empty; what it writes to standard
/// output and standard error comes to ``output``.
package final class ChildProcess {
  /// How a program ended.
  package enum Exit: Hashable, Sendable {
    /// With an exit code.
    case code(Int32)
    /// By a signal.
    case signal(Int32)
  }

  /// What the program writes; reading never blocks.
  package let output: FileDescriptor
  private let process: pid_t
  private var isReaped = false
  private var ended: Exit?

  /// Starts the program at the full path `words[0]` with the other words as its arguments, without a shell;
  /// `environment` holds `NAME=VALUE` besides what is in ours. Without `takesErrors`, what it writes to standard error
  /// goes where ours goes.
  package init(
    _ words: [String], environment: [String] = [], takesErrors: Bool = true
  ) throws(SystemCallFailure) {
    let (reading, writing) = try FileDescriptor.pipe()
    try reading.setNonBlocking()
    output = reading
    let taken = takesErrors ? [STDOUT_FILENO, STDERR_FILENO] : [STDOUT_FILENO]
    process = try Self.spawn(words, environment, output: writing.number, as: taken)
    writing.close()
  }

  deinit { kill() }

  private static func spawn(
    _ words: [String], _ environment: [String], output: Int32, as taken: [Int32]
  ) throws(SystemCallFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    try SystemCall.status("posix_spawn_file_actions_init") { posix_spawn_file_actions_init(&actions) }
    defer { posix_spawn_file_actions_destroy(&actions) }
    try SystemCall.status("posix_spawn_file_actions_addopen") {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    for number in taken {
      try SystemCall.status("posix_spawn_file_actions_adddup2") {
        posix_spawn_file_actions_adddup2(&actions, output, number)
      }
    }
    var attributes = posix_spawnattr_t()
    try SystemCall.status("posix_spawnattr_init") { posix_spawnattr_init(&attributes) }
    defer { posix_spawnattr_destroy(&attributes) }
    try prepare(&attributes)
    var process: pid_t = 0
    try CStrings(words).withPointers { arguments in
      CStrings(environment + inheritedEnvironment).withPointers { variables in
        Result { () throws(SystemCallFailure) in
          try SystemCall.status("posix_spawn") {
            posix_spawn(&process, words.first ?? "", &actions, &attributes, arguments, variables)
          }
        }
      }
    }.get()
    return process
  }

  /// A group of its own, so that whatever it starts can be ended with it. No signal is blocked or ignored in it because
  /// we do so.
  private static func prepare(_ attributes: inout posix_spawnattr_t) throws(SystemCallFailure) {
    var none = sigset_t()
    sigemptyset(&none)
    var defaults = none
    sigaddset(&defaults, SIGPIPE)
    try SystemCall.status("posix_spawnattr_setsigmask") { posix_spawnattr_setsigmask(&attributes, &none) }
    try SystemCall.status("posix_spawnattr_setsigdefault") { posix_spawnattr_setsigdefault(&attributes, &defaults) }
    try SystemCall.status("posix_spawnattr_setpgroup") { posix_spawnattr_setpgroup(&attributes, 0) }
    let flags = Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    try SystemCall.status("posix_spawnattr_setflags") { posix_spawnattr_setflags(&attributes, flags) }
  }

  private static var inheritedEnvironment: [String] {
    var variables: [String] = []
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    while let variable = next.pointee {
      variables.append(String(cString: variable))
      next += 1
    }
    return variables
  }

  /// How the program ended; `nil` while it runs.
  package func exit() throws(SystemCallFailure) -> Exit? {
    if let ended { return ended }
    var status: Int32 = 0
    guard try SystemCall.checked("waitpid", { waitpid(process, &status, WNOHANG) }) == process else { return nil }
    isReaped = true
    // WIFEXITED, WEXITSTATUS and WTERMSIG of wait(2).
    let signal = status & 0x7F
    ended = signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal)
    return ended
  }

  /// Ends the program with everything that it started, and closes ``output``.
  package func kill() {
    output.close()
    guard !isReaped else { return }
    isReaped = true
    // It may have ended by itself meanwhile; waiting for it takes it off the system's list either way.
    _ = Glibc.kill(-process, SIGKILL)
    var status: Int32 = 0
    _ = try? SystemCall.checked("waitpid") { waitpid(process, &status, 0) }
  }
}

/// Strings as C wants them: an array of pointers that ends with a null pointer.
private struct CStrings {
  private let texts: [String]

  init(_ texts: [String]) { self.texts = texts }

  func withPointers<Value>(_ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
