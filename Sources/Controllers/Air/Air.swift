import HCI
import Timeline

/// The medium between virtual controllers: who hears whom, how well, and what gets lost.
///
/// Every choice is a named draw of the loop: `air.loss.<from>-<to>` for packets, `air.contest` where two answers meet.
/// It belongs to the thread of its loop.
package final class Air {
  /// The loop in whose time everything happens.
  package let loop: EventLoop
  /// Whether advertising PDUs that overlap on one channel spoil each other.
  package var collisions = false
  /// Sees every packet on the air. Connection events that are skipped because nothing happens in them are not seen;
  /// those of one connection event are told together when it begins.
  package var observer: ((AirObservation) -> Void)? {
    didSet { if observer != nil { wakeAdvertisers() } }
  }

  private(set) var controllers: [VirtualController] = []
  /// Controllers that scan or initiate, in the order in which they began.
  private(set) var listeners: [VirtualController] = []
  let advertisements = AdvertisementSchedule()
  private var links: [Link] = []
  private var paths: [UInt64: AirPath] = [:]
  private var blackouts: [(begin: UInt64, end: UInt64)] = []
  private var interference: Interference?
  private var stationCount = 0

  /// An empty air, free of loss.
  package init(loop: EventLoop) { self.loop = loop }

  /// Switches every controller off and forgets all of it, so that nothing keeps anything alive: the end of a run.
  package func close() {
    for controller in controllers { controller.close() }
    paths.removeAll()
    blackouts.removeAll()
    interference = nil
    observer = nil
  }

  // MARK: Disturbing

  /// Loses this many packets per million from one controller to the other: unnoticed, or with a wrong CRC.
  package func setLoss(
    from sender: VirtualController, to receiver: VirtualController, lostPartsPerMillion: UInt32,
    corruptedPartsPerMillion: UInt32 = 0
  ) {
    let path = path(from: sender, to: receiver)
    path.lossPartsPerMillion = lostPartsPerMillion
    path.corruptionPartsPerMillion = corruptedPartsPerMillion
    conditionsChanged()
  }

  /// Loses packets from one controller to the other in bursts; `nil` ends it.
  package func setBurstLoss(from sender: VirtualController, to receiver: VirtualController, _ burst: BurstLoss?) {
    path(from: sender, to: receiver).burst = burst
    conditionsChanged()
  }

  /// Puts two controllers so far apart, in millimetres.
  package func setDistance(_ one: VirtualController, _ other: VirtualController, millimetres: Int) {
    path(from: one, to: other).millimetres = millimetres
    path(from: other, to: one).millimetres = millimetres
    conditionsChanged()
  }

  /// Lets nothing pass between two controllers, or lets it pass again; a link between them ends when its supervision
  /// time-out has passed.
  package func setBroken(_ one: VirtualController, _ other: VirtualController, _ isBroken: Bool) {
    path(from: one, to: other).isBroken = isBroken
    path(from: other, to: one).isBroken = isBroken
    conditionsChanged()
  }

  /// Lets nothing pass anywhere from now plus `delay`, for `duration`.
  package func blackOut(after delay: Duration = .zero, for duration: Duration) {
    let begin = loop.now.advanced(by: delay)
    blackouts.append((begin.nanoseconds, begin.advanced(by: duration).nanoseconds))
    conditionsChanged()
  }

  /// Ends every blackout, those that have not begun included.
  package func endBlackouts() {
    blackouts.removeAll()
    conditionsChanged()
  }

  /// Disturbs every path with something that comes and goes, such as a microwave oven; `nil` ends it.
  package func setInterference(_ interference: Interference?) {
    self.interference = interference
    conditionsChanged()
  }

  /// How strongly one controller receives the other, in dBm.
  package func signalStrength(from sender: VirtualController, to receiver: VirtualController) -> Int8 {
    path(from: sender, to: receiver).signalStrength
  }

  /// Whether anything disturbs all paths, now or later.
  var isDisturbed: Bool {
    if blackouts.isEmpty && interference == nil { return false }
    let now = loop.now.nanoseconds
    blackouts.removeAll { $0.end <= now }
    return !blackouts.isEmpty || interference != nil
  }

  func isBlackedOut(at nanoseconds: UInt64) -> Bool {
    blackouts.contains { $0.begin <= nanoseconds && nanoseconds < $0.end }
  }

  func interferencePartsPerMillion(at nanoseconds: UInt64) -> UInt32 {
    guard let interference else { return 0 }
    let phase = nanoseconds % UInt64(max(1, interference.period.wholeNanoseconds))
    return phase < UInt64(max(0, interference.onTime.wholeNanoseconds)) ? interference.corruptionPartsPerMillion : 0
  }

  /// Something changed what gets lost: links that slept because nothing could happen look again.
  private func conditionsChanged() {
    for link in links { link.wake() }
  }

  // MARK: Stations

  func attach(_ controller: VirtualController) -> Int {
    controllers.append(controller)
    stationCount += 1
    return stationCount - 1
  }

  func detach(_ controller: VirtualController) {
    controllers.removeAll { $0 === controller }
    setListening(controller, false)
    let station = UInt64(controller.station)
    paths = paths.filter { $0.key >> 32 != station && $0.key & 0xFFFF_FFFF != station }
  }

  func path(from sender: VirtualController, to receiver: VirtualController) -> AirPath {
    let key = UInt64(sender.station) << 32 | UInt64(receiver.station)
    if let path = paths[key] { return path }
    let path = AirPath(from: sender, to: receiver, air: self)
    paths[key] = path
    return path
  }

  func setListening(_ controller: VirtualController, _ isListening: Bool) {
    let index = listeners.firstIndex { $0 === controller }
    if isListening, index == nil {
      listeners.append(controller)
      wakeAdvertisers()
    } else if !isListening, let index {
      listeners.remove(at: index)
    }
  }

  private func wakeAdvertisers() {
    for controller in controllers { controller.advertiser?.wake() }
  }

  func add(_ link: Link) { links.append(link) }
  func remove(_ link: Link) { links.removeAll { $0 === link } }
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
