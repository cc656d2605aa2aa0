/// What one phone and one recorder cost: a download, a meeting, an hour of nothing.
struct LinkBenchmarks {
  let sampling: Sampling
  /// Where captures grow until they are thrown away.
  let folder: String
  /// What the same work costs Bumble, where it was measured.
  let bumble: BumbleFigures?

  /// Octets of the record.
  private static let octets = 1 << 20
  /// Notifications that carry it: 200 and 56 octets for each block of 256.
  private static let notifications = Double(octets / 256 * 2)
  private static let hour = Duration.seconds(3600)

  func run() throws -> [Figure] {
    let everything = try download(named: "download", "1 MiB with trace, hash, monitors and capture", folder)
    let withoutCapture = try download(named: "downloadWithoutCapture", "1 MiB with capture off", nil)
    return everything + withoutCapture + [try meeting(), try waiting()]
  }

  private func download(named name: String, _ title: String, _ folder: String?) throws -> [Figure] {
    let samples = try sampling.samples {
      let meeting = try Meeting(recordOctets: Self.octets, captureFolder: folder)
      try meeting.meet()
      var octets = 0
      let time = try processorTime { octets = try meeting.download() }
      guard octets == Self.octets else { throw Trouble.wrongResult }
      return time / 1e6
    }
    let median = samples.median
    let each = median * 1000 / Self.notifications
    let theirs = bumble?.downloadSeconds
    return [
      Figure(
        name, title, median, "ms", samples: samples,
        bar: folder == nil ? nil : theirs.map { .atMost($0 * 1000 / 50) }, bumble: theirs.map { $0 * 1000 }),
      Figure(
        name + "EachNotification", "  each notification", each, "µs", bar: .atMost(folder == nil ? 2 : 6),
        bumble: theirs.map { $0 * 1e6 / Self.notifications }),
      Figure(
        name + "Notifications", "  notifications a second", 1e6 / each, "1/s",
        bumble: theirs.map { Self.notifications / $0 }),
    ]
  }

  private func meeting() throws -> Figure {
    let samples = try sampling.samples {
      let meeting = try Meeting(captureFolder: folder)
      return try processorTime { try meeting.meet() } / 1e6
    }
    return Figure(
      "meeting", "connect, discover and pair", samples.median, "ms", samples: samples,
      bumble: bumble.map { $0.meetingSeconds * 1000 })
  }

  private func waiting() throws -> Figure {
    let samples = try sampling.samples {
      let meeting = try Meeting(captureFolder: folder)
      try meeting.meet()
      return processorTime { meeting.wait(Self.hour) } / 1e6
    }
    return Figure("idleHour", "an hour on an open link", samples.median, "ms", samples: samples, bar: .atMost(50))
  }
}
