import HCI

/// One connection event: exchanges of a packet of the central and one of the peripheral, until neither has more to
/// say, something gets lost, or the time is over (Core Specification Vol 6, Part B, 4.5.1 and 4.5.6).
struct ConnectionEvent {
  private let central: LinkEnd
  private let peripheral: LinkEnd
  private let air: Air
  private let downlink: AirPath
  private let uplink: AirPath
  let event: UInt64
  /// Time on the air, in nanoseconds.
  private(set) var clock: UInt64
  /// When the radio has to be free for something else.
  private let limit: UInt64
  /// Time as each end plans it, from the anchor on.
  private var centralPlan: Plan
  private var peripheralPlan: Plan
  /// Whether the peripheral listens.
  var isAttended = false
  private(set) var isHeardByCentral = false
  private(set) var isHeardByPeripheral = false

  /// How one end plans the time of an event.
  private struct Plan {
    let timing: LinkTiming
    let length: UInt64
    var used: UInt64
    var exchanges = 0

    init(_ timing: LinkTiming, interval: UInt64) {
      self.timing = timing
      length = min(UInt64(timing.eventLength.wholeNanoseconds), interval)
      used = UInt64(timing.fixedCost.wholeNanoseconds)
    }

    /// Whether one more exchange of these durations fits, where `longest` is the longest reply possible.
    func allows(own: UInt64, reply: UInt64, longest: UInt64) -> Bool {
      if let limit = timing.exchangeLimit, exchanges >= limit { return false }
      let reserved = timing.reservesLongestReply ? longest : reply
      return used + own + reserved + 2 * AirTime.interFrameSpace <= length
    }

    mutating func take(_ duration: UInt64) {
      used += duration + 2 * AirTime.interFrameSpace
      exchanges += 1
    }
  }

  init(link: Link, downlink: AirPath, uplink: AirPath, event: UInt64, anchor: UInt64) {
    central = link.central
    peripheral = link.peripheral
    air = link.air
    self.downlink = downlink
    self.uplink = uplink
    self.event = event
    clock = anchor
    centralPlan = Plan(link.central.controller.profile.timing, interval: link.interval)
    peripheralPlan = Plan(link.peripheral.controller.profile.timing, interval: link.interval)
    limit = min(
      link.central.controller.radioFreeUntil(after: anchor, besides: link),
      link.peripheral.controller.radioFreeUntil(after: anchor, besides: link))
  }

  /// Whether anything came of the event that its controllers have to deal with.
  var hasResults: Bool { central.hasResults || peripheral.hasResults }

  mutating func play() {
    guard central.controller.radioBusyUntil <= clock else { return }
    if peripheral.controller.radioBusyUntil > clock { isAttended = false }
    central.consecutiveErrors = 0
    peripheral.consecutiveErrors = 0
    repeat {
      if central.departure?.mustAcknowledge == true { central.departure?.mustAcknowledge = false }
      guard exchange() else { break }
    } while goesOn
    central.controller.radioBusyUntil = clock
    if isAttended { peripheral.controller.radioBusyUntil = clock }
    // A peripheral acknowledges with the packet in which it answers.
    if isHeardByPeripheral { peripheral.departure?.mustAcknowledge = false }
  }

  /// Plays one exchange; false when the event ends with it.
  private mutating func exchange() -> Bool {
    central.load()
    let down = transmit(central, to: peripheral, over: downlink, fromCentral: true)
    guard isAttended, !peripheral.isAstray else { return false }
    switch down {
    case .lost: return false
    case .corrupted:
      peripheral.consecutiveErrors += 1
      if peripheral.consecutiveErrors == 2 { return false }
    case .heard:
      isHeardByPeripheral = true
      peripheral.receive(from: central)
      if peripheral.hasFailed { return false }
    }
    clock += AirTime.interFrameSpace
    peripheral.load()
    let up = transmit(peripheral, to: central, over: uplink, fromCentral: false)
    countTime()
    switch up {
    case .lost: return false
    case .corrupted:
      central.consecutiveErrors += 1
      return central.consecutiveErrors < 2
    case .heard:
      isHeardByCentral = true
      central.receive(from: peripheral)
      return !central.hasFailed
    }
  }

  /// Whether the central begins another exchange: somebody has more to say, or has to say again what was not
  /// heard, and there is time.
  private var goesOn: Bool {
    let wantsMore =
      central.hasMore || central.consecutiveErrors > 0 || peripheral.consecutiveErrors > 0
      || central.departure?.mustAcknowledge == true || peripheral.announcesMore
    return wantsMore && fits
  }

  private var fits: Bool {
    let down = duration(central, central.nextLength(acknowledged: central.isAcknowledged(by: peripheral)), plan: true)
    let up = duration(
      peripheral, peripheral.nextLength(acknowledged: peripheral.isAcknowledged(by: central)), plan: true)
    let longestDown = duration(central, central.transmitLimit, plan: true)
    let longestUp = duration(peripheral, peripheral.transmitLimit, plan: true)
    return centralPlan.allows(own: down, reply: up, longest: longestUp)
      && peripheralPlan.allows(own: up, reply: down, longest: longestDown)
      && clock + down + up + 2 * AirTime.interFrameSpace <= limit
  }

  private mutating func countTime() {
    let down = duration(central, central.unacknowledged?.length ?? 0, plan: true)
    let up = duration(peripheral, peripheral.unacknowledged?.length ?? 0, plan: true)
    centralPlan.take(down + up)
    peripheralPlan.take(down + up)
    clock += AirTime.interFrameSpace
  }

  private func duration(_ end: LinkEnd, _ length: Int, plan: Bool) -> UInt64 {
    let counts = plan && end.controller.profile.timing.alwaysCountsIntegrityCheck
    return AirTime.nanoseconds(
      end.transmitPHY, payload: length, integrityCheck: counts || end.transmitCipher != nil)
  }

  /// Sends what the end has loaded; the clock moves to the end of the packet.
  private mutating func transmit(
    _ sender: LinkEnd, to receiver: LinkEnd, over path: AirPath, fromCentral: Bool
  ) -> Reception {
    let length = sender.unacknowledged?.length ?? 0
    let duration = AirTime.nanoseconds(
      sender.transmitPHY, payload: length, integrityCheck: sender.unacknowledged?.seal != nil)
    let isReceiving = fromCentral ? isAttended && !peripheral.isAstray : true
    let reception = isReceiving ? path.reception(at: clock) : .lost
    if air.observer != nil { observe(sender, duration, reception, fromCentral) }
    clock += duration
    return reception
  }

  private func observe(_ sender: LinkEnd, _ duration: UInt64, _ reception: Reception, _ fromCentral: Bool) {
    guard let pdu = sender.unacknowledged else { return }
    let payload: ConnectionPacketObservation.Payload =
      switch pdu.kind {
      case .empty: .empty
      case .control: .control(pdu.control?.opcode ?? 0)
      case .start, .continuation: .data(pdu.length)
      }
    let observation = ConnectionPacketObservation(
      eventCounter: UInt16(truncatingIfNeeded: event), fromCentral: fromCentral, payload: payload,
      sequenceNumber: sender.sequenceNumber, nextExpectedSequenceNumber: sender.nextExpected,
      hasMoreData: fromCentral ? sender.hasMore : sender.announcesMore, isEncrypted: pdu.seal != nil,
      isRetransmission: pdu.isRetransmission, reception: reception)
    sender.controller.observe(.connection(observation), at: clock, duration)
  }
}
