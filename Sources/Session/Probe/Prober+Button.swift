import Bench
import DictofunProtocol
import Phone
import Probe
import Text
import Timeline
import World

extension Prober {
  /// How long the button is held for the two records whose difference gives the sample rate.
  private static let presses = [Duration.seconds(4), .seconds(16)]
  /// How long a record is followed by advertisements at most.
  private static let afterRecordWatch = Duration.seconds(50)
  /// How long a disconnection is.
  private static let afterDisconnectWatch = Duration.seconds(12)
  /// Between two looks of the state machine at the button, and closing a record: of the twin, with room.
  private static let closing = Duration.milliseconds(60)
  /// How many disconnections are followed.
  private static let disconnections = 4
  /// Octets of a frame and samples in it.
  private static let (frameOctets, frameSamples): (Int64, Int64) = (64, 128)

  /// Makes records with the button.
  mutating func makeRecords() async throws {
    // A recorder that is held by its rail never stays off.
    for deed in [Deed.setBattery(millivolts: Self.high), .cutPower] {
      do { try await phone.perform(deed) } catch ControlFailure.lacking {}
    }
    try await pass(.seconds(3))
    try await followRecord()
    try await followDisconnections()
    try await measureSampleRate()
  }

  /// Holds the button. Returns from when to when it was released.
  private func press(for span: Duration) async throws -> (before: Instant, after: Instant) {
    try await phone.perform(.press)
    try await pass(span)
    let before = phone.now
    try await phone.perform(.release)
    return (before, phone.now)
  }

  /// A record that no phone fetches: how long the recorder waits.
  private mutating func followRecord() async throws {
    guard let gap = lastGap else { return }
    let released = try await press(for: .seconds(2))
    _ = try await perform(.scan(Self.afterRecordWatch))
    var measurement = Measurement(.time, "from the end of a record to the last advertisement")
    if let last = log.heard(address, since: released.after).last,
      last.duration(to: phone.now) > .nanoseconds(gap * 2)
    {
      // The last advertisement may have been missed.
      measurement.add(
        .init(
          released.after.duration(to: last) - Self.closing, released.before.duration(to: last) + .nanoseconds(gap * 2)))
    }
    recorder.keep(
      .afterRecord, measurement,
      otherwise: "it advertised for \(DurationText.text(Self.afterRecordWatch)) after a record")
  }

  /// A phone that comes and goes: how long the recorder waits for it to come back.
  private mutating func followDisconnections() async throws {
    guard let gap = lastGap else { return }
    var measurement = Measurement(.time, "from a disconnection to the last advertisement")
    var bounds: [Measurement.Sample] = []
    for _ in 0..<Self.disconnections {
      _ = try await press(for: .seconds(1))
      try await connect()
      try await disconnect()
      let gone = phone.now
      _ = try await perform(.scan(Self.afterDisconnectWatch))
      let heard = log.heard(address, since: gone)
      guard let last = heard.last, last.duration(to: phone.now) > .nanoseconds(gap * 2) else { continue }
      // Phone and recorder learn of the end within one interval of each other.
      let jitter = (log.connection?.interval ?? .zero) + Self.transit
      bounds.append(.init(gone.duration(to: last) - jitter, gone.duration(to: last) + jitter + .nanoseconds(gap)))
    }
    // Where the last advertisements were not heard, the recorder seems to go too early.
    let latest = bounds.map(\.lower).max() ?? 0
    for sample in bounds where sample.upper >= latest { measurement.add(sample) }
    recorder.keep(
      .afterDisconnect, measurement,
      otherwise: "it advertised for \(DurationText.text(Self.afterDisconnectWatch)) after a disconnection")
  }

  /// Two records of different length: what comes before and after the sound is the same for both.
  private mutating func measureSampleRate() async throws {
    var lengths: [(span: Duration, octets: UInt32)] = []
    for press in Self.presses {
      let began = phone.now
      try await phone.perform(.press)
      try await pass(press)
      try await phone.perform(.release)
      let span = began.duration(to: phone.now)
      try await connect()
      let (service, point) = try await subscribeToAnswers()
      guard let newest = try await list(service, point).last, let found = try await size(of: newest, service, point)
      else {
        throw PhoneFailure.noAnswer
      }
      lengths.append((span, found.size))
      try await disconnect()
    }
    var measurement = Measurement(.rate, "what a longer press adds to a record")
    let (short, long) = (lengths[0], lengths[1])
    let samples = (Int64(long.octets) - Int64(short.octets)) * Self.frameSamples / Self.frameOctets
    let span = (long.span - short.span).nanosecondCount
    let jitter = Self.closing.nanosecondCount
    if samples > Self.frameSamples, span > jitter {
      measurement.add(
        .init(
          Int64((Int128(samples - Self.frameSamples) * 1_000_000_000_000) / Int128(span + jitter)),
          Int64((Int128(samples + Self.frameSamples) * 1_000_000_000_000) / Int128(span - jitter))))
    }
    recorder.keep(.sampleRate, measurement, otherwise: "its records do not grow with the time of the press")
  }
}
