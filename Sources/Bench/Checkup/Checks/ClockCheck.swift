/// Whether the machine's clock can be believed: the recorder takes its time from it.
struct ClockCheck: BenchCheck {
  let name = "clock"

  /// Seconds since 1970 at the beginning of 2024, before which this program was not written, and of 2100, up to which the
  /// recorder counts.
  private static let plausible: Range<Int64> = 1_704_067_200..<4_102_444_800
  /// How much the clocks may drift apart while a bench is looked at, in nanoseconds.
  private static let tolerance: Int64 = 500_000_000
  /// The programs that synchronize clocks.
  private static let keepers = ["systemd-timesyncd", "chronyd", "ntpd", "openntpd", "phc2sys"]

  func look(_ examination: inout Examination) -> Finding? {
    let (began, now) = (examination.began, examination.machine.clock())
    let seconds = now.wall / 1_000_000_000
    guard Self.plausible.contains(seconds) else {
      return .failed(
        "the machine's clock shows \(seconds) s since 1970",
        advice: "set it, for example with `sudo timedatectl set-ntp true`: the recorder takes its time from it")
    }
    let elapsed = Int64(clamping: now.monotonic &- began.monotonic)
    let jump = (now.wall - began.wall) - elapsed
    guard abs(jump) < Self.tolerance else {
      return .failed(
        "the machine's clock was changed by \(jump / 1_000_000) ms during this check",
        advice: "wait until it is no longer being set, and try again")
    }
    guard let keeper = examination.machine.running(Self.keepers).first else {
      return .ready(
        "plausible, but not synchronized",
        advice: "run `sudo timedatectl set-ntp true`; otherwise the recorder's time is as wrong as this machine's")
    }
    return .ready("plausible, synchronized by \(keeper)")
  }
}
