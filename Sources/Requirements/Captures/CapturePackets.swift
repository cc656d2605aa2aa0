import HCI
import Sniffer
import Timeline

/// The HCI packets of a capture, one after the other: as they stand in it, or made of what a sniffer heard.
struct CapturePackets {
  /// One packet and where it belongs.
  struct Packet {
    var adapter: UInt16
    var packet: HCIPacket
    var direction: PacketDirection
    /// Since the first packet of the capture; never goes back.
    var instant: Instant
  }

  /// What comes next in a capture.
  enum Item {
    case packet(Packet)
    /// The packets of these adapters end, or of one connection only, while others may go on.
    case end(ClosedRange<UInt16>, of: ConnectionHandle? = nil, Instant)
  }

  /// What is stamped in order: packets of one kind that one adapter sent, or received.
  private struct Stream {
    var adapter: UInt16
    var kind: HCIPacket.Kind
    var isReceived: Bool
    var microseconds: Int64

    func isSame(_ other: Stream) -> Bool {
      adapter == other.adapter && kind == other.kind && isReceived == other.isReceived
    }
  }

  /// Microseconds by which a record may be older than one of another stream: they are read one after the other.
  private static let disorderLimit: Int64 = 1_000_000
  /// Streams whose order is looked at.
  private static let streamLimit = 4 * CaptureJudge.adapterLimit
  /// Sniffers of one capture that are followed.
  private static let followerLimit = 8

  private var reader: CaptureReader
  private let keys: SnifferKeys
  private let knownEnds: [(adapter: UInt16, ends: AirFollower.UnheardEnds)]
  private var followers: [(adapter: UInt16, follower: AirFollower)] = []
  private var waiting: [AirFollower.Outcome] = []
  private var waitingAdapter: UInt16 = 0
  private var base: Int64?
  private var streams: [Stream] = []
  private var recordCount = 0
  /// The interfaces that are known to end before the capture does.
  private var earlyEnds: [(record: Int, adapters: ClosedRange<UInt16>)]
  private var interfaceEnds = InterfaceEnds()
  /// The instant of the last record.
  private(set) var last = Instant.zero
  /// Why reading stopped before the end of the file.
  private(set) var brokenBy: CaptureFailure?
  /// How many packets mean nothing, by reason.
  private(set) var omissions: [CaptureOmission: Int] = [:]
  /// When something that belongs to a link was first missing.
  private(set) var firstGap: Instant?
  /// When a packet first came whose time the capture does not tell.
  private(set) var firstUntimed: Instant?
  /// Whether two packets had different times.
  private var isTimed = false
  /// Packets that have a time.
  private var timedCount = 0
  /// The earliest instant to which the clock of the capture goes back. From there on nobody knows how long anything took: what
  /// was stamped before it goes back may be what is wrong.
  private(set) var earliestStepBack: Instant?

  /// Opens a capture. `unheardEnds` are those of sniffers' connections and `earlyEnds` those of interfaces, from a first
  /// reading. Throws when its format is not known.
  init(
    _ source: any CaptureSource, keys: SnifferKeys,
    unheardEnds: [(adapter: UInt16, ends: AirFollower.UnheardEnds)] = [],
    earlyEnds: [(record: Int, adapters: ClosedRange<UInt16>)] = []
  ) throws(CaptureFailure) {
    reader = try CaptureReader(source)
    self.keys = keys
    knownEnds = unheardEnds
    self.earlyEnds = earlyEnds
  }

  /// The interfaces that ended before the capture did, once everything was read.
  var endedEarly: [(record: Int, adapters: ClosedRange<UInt16>)] { interfaceEnds.early(before: last) }

  /// From when on packets have no time; `nil` where all have one. What has only one time for all packets has none.
  var timeless: Instant? { firstUntimed ?? (timedCount > 1 && !isTimed ? .zero : nil) }

  /// What each sniffer did not hear of its connections' ends, once everything was read.
  var unheardEnds: [(adapter: UInt16, ends: AirFollower.UnheardEnds)] {
    followers.map { ($0.adapter, $0.follower.unheardEnds(at: last.nanoseconds)) }
  }

  /// What the capture calls the adapter with this number.
  func name(of adapter: UInt16) -> String { reader.name(of: adapter) }

  /// What comes next; `nil` at the end, and where the file is broken.
  mutating func next() -> Item? {
    while true {
      if let item = nextHeard() { return item }
      if let index = earlyEnds.firstIndex(where: { $0.record == recordCount }) {
        return .end(earlyEnds.remove(at: index).adapters, last)
      }
      let record: CaptureRecord?
      do { record = try reader.next() } catch {
        brokenBy = error
        return nil
      }
      guard let record else { return nil }
      note(record)
      switch record.content {
      case .sent(let packet):
        if let packet = whole(packet, of: record.adapter, .toController) { return .packet(packet) }
      case .received(let packet):
        if let packet = whole(packet, of: record.adapter, .toHost) { return .packet(packet) }
      case .heard(let packet): hear(packet, on: record.adapter)
      case .omitted(let omission): omit(omission)
      case .closed: return .end(record.adapter...record.adapter, last)
      case .remark: break
      }
    }
  }

