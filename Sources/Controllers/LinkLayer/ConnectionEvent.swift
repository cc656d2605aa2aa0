import HCI

/// One connection event: exchanges of a packet of the central and one of the peripheral, until neither has more to
/// say, something gets lost, or the time is over (Core Specification Vol 6, Part B, 4.5.1 and 4.5.6).
///
/// What only looks at a channel is inlined or takes it `inout`: a call that borrows it would copy the whole channel.
struct ConnectionEvent {
  // Not counted: an event is played in one go, and its link outlives it.
  private unowned(unsafe) let link: Link
  private unowned(unsafe) let downlink: AirPath
  private unowned(unsafe) let uplink: AirPath
  /// Without observers and loss the fate of packets is certain, so no packet needs a draw.
  private let isPlain: Bool
  private let isObserved: Bool
  private let identity: LinkIdentity
  let event: UInt64
  /// Time on the air, in nanoseconds.
  private(set) var clock: UInt64
  /// The instant at which the radio is needed for something else.
  private let limit: UInt64
  /// Time as each end plans it, from the anchor on.
  private var centralPlan: EventPlan
  private var peripheralPlan: EventPlan
  /// Whether the peripheral listens, on the central's schedule and PHY.
  var isAttended = false
  private(set) var isHeardByCentral = false
  private(set) var isHeardByPeripheral = false

  init(_ event: UInt64, of link: Link, anchor: UInt64) {
    self.link = link
    downlink = link.downlink
    uplink = link.uplink
    self.event = event
    isObserved = link.medium.observer != nil || link.medium.listener != nil
    identity = link.identity
    isPlain = !isObserved && downlink.isPerfect && uplink.isPerfect
    clock = anchor
    centralPlan = link.central.plan.within(link.interval)
    peripheralPlan = link.peripheral.plan.within(link.interval)
    limit = link.isContested ? link.radioFreeUntil(after: anchor) : .max
  }

  /// Plays the event on the channels of both ends.
  mutating func play(_ central: inout LinkChannel, _ peripheral: inout LinkChannel) {
    guard link.central.controller.radioBusyUntil <= clock else { return }
    if link.peripheral.controller.radioBusyUntil > clock { isAttended = false }
    central.consecutiveErrors = 0
    peripheral.consecutiveErrors = 0
    centralPlan.longestReply = peripheral.airTime(of: peripheral.transmitLimit)
    peripheralPlan.longestReply = central.airTime(of: central.transmitLimit)
    repeat {
      central.departure?.mustAcknowledge = false
      guard exchange(&central, &peripheral) else { break }
    } while wantsMore(central, peripheral) && fits(&central, &peripheral)
    link.central.controller.radioBusyUntil = clock
    if isAttended { link.peripheral.controller.radioBusyUntil = clock }
    // A peripheral acknowledges with the packet in which it answers.
    if isHeardByPeripheral { peripheral.departure?.mustAcknowledge = false }
  }

  /// Plays one exchange; false when the event ends with it.
  private mutating func exchange(_ central: inout LinkChannel, _ peripheral: inout LinkChannel) -> Bool {
    central.load()
    let down = transmit(&central, fromCentral: true)
    guard isAttended else { return false }
    switch down {
    case .lost: return false
    case .corrupted:
      peripheral.consecutiveErrors += 1
      if peripheral.consecutiveErrors == 2 { return false }
    case .heard:
      isHeardByPeripheral = true
      peripheral.receive(from: &central)
      if peripheral.hasFailed { return false }
    }
    clock += AirTime.interFrameSpace
    peripheral.load()
    let up = transmit(&peripheral, fromCentral: false)
    let planned = central.airTime(of: central.lengthUnderWay) + peripheral.airTime(of: peripheral.lengthUnderWay)
    centralPlan.take(planned)
    peripheralPlan.take(planned)
    clock += AirTime.interFrameSpace
    switch up {
    case .lost: return false
    case .corrupted:
      central.consecutiveErrors += 1
      return central.consecutiveErrors < 2
    case .heard:
      isHeardByCentral = true
      central.receive(from: &peripheral)
      return !central.hasFailed
    }
  }

  /// Whether an end has more to send, or must repeat what was not received.
  @inline(__always)
  private func wantsMore(_ central: borrowing LinkChannel, _ peripheral: borrowing LinkChannel) -> Bool {
    central.hasMore || central.consecutiveErrors > 0 || peripheral.consecutiveErrors > 0
      || central.departure?.mustAcknowledge == true || peripheral.announcesMore
  }

  /// Whether there is time for another exchange, in the eyes of both ends.
  @inline(__always)
  private func fits(_ central: inout LinkChannel, _ peripheral: inout LinkChannel) -> Bool {
    let down = central.airTime(of: central.nextLength(acknowledged: central.isAcknowledged(by: peripheral)))
    let up = peripheral.airTime(of: peripheral.nextLength(acknowledged: peripheral.isAcknowledged(by: central)))
    return centralPlan.allows(own: down, reply: up) && peripheralPlan.allows(own: up, reply: down)
      && (limit == .max || clock + down + up + 2 * AirTime.interFrameSpace <= limit)
  }

  /// Sends what the end has loaded; the clock moves to the end of the packet.
  @inline(__always)
  private mutating func transmit(_ sender: inout LinkChannel, fromCentral: Bool) -> Reception {
    let duration = sender.airTimeUnderWay
    var reception = Reception.heard
    if !isPlain { reception = (fromCentral ? downlink : uplink).reception(at: clock) }
    if !isAttended { reception = .lost }
    if isObserved { observe(&sender, duration, reception, fromCentral) }
    clock += duration
    return reception
  }

  private func observe(
    _ sender: inout LinkChannel, _ duration: UInt64, _ reception: Reception, _ fromCentral: Bool
  ) {
    guard let pdu = sender.unacknowledged else { return }
    let payload: ConnectionPacketObservation.Payload =
      switch pdu.kind {
      case .empty: .empty
      case .control: .control(sender.controlUnderWay?.opcode ?? 0)
      case .start, .continuation: .data(pdu.length)
      }
    let observation = ConnectionPacketObservation(
      eventCounter: UInt16(truncatingIfNeeded: event), fromCentral: fromCentral, payload: payload,
      sequenceNumber: sender.sequenceNumber, nextExpectedSequenceNumber: sender.nextExpected,
      hasMoreData: fromCentral ? sender.hasMore : sender.announcesMore, isEncrypted: pdu.seal != nil,
      isRetransmission: pdu.isRetransmission, reception: reception)
    (fromCentral ? link.central : link.peripheral).controller.observe(
      .connection(observation), sender.radioPacket(observation, identity), of: identity, at: clock, duration)
  }
}
