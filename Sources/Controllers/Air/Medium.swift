import Timeline

/// What carries packets between stations: how well each hears each other, and what gets lost.
final class Medium {
  let loop: EventLoop
  /// Sees every packet on the air.
  var observer: ((AirObservation) -> Void)?
  /// Hears every packet that comes about anyway: unlike the observer it makes no advertiser speak to nobody.
  var listener: ((AirObservation) -> Void)?
  /// What comes and goes on every path.
  var interference: Interference? { didSet { noteDisturbances() } }

  private var links: [any AirLink] = []
  /// The longest radio time of the connections that are over.
  private var longestEnded: UInt64?
  /// The radio time of all connections that are over, in nanoseconds.
  private var ended: UInt64 = 0
  /// What advertisers that have stopped used.
  var advertised = RadioUse()
  private var linkCount: UInt32 = 0
  private var paths: [UInt64: AirPath] = [:]
  private var blackouts: [(begin: UInt64, end: UInt64)] = [] { didSet { noteDisturbances() } }
  /// Whether there are any of these. Kept, because it is asked for several times in every connection event.
  private var hasDisturbances = false

  init(loop: EventLoop) { self.loop = loop }

  /// Forgets paths, disturbances and who observes.
  func clear() {
    paths.removeAll()
    blackouts.removeAll()
    interference = nil
    observer = nil
    listener = nil
  }

  /// Changes what gets lost. Links that slept because nothing could happen look again.
  func change(_ body: (Medium) -> Void) {
    body(self)
    for link in links { link.wake() }
  }

  // MARK: Disturbances

  /// Lets nothing pass from now plus `delay`, for `duration`.
  func addBlackout(after delay: Duration, for duration: Duration) {
    let begin = loop.now.advanced(by: delay)
    blackouts.append((begin.nanoseconds, begin.advanced(by: duration).nanoseconds))
  }

  func removeBlackouts() { blackouts.removeAll() }

  /// Whether anything disturbs all paths, now or later.
  @inline(__always)
  var isDisturbed: Bool { hasDisturbances && isDisturbedNow }

  private var isDisturbedNow: Bool {
    let now = loop.now.nanoseconds
    blackouts.removeAll { $0.end <= now }
    return !blackouts.isEmpty || interference != nil
  }

  private func noteDisturbances() { hasDisturbances = !blackouts.isEmpty || interference != nil }

  func isBlackedOut(at nanoseconds: UInt64) -> Bool {
    blackouts.contains { $0.begin <= nanoseconds && nanoseconds < $0.end }
  }

  func interferencePartsPerMillion(at nanoseconds: UInt64) -> UInt32 {
    guard let interference else { return 0 }
    let phase = nanoseconds % UInt64(max(1, interference.period.wholeNanoseconds))
    return phase < UInt64(max(0, interference.onTime.wholeNanoseconds)) ? interference.corruptionPartsPerMillion : 0
  }

  // MARK: Paths and links

  func path(from sender: any AirStation, to receiver: any AirStation) -> AirPath {
    let key = UInt64(sender.station) << 32 | UInt64(receiver.station)
    if let path = paths[key] { return path }
    let path = AirPath(from: sender, to: receiver, medium: self)
    paths[key] = path
    return path
  }

  /// Forgets all paths from and to a station.
  func removePaths(of station: any AirStation) {
    let number = UInt64(station.station)
    paths = paths.filter { $0.key >> 32 != number && $0.key & 0xFFFF_FFFF != number }
  }

  func add(_ link: any AirLink) { links.append(link) }

  /// By what the next connection will be known on the air.
  func newIdentity() -> LinkIdentity {
    defer { linkCount += 1 }
    return LinkIdentity(number: linkCount)
  }

  func remove(_ link: any AirLink) {
    guard let place = links.firstIndex(where: { $0 === link }) else { return }
    longestEnded = max(longestEnded ?? 0, link.radioTime)
    ended += link.radioTime
    links.remove(at: place)
  }

  /// The longest time for which one connection kept the radio of its peripheral, in nanoseconds; `nil` while there was no
  /// connection.
  var longestRadioTime: UInt64? { (links.map(\.radioTime) + [longestEnded].compactMap { $0 }).max() }

  /// How long all connections together kept the radios of their peripherals, in nanoseconds.
  var totalRadioTime: UInt64 { links.reduce(ended) { $0 + $1.radioTime } }
}

/// A disturbance that comes and goes at a steady pace.
public struct Interference: Hashable, Sendable {
  /// From one beginning to the next.
  public var period: Duration
  /// How long it lasts each time.
  public var onTime: Duration
  /// Packets in a million that it spoils while it lasts.
  public var corruptionPartsPerMillion: UInt32

  public init(period: Duration, onTime: Duration, corruptionPartsPerMillion: UInt32) {
    self.period = period
    self.onTime = onTime
    self.corruptionPartsPerMillion = corruptionPartsPerMillion
  }
}
