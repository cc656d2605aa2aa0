/// What is measured, as scenarios: a cost is the difference between one that does something and one that does not.
enum Workloads {
  /// Octets of the record that is fetched: one mebibyte, in blocks of 200 and 56 octets.
  static let downloadOctets = 1 << 20
  /// Notifications that carry it.
  static let downloadNotifications = downloadOctets / 256 * 2

  /// Sound whose encoding is one mebibyte: 16,000 samples a second, four bits each.
  private static let longRecord = "{count: 1, seconds: 131.072 s}"

  /// Set-up, pairing and the download of one mebibyte.
  static let download = scenario(
    "download", device: "records: \(longRecord)",
    steps: ["phone: connect", "phone: pair", "phone: sync\n    expect: {size: \(downloadOctets) B}"])
  /// The same without the download.
  static let downloadBaseline = scenario(
    "download-baseline", device: "records: \(longRecord)", steps: ["phone: connect", "phone: pair"])

  /// Connecting, pairing and discovery.
  static let meeting = scenario("meeting", device: "", steps: ["phone: connect", "phone: pair"])
  /// The same without anybody meeting.
  static let meetingBaseline = scenario("meeting-baseline", device: "", steps: ["wait: 1 s"])

  /// An hour on an open link on which nothing happens.
  static let idleHour = scenario("idle-hour", device: "", steps: ["phone: connect", "phone: pair", "wait: 1 h"])

  /// Recorders that advertise at once.
  static let crowdCount = 1000
  /// Seconds for which they are listened to.
  static let crowdSeconds = 60

  /// A phone that listens to many recorders.
  static let crowd = crowd(seconds: crowdSeconds)
  /// The same for a moment.
  static let crowdBaseline = crowd(seconds: 1)

  /// An executed image is met for the first time, and a record of ten seconds is fetched.
  static let imageMeeting = scenario(
    "image-meeting", device: "records: {count: 1, seconds: 10 s}",
    steps: ["phone: connect", "phone: pair", "phone: sync\n    expect: {downloaded: 1, size: 80000 B}"])

  private static func crowd(seconds: Int) -> String {
    "scenario: crowd\nid: crowd\ngiven:\n  devices:\n    - {count: \(crowdCount)}\nsteps:\n  - phone: {scan: \(seconds) s}\n"
  }

  private static func scenario(_ id: String, device: String, steps: [String]) -> String {
    "scenario: \(id)\nid: \(id)\ngiven:\n  device: {\(device)}\nsteps:\n" + steps.map { "  - \($0)\n" }.joined()
  }
}
