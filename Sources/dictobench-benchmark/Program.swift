import Glibc

/// A run of another program, with what the kernel counted for it.
struct Program {
  /// Exit code.
  let status: Int32
  /// From start to end, in nanoseconds.
  let wallNanoseconds: Double
  /// Processor time in all its threads, in nanoseconds.
  let processorNanoseconds: Double
  /// The most memory it ever had, in octets: what `/proc` calls VmHWM.
  let peakOctets: Double

  /// Runs a program to its end, its output thrown away.
  init(_ words: [String], clock: () -> UInt64) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let began = clock()
    guard posix_spawn(&child, words[0], &actions, nil, &arguments, environ) == 0 else {
      throw Trouble.program("\(words[0]) cannot be started")
    }
    var ended: Int32 = 0
    var usage = rusage()
    guard wait4(child, &ended, 0, &usage) == child, ended & 0x7F == 0 else {
      throw Trouble.program("\(words.joined(separator: " ")) did not end by itself")
    }
    wallNanoseconds = Double(clock() - began)
    status = ended >> 8 & 0xFF
    processorNanoseconds = Self.nanoseconds(usage.ru_utime) + Self.nanoseconds(usage.ru_stime)
    // Linux counts it in KiB.
    peakOctets = Double(usage.ru_maxrss) * 1024
  }

  private static func nanoseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3
  }
}
