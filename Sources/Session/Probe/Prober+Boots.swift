import Bench
import Phone
import Probe
import Text
import Timeline
import World

extension Prober {
  /// A silence that is longer than this is more than lost advertisements.
  private static let pause = Duration.milliseconds(1_500)
  /// From the order to advertise to the first advertisement: the commands of the host, and its packet.
  private static let advertisingStart = Duration.milliseconds(8)
  /// How long boots are watched.
  private static let bootWatch = Duration.seconds(150)
  /// How much longer where the flash will be erased.
  private static let formatWatch = Duration.seconds(80)
  /// How long the power stays away.
  private static let darkness = Duration.seconds(3)

  /// Switches the power off and on with the rail held, and listens while the recorder switches itself off and boots, again
  /// and again.
  mutating func watchBoots() async throws {
    try await pass(Self.darkness)
    let watch = Self.bootWatch + Self.formatWatch
    let began = phone.now
    async let scan = phone.perform(.scan(watch), within: watch + .seconds(30))
    try await pass(.seconds(1))
    let before = phone.now
    try await phone.perform(.powerOn)
    let after = phone.now
    _ = try await scan.get()
    let episodes = AdvertisingEpisode.episodes(log.heard(address, since: began), pause: Self.pause)
    try await phone.perform(.cutPower)
    guard let first = episodes.first else { throw PhoneFailure.nothingInSight }
    var boot = Measurement(.time, "from the rail to the first advertisement")
    boot.add(
      .init(
        after.duration(to: first.first) - Self.advertisingStart - Self.transit, before.duration(to: first.first)))
    recorder.keep(.bootToAdvertising, boot, otherwise: "it did not advertise")
    takeSleeps(episodes)
  }

  /// Boots it by its rail, or by its button where there is no rail, or none that works; without either it must be awake
  /// already.
  func wake() async throws {
    do { try await phone.perform(.powerOn) } catch let failure where failure.isMissing {
      do { try await phone.perform(.press) } catch let failure where failure.isMissing { return }
      try await pass(.seconds(1))
      try await phone.perform(.release)
    }
    try await pass(Self.darkness)
  }

  /// The last episode ends with the watch and not with the recorder's power.
  private mutating func takeSleeps(_ episodes: [AdvertisingEpisode]) {
    guard let boot = recorder.figures[.bootToAdvertising], let gap = lastGap else { return }
    var noRecord = Measurement(.time, "from a boot to the last advertisement, on a held rail")
    let spans = episodes.dropLast().map(\.span.nanosecondCount)
    // Where the last advertisements were not heard, an episode seems to end too early.
    for span in spans where span + gap >= spans.max() ?? 0 {
      noRecord.add(.init(span + boot.value - boot.spread, span + gap + boot.value + boot.spread))
    }
    recorder.keep(
      .noRecord, noRecord, otherwise: "it did not switch itself off within \(DurationText.text(Self.bootWatch))")
    guard let awake = noRecord.figure else { return }
    let cycles = zip(episodes, episodes.dropFirst()).map { $0.first.duration(to: $1.first).nanosecondCount }
    takeCycles(cycles, awake)
  }

  /// From one boot to the next: the time awake, switching off, and the reset on the held rail; with the first of them
  /// the flash may have been erased.
  private mutating func takeCycles(_ cycles: [Int64], _ awake: Figure) {
    guard !cycles.isEmpty else { return }
    let median = cycles.sorted()[cycles.count / 2]
    let jitter = Self.transit.nanosecondCount * 2
    let switchingOff = twinTime(ticks: twin.timing.powerOff)
    var reset = Measurement(.time, "from power-off to the next boot, on a held rail")
    // Where a first advertisement was not heard, one cycle seems longer and the next one shorter.
    for cycle in cycles where (cycle - median).magnitude <= jitter {
      let middle = cycle - awake.value - switchingOff
      reset.add(.init(middle - awake.spread - jitter, middle + awake.spread + jitter))
    }
    recorder.keep(.resetOnHeldRail, reset, otherwise: "it did not boot again")
    var format = Measurement(.time, "by how much the switching off is longer when the flash is erased")
    if let longest = cycles.first, longest - median > Self.second {
      format.add(.init(longest - median - jitter, longest - median + jitter))
    }
    recorder.keep(
      .format, format, otherwise: "needs a flash that the recorder erases when it switches itself off: nearly full")
  }

  private static let second: Int64 = 1_000_000_000

  /// Time of ticks of the twin, in nanoseconds.
  private func twinTime(ticks: Int64) -> Int64 { ticks * Self.second / 1024 }

  /// From the last advertisement that was heard to power-off, at most, in nanoseconds: one interval with its delay.
  var lastGap: Int64? {
    recorder.figures[.advertisingInterval].map {
      $0.value + $0.spread + AdvertisingGaps.delay + AdvertisingGaps.channels
    }
  }
}

extension ControlFailure {
  /// Whether there is nothing that does it, or nothing that works.
  fileprivate var isMissing: Bool {
    switch self {
    case .lacking, .bench: true
    case .ended, .impossible: false
    }
  }
}
