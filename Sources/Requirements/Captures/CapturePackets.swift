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

  /// Microseconds by which a record may be older than the one before: adapters are read one after the other.
  private static let disorderLimit: Int64 = 1_000_000
  /// Sniffers of one capture that are followed.
  private static let followerLimit = 8

  private var reader: CaptureReader
  private let keys: SnifferKeys
  private var followers: [(adapter: UInt16, follower: AirFollower)] = []
  private var waiting: [AirFollower.Outcome] = []
  private var waitingAdapter: UInt16 = 0
  private var base: Int64?
  /// The instant of the last record.
  private(set) var last = Instant.zero
  /// Why reading stopped before the end of the file.
  private(set) var brokenBy: CaptureFailure?
  /// How many packets mean nothing, by reason.
  private(set) var omissions: [CaptureOmission: Int] = [:]
  /// When something that belongs to a link was first missing.
  private(set) var firstGap: Instant?
  /// The earliest instant to which the clock of the capture goes back. From there on nobody knows how long anything took: what
  /// was stamped before it goes back may be what is wrong.
  private(set) var earliestStepBack: Instant?

  /// Opens a capture. Throws when its format is not known.
  init(_ source: any CaptureSource, keys: SnifferKeys) throws(CaptureFailure) {
    reader = try CaptureReader(source)
    self.keys = keys
  }

  /// The next packet; `nil` at the end, and where the file is broken.
  mutating func next() -> Packet? {
    while true {
      if let packet = nextHeard() { return packet }
      let record: CaptureRecord?
      do { record = try reader.next() } catch {
        brokenBy = error
        return nil
      }
      guard let record else { return nil }
      switch record.content {
      // They may have a clock of their own, or none.
      case .remark, .omitted(.foreignLink), .omitted(.tooManyAdapters): break
      case .sent, .received, .heard, .omitted: move(to: record.unixMicroseconds)
      }
      if record.dropsBefore > 0 { omit(.dropped, count: Int(record.dropsBefore)) }
      switch record.content {
      case .sent(let packet):
        return Packet(adapter: record.adapter, packet: packet, direction: .toController, instant: last)
      case .received(let packet):
        return Packet(adapter: record.adapter, packet: packet, direction: .toHost, instant: last)
      case .heard(let packet): hear(packet, on: record.adapter)
      case .omitted(let omission): omit(omission)
      case .remark: break
      }
    }
  }

  /// The next packet of those that what a sniffer heard last stands for.
  private mutating func nextHeard() -> Packet? {
    while !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .packet(let central, let packet, let isSent):
        return Packet(
          adapter: waitingAdapter &+ central, packet: packet, direction: isSent ? .toController : .toHost,
          instant: last)
      case .omitted(let omission): omit(omission)
      case .learnt, .pairingIsSecure: break
      }
    }
    return nil
  }

  private mutating func hear(_ packet: RadioPacket, on adapter: UInt16) {
    waitingAdapter = adapter
    if let index = followers.firstIndex(where: { $0.adapter == adapter }) {
      return followers[index].follower.hear(packet, &waiting)
    }
    guard followers.count < Self.followerLimit else { return omit(.tooManyAdapters) }
    followers.append((adapter, AirFollower(keys: keys)))
    followers[followers.count - 1].follower.hear(packet, &waiting)
  }

  /// Counts packets that mean nothing.
  mutating func omit(_ omission: CaptureOmission, count: Int = 1) {
    omissions[omission, default: 0] += count
    if omission.isGap, firstGap == nil { firstGap = last }
  }

  /// Clocks are set while captures run; time never goes back here.
  private mutating func move(to microseconds: Int64) {
    let first = base ?? microseconds
    base = first
    let (elapsed, isBroken) = microseconds.subtractingReportingOverflow(first)
    let bounded = isBroken ? 0 : min(max(elapsed, 0), Int64.max / 2_000)
    let isStepBack = isBroken || elapsed < Int64(last.nanoseconds / 1_000) - Self.disorderLimit
    let instant = Instant(nanoseconds: UInt64(bounded) * 1_000)
    if isStepBack { earliestStepBack = min(earliestStepBack ?? instant, instant) }
    last = max(last, instant)
  }
}
