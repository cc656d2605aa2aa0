/// Whether the machine's clock can be believed: the recorder takes its time from it.
struct ClockCheck: BenchCheck {
  let name = "clock"

  /// Seconds since 1970 at the beginning of 2024, before which this program was not written, and of 2100, up to which the
  /// recorder counts.
  private static let plausible: Range<Int64> = 1_704_067_200..<4_102_444_800
  /// How much the clocks may drift apart while a bench is looked at, in nanoseconds.
  private static let tolerance: Int64 = 500_000_000
  /// What keeps clocks right.
  private static let keepers = ["systemd-timesyncd", "chronyd", "ntpd", "openntpd", "phc2sys"]

  func look(_ examination: inout Examination) -> Finding? {
    let (began, now) = (examination.began, examination.machine.clock())
    let seconds = now.wall / 1_000_000_000
    guard Self.plausible.contains(seconds) else {
      return .failed(
        "the machine's clock says that 1970 was \(seconds) s ago",
        advice: "set it, such as by `sudo timedatectl set-ntp true`: the recorder takes its time from it")
    }
    let elapsed = Int64(clamping: now.monotonic &- began.monotonic)
    let jump = (now.wall - began.wall) - elapsed
    guard abs(jump) < Self.tolerance else {
      return .failed(
        "the machine's clock was set by \(jump / 1_000_000) ms in the middle of this look",
        advice: "wait until whoever sets it is done, and try again")
    }
    guard let keeper = examination.machine.running(Self.keepers).first else {
      return .ready(
        "plausible, but nothing keeps it right",
        advice: "`sudo timedatectl set-ntp true`, else the recorder's time is as wrong as this machine's")
    }
    return .ready("plausible, kept right by \(keeper)")
  }
}
