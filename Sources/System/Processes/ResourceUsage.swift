import Glibc

/// What a process has used of the machine since it was started.
package struct ResourceUsage: Hashable, Sendable {
  /// CPU time in nanoseconds, in user and system mode.
  package let cpuNanoseconds: Int
  /// The most memory that it has held, in KiB.
  package let peakKibibytes: Int

  /// What this process has used, all threads together.
  package static func ofThisProcess() throws(SystemCallFailure) -> ResourceUsage {
    var usage = rusage()
    try SystemCall.checked("getrusage") { getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) }
    func nanoseconds(_ time: timeval) -> Int { (time.tv_sec * 1_000_000 + time.tv_usec) * 1000 }
    return ResourceUsage(
      cpuNanoseconds: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime), peakKibibytes: usage.ru_maxrss)
  }
}