  /// Takes what a record tells besides its packet: its time, and what was lost.
  private mutating func note(_ record: CaptureRecord) {
    recordCount += 1
    switch record.content {
    // They may have a clock of their own, or none.
    case .remark, .closed, .omitted(.foreignLink), .omitted(.tooManyAdapters), .omitted(.unknownInterface): break
    case .sent, .received, .heard, .omitted:
      if record.hasTime { move(to: record) } else { firstUntimed = firstUntimed ?? last }
      interfaceEnds.observe(recordCount, of: reader.interface(of: record.adapter), at: last)
    }
    if record.dropsBefore > 0 { omit(.dropped, count: Int(record.dropsBefore)) }
    guard record.dropsSomewhere > 0 else { return }
    omit(.dropped, count: Int(record.dropsSomewhere))
    // Nobody knows where they are missing.
    firstGap = .zero
  }

  /// A packet as long as its header says; `nil` where it is shorter.
  private mutating func whole(_ packet: HCIPacket, of adapter: UInt16, _ direction: PacketDirection) -> Packet? {
    guard let whole = PacketForm.whole(packet) else {
      omit(.cutShort)
      return nil
    }
    return Packet(adapter: adapter, packet: whole, direction: direction, instant: last)
  }

  /// What comes next of that for which what a sniffer heard last stands.
  private mutating func nextHeard() -> Item? {
    while !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .packet(let central, let packet, let isSent):
        return .packet(
          Packet(
            adapter: waitingAdapter &+ central, packet: packet, direction: isSent ? .toController : .toHost,
            instant: last))
      case .lost(let central, let handle):
        let adapter = waitingAdapter &+ central
        return .end(adapter...adapter, of: handle, last)
      case .omitted(let omission): omit(omission)
      case .learnt, .pairingIsSecure: break
      }
    }
    return nil
  }

  private mutating func hear(_ packet: RadioPacket, on adapter: UInt16) {
    waitingAdapter = adapter
    if let index = followers.firstIndex(where: { $0.adapter == adapter }) {
      return followers[index].follower.hear(packet, at: last.nanoseconds, &waiting)
    }
    guard followers.count < Self.followerLimit else { return omit(.tooManyAdapters) }
    let ends = knownEnds.first { $0.adapter == adapter }?.ends ?? AirFollower.UnheardEnds()
    followers.append((adapter, AirFollower(keys: keys, unheardEnds: ends)))
    followers[followers.count - 1].follower.hear(packet, at: last.nanoseconds, &waiting)
  }

  /// Counts packets that mean nothing.
  mutating func omit(_ omission: CaptureOmission, count: Int = 1) {
    omissions[omission, default: 0] += count
    if omission.isGap, firstGap == nil { firstGap = last }
  }

  /// Clocks are set while captures run; time never goes back here.
  private mutating func move(to record: CaptureRecord) {
    let microseconds = record.unixMicroseconds
    let first = base ?? microseconds
    base = first
    timedCount += 1
    if microseconds != first { isTimed = true }
    let isInOrder = isInOrder(record)
    let (elapsed, isBroken) = microseconds.subtractingReportingOverflow(first)
    let bounded = isBroken ? 0 : min(max(elapsed, 0), Int64.max / 2_000)
    let isStepBack =
      isBroken || elapsed < Int64(last.nanoseconds / 1_000) - Self.disorderLimit || !isInOrder
    let instant = Instant(nanoseconds: UInt64(bounded) * 1_000)
    if isStepBack { earliestStepBack = min(earliestStepBack ?? instant, instant) }
    last = max(last, instant)
  }

  /// Whether a record is not older than the one before of its stream. What sniffers hear is put in order by its sequence
  /// numbers.
  private mutating func isInOrder(_ record: CaptureRecord) -> Bool {
    let stream: Stream
    switch record.content {
    case .sent(let packet):
      stream = Stream(
        adapter: record.adapter, kind: packet.kind, isReceived: false, microseconds: record.unixMicroseconds)
    case .received(let packet):
      stream = Stream(
        adapter: record.adapter, kind: packet.kind, isReceived: true, microseconds: record.unixMicroseconds)
    case .heard, .omitted, .remark, .closed: return true
    }
    guard let known = streams.firstIndex(where: { $0.isSame(stream) }) else {
      if streams.count < Self.streamLimit { streams.append(stream) }
      return true
    }
    defer { streams[known] = stream }
    return streams[known].microseconds <= stream.microseconds
  }
}
