import HCI

/// One connection event: exchanges of a packet of the central and one of the peripheral, until neither has more to
/// say, something gets lost, or the time is over (Core Specification Vol 6, Part B, 4.5.1 and 4.5.6).
///
/// What only looks at a channel is inlined or takes it `inout`: a call that borrows it would copy the whole channel.
struct ConnectionEvent {
  // Not counted: an event is played in one go, and its link outlives it.
  private unowned(unsafe) let centralController: any LinkController
  private unowned(unsafe) let peripheralController: any LinkController
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

  init(link: Link, downlink: AirPath, uplink: AirPath, event: UInt64, anchor: UInt64) {
    centralController = link.central.controller
    peripheralController = link.peripheral.controller
    self.downlink = downlink
    self.uplink = uplink
    self.event = event
    isObserved = link.medium.observer != nil || link.medium.listener != nil
    identity = link.identity
    isPlain = !isObserved && downlink.isPerfect && uplink.isPerfect
    clock = anchor
    centralPlan = link.central.plan.within(link.interval)
    peripheralPlan = link.peripheral.plan.within(link.interval)
    limit = min(
      link.central.controller.radioFreeUntil(after: anchor, besides: link),
      link.peripheral.controller.radioFreeUntil(after: anchor, besides: link))
  }

  /// Plays the event on the channels of both ends.
  mutating func play(_ central: inout LinkChannel, _ peripheral: inout LinkChannel) {
    guard centralController.radioBusyUntil <= clock else { return }
    if peripheralController.radioBusyUntil > clock { isAttended = false }
    central.consecutiveErrors = 0
    peripheral.consecutiveErrors = 0
    centralPlan.longestReply = centralPlan.duration(of: peripheral, peripheral.transmitLimit)
    peripheralPlan.longestReply = peripheralPlan.duration(of: central, central.transmitLimit)
    repeat {
      central.departure?.mustAcknowledge = false
      guard exchange(&central, &peripheral) else { break }
    } while wantsMore(central, peripheral) && fits(&central, &peripheral)
    centralController.radioBusyUntil = clock
    if isAttended { peripheralController.radioBusyUntil = clock }
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
    centralPlan.take(central, peripheral)
    peripheralPlan.take(central, peripheral)
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
    let down = central.nextLength(acknowledged: central.isAcknowledged(by: peripheral))
    let up = peripheral.nextLength(acknowledged: peripheral.isAcknowledged(by: central))
    return centralPlan.allows(
      own: centralPlan.duration(of: central, down), reply: centralPlan.duration(of: peripheral, up))
      && peripheralPlan.allows(
        own: peripheralPlan.duration(of: peripheral, up), reply: peripheralPlan.duration(of: central, down))
      && (limit == .max
        || clock + centralPlan.duration(of: central, down) + centralPlan.duration(of: peripheral, up)
          + 2 * AirTime.interFrameSpace <= limit)
  }

  /// Sends what the end has loaded; the clock moves to the end of the packet.
  @inline(__always)
  private mutating func transmit(_ sender: inout LinkChannel, fromCentral: Bool) -> Reception {
    let isSealed = sender.unacknowledged?.seal != nil
    let duration = AirTime.nanoseconds(
      sender.transmitPHY, payload: sender.lengthUnderWay, integrityCheck: isSealed)
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
    (fromCentral ? centralController : peripheralController).observe(
      .connection(observation), sender.radioPacket(observation, identity), of: identity, at: clock, duration)
  }
}
