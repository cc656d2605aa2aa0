import Bytes
import HCI
import Timeline

/// A connection on the air: the central's schedule, and what passes in each connection event.
///
/// Both ends are controllers of ours, so one object can play a whole connection event, exchange by exchange, when its
/// anchor comes; its result reaches the controllers when the event closes. While neither end has anything to
/// send and nothing can get lost, no event is played at all: the schedule is arithmetic, and the link wakes at the
/// next anchor when something is to be sent.
final class Link: EventTarget, AirLink {
  /// By what its packets are known on the air.
  let identity: LinkIdentity
  let medium: Medium
  let loop: EventLoop
  let central: LinkEnd
  let peripheral: LinkEnd
  private(set) var parameters: LELinkParameters
  let downlink: AirPath
  let uplink: AirPath
  private let peripheralAddress: BluetoothAddress
  /// By how many millionths the ends' clocks differ, and by how many they say that they may.
  private let clockDifference: UInt64
  private let clockAllowance: UInt64

  /// The anchor from which the schedule counts, in nanoseconds, and the number of its event.
  private var base: UInt64
  private var baseEvent: UInt64 = 0
  /// The next event to be played.
  private(set) var nextEvent: UInt64 = 0
  private(set) var nextAnchor: UInt64?
  private let requestEnd: UInt64
  private var scheduled: ScheduledEvent?
  private var activity = Activity.starting
  /// How long the connection events that the peripheral attended have kept its radio, in nanoseconds.
  private var attended: UInt64 = 0

  private enum Activity {
    /// The connection request is still on the air.
    case starting
    /// The next anchor is scheduled.
    case waiting
    /// Between an anchor and the end of its event.
    case playing
    /// Nothing happens until an end has something to send.
    case sleeping
    /// At most one end is left, and it hears nothing.
    case over
  }

  private enum Alarm: UInt64 {
    case begin
    case anchor
    case close
  }

  /// Between the end of CONNECT_IND and the transmit window (Core Specification Vol 6, Part B, 4.5.3).
  private static let windowDelay: UInt64 = 1_250_000
  static let slot: UInt64 = 1_250_000
  /// How far an anchor may be off besides the clocks' errors (Vol 6, Part B, 4.2.2).
  private static let jitter: UInt64 = 16_000
  /// Intervals without a packet after which a connection was never established (Vol 6, Part B, 4.5).
  private static let establishmentIntervals: UInt64 = 6

  /// A connection that `central` requests from the advertiser `peripheralAddress`; the request ends at
  /// `requestEnd`.
  init(
    central: any LinkController, peripheral: any LinkController, _ timing: LEConnectionTiming,
    centralAddress: BluetoothAddress, peripheralAddress: BluetoothAddress, _ identity: LinkIdentity,
    isHeardByPeripheral: Bool, requestEnd: UInt64
  ) {
    self.identity = identity
    medium = central.medium
    loop = central.loop
    self.requestEnd = requestEnd
    self.peripheralAddress = peripheralAddress
    parameters = LELinkParameters(timing)
    downlink = medium.path(from: central, to: peripheral)
    uplink = medium.path(from: peripheral, to: central)
    let (one, other) = (central.profile, peripheral.profile)
    clockDifference = UInt64(abs(Int64(one.clockErrorPartsPerMillion) - Int64(other.clockErrorPartsPerMillion)))
    clockAllowance = UInt64(one.clockAccuracyPartsPerMillion) + UInt64(other.clockAccuracyPartsPerMillion)
    let offset = central.freeOffset(
      from: requestEnd + Self.windowDelay, intervalUnits: timing.minimumIntervalUnits, besides: nil)
    base = requestEnd + Self.windowDelay + offset
    self.central = LinkEnd(central, .central, peer: peripheralAddress, createdAt: requestEnd)
    self.peripheral = LinkEnd(peripheral, .peripheral, peer: centralAddress, createdAt: requestEnd)
    self.peripheral.isAlive = isHeardByPeripheral
    self.central.link = self
    self.peripheral.link = self
  }

  func start() {
    medium.add(self)
    schedule(at: requestEnd, .begin)
  }

  // MARK: Schedule

  var interval: UInt64 { UInt64(parameters.intervalUnits) * Self.slot }
  var supervisionTimeout: UInt64 { UInt64(parameters.supervisionTimeoutUnits) * 10_000_000 }

  /// When an event of the schedule in force begins: counted by the central's clock, whole and exact however long
  /// the link has slept.
  func anchor(_ event: UInt64) -> UInt64 {
    let clock = central.profile.clockErrorPartsPerMillion
    return base + SleepClock.stretch((event - baseEvent) * interval, partsPerMillion: clock)
  }

  private func schedule(at nanoseconds: UInt64, _ alarm: Alarm, _ urgency: Urgency = .normal) {
    scheduled = loop.schedule(
      at: Instant(nanoseconds: nanoseconds), urgency, target: self, argument: alarm.rawValue)
  }

  func fire(_ argument: UInt64) {
    scheduled = nil
    switch Alarm(rawValue: argument) {
    case .begin: begin()
    case .anchor: play()
    case .close: close()
    case nil: break
    }
  }

  private func begin() {
    for end in [central, peripheral] where end.isAlive { end.reportConnection(parameters) }
    activity = .waiting
    proceed()
  }

  /// An end has something to send, or packets may get lost from now on.
  func wake() {
    guard activity == .sleeping else { return }
    let slept = nextEvent
    skipToNow()
    accountForSleep(from: slept)
    activity = .waiting
    scheduleNext()
  }

  /// Moves to the first event whose anchor is not past; every step covers nearly all that is left.
  private func skipToNow() { nextEvent = eventAfterSleep }

  private var eventAfterSleep: UInt64 {
    let now = loop.now.nanoseconds
    let clock = central.profile.clockErrorPartsPerMillion
    let length = SleepClock.stretch(interval, partsPerMillion: clock) + 1
    var event = nextEvent
    while anchor(event) < now { event += max(1, (now - anchor(event)) / length) }
    return event
  }

  /// What the skipped events left behind: when each end was heard last, and the sequence numbers.
  private func accountForSleep(from first: UInt64) {
    guard nextEvent > first else { return }
    let stride = UInt64(parameters.latency) + 1
    // What the central sent when the peripheral did not listen is still to be acknowledged.
    let last = nextEvent - 1
    defer { central.channel.setEmptyUnderWay(peripheral.nextListening != last + stride) }
    let count = attendedEvents(from: first, until: nextEvent)
    guard count > 0 else { return }
    let lastAttended = max(first, peripheral.nextListening) + (count - 1) * stride
    peripheral.nextListening = lastAttended + stride
    attended += count * emptyExchange
    for end in [central, peripheral] {
      end.lastHeard = anchor(lastAttended)
      end.channel.skipEmptyExchanges(count)
    }
  }

  /// How many of the skipped events, `until` not included, the peripheral attends.
  private func attendedEvents(from first: UInt64, until end: UInt64) -> UInt64 {
    let start = max(first, peripheral.nextListening)
    return start < end ? (end - 1 - start) / (UInt64(parameters.latency) + 1) + 1 : 0
  }

  /// How long two empty packets keep the radio, in nanoseconds.
  private var emptyExchange: UInt64 {
    AirTime.nanoseconds(central.channel.transmitPHY, payload: 0, integrityCheck: false)
      + AirTime.nanoseconds(peripheral.channel.transmitPHY, payload: 0, integrityCheck: false)
      + 2 * AirTime.interFrameSpace
  }

  /// How long the connection has kept the radio of the peripheral until now, in nanoseconds: from the anchor of each
  /// event that it attended to the space after the last packet.
  var radioTime: UInt64 {
    guard activity == .sleeping else { return attended }
    return attended + attendedEvents(from: nextEvent, until: eventAfterSleep) * emptyExchange
  }

  /// Decides what comes after an event: the next one, sleep, or nothing any more.
  private func proceed() {
    guard central.isAlive && peripheral.isAlive else { return standStill() }
    if canSleep {
      activity = .sleeping
      nextAnchor = nil
    } else {
      activity = .waiting
      scheduleNext()
    }
  }

  private var canSleep: Bool {
    central.isEstablished && peripheral.isEstablished && central.channel.isQuiet && peripheral.channel.isQuiet
      && central.pendingInstant == nil && peripheral.pendingInstant == nil && !peripheral.isAstray
      && central.supervision == nil && peripheral.supervision == nil && downlink.isPerfect && uplink.isPerfect
      && !isContested && clocksAgree(for: UInt64(parameters.latency) + 1)
  }

  /// Other connections of these controllers may take the radio, so every event counts.
  var isContested: Bool { central.controller.linkCount > 1 || peripheral.controller.linkCount > 1 }

  /// When the next connection event of another link needs the radio of one of the ends, in nanoseconds.
  func radioFreeUntil(after time: UInt64) -> UInt64 {
    min(
      central.controller.radioFreeUntil(after: time, besides: self),
      peripheral.controller.radioFreeUntil(after: time, besides: self))
  }

  private func scheduleNext() {
    let time = anchor(nextEvent)
    nextAnchor = time
    let isIdle =
      central.channel.isQuiet && peripheral.channel.isQuiet && central.isEstablished && peripheral.isEstablished
    schedule(at: time, .anchor, isIdle ? .background : .normal)
  }

  // MARK: The event

  private func play() {
    activity = .playing
    nextAnchor = nil
    let event = nextEvent
    applyInstants(event)
    let time = anchor(event)
    guard time <= loop.now.nanoseconds else {
      // The instant moved the anchor to the beginning of the new window.
      activity = .waiting
      return scheduleNext()
    }
    guard central.isAlive && peripheral.isAlive else { return standStill() }
    var exchange = ConnectionEvent(event, of: self, anchor: time)
    let isListening = peripheral.isWaiting(for: event)
    // The first packet is listened for during the whole transmit window.
    exchange.isAttended =
      isListening && !peripheral.isAstray && (!peripheral.isEstablished || clocksAgree(for: eventsSinceHeard(at: time)))
    exchange.play(&central.channel, &peripheral.channel)
    if exchange.isAttended { attended += exchange.clock - time }
    account(for: exchange, at: time, isListening)
    nextEvent = event + 1
    if central.channel.hasResults || peripheral.channel.hasResults {
      schedule(at: exchange.clock, .close)
    } else {
      proceed()
    }
  }

  private func account(for exchange: ConnectionEvent, at time: UInt64, _ isListening: Bool) {
    if exchange.isHeardByCentral { heard(central, time) } else { unheard(central) }
    if exchange.isHeardByPeripheral {
      heard(peripheral, time)
      peripheral.nextListening = exchange.event + UInt64(parameters.latency) + 1
    } else if isListening {
      peripheral.nextListening = exchange.event + 1
      unheard(peripheral)
    }
  }

  private func close() {
    central.finishEvent()
    peripheral.finishEvent()
    depart(central)
    depart(peripheral)
    if activity == .playing { proceed() }
  }

  private func depart(_ end: LinkEnd) {
    guard end.isAlive, let departure = end.channel.departure, !departure.mustAcknowledge else { return }
    end.leave(departure.reason)
  }

  // MARK: Clocks

  private func eventsSinceHeard(at time: UInt64) -> UInt64 {
    time > peripheral.lastHeard ? (time - peripheral.lastHeard + interval - 1) / interval : 1
  }

  /// Whether the peripheral's receive window, widened by both declared accuracies since the last anchor, still
  /// covers what the clocks really drifted apart (Vol 6, Part B, 4.2.4).
  private func clocksAgree(for events: UInt64) -> Bool {
    if clockDifference <= clockAllowance { return true }
    let elapsed = events * interval / 1000
    return elapsed * clockDifference / 1000 <= elapsed * clockAllowance / 1000 + Self.jitter
  }

  // MARK: Instants

  private func applyInstants(_ event: UInt64) {
    let counter = UInt16(truncatingIfNeeded: event)
    guard central.pendingInstant?.instant == counter else { return }
    let pending = central.pendingInstant
    central.pendingInstant = nil
    // A peripheral that has not heard of the change continues as before, and the two lose each other.
    let isKnown = peripheral.pendingInstant == pending
    peripheral.pendingInstant = nil
    switch pending {
    case .parameters(let update):
      let old = parameters
      base = anchor(event) + update.anchorOffset
      baseEvent = event
      parameters = update.link
      if !isKnown {
        peripheral.isAstray = old.intervalUnits != parameters.intervalUnits || update.anchorOffset > 0
      }
      if central.isAlive { central.parametersChanged(from: old, to: parameters) }
      if isKnown, peripheral.isAlive { peripheral.parametersChanged(from: old, to: parameters) }
    case .phy(let update):
      central.change(transmit: update.centralToPeripheral, receive: update.peripheralToCentral)
      if isKnown {
        peripheral.change(transmit: update.peripheralToCentral, receive: update.centralToPeripheral)
      } else {
        peripheral.isAstray = update.centralToPeripheral != nil || update.peripheralToCentral != nil
      }
    case nil: break
    }
    for end in [central, peripheral] { end.startNext() }
  }

  // MARK: Supervision

  private func heard(_ end: LinkEnd, _ time: UInt64) {
    end.lastHeard = time
    end.isEstablished = true
    if let supervision = end.supervision {
      loop.cancel(supervision)
      end.supervision = nil
    }
  }

  /// Starts the supervision timer of an end that has missed something; it counts from what was heard last.
  private func unheard(_ end: LinkEnd) {
    guard end.isAlive, end.supervision == nil else { return }
    let limit = end.isEstablished ? supervisionTimeout : Self.establishmentIntervals * interval
    end.supervision = loop.schedule(
      at: Instant(nanoseconds: end.lastHeard + limit), target: end, argument: LinkEnd.Alarm.supervision.rawValue)
  }

  // MARK: End

  /// One end has left: the other hears nothing any more.
  func endVanished() {
    if activity != .playing { standStill() }
    if !central.isAlive && !peripheral.isAlive { medium.remove(self) }
  }

  private func standStill() {
    if let scheduled { loop.cancel(scheduled) }
    scheduled = nil
    if activity == .sleeping { accountForLastSleep() }
    if activity == .starting {
      for end in [central, peripheral] where end.isAlive { end.reportConnection(parameters) }
    }
    activity = .over
    nextAnchor = nil
    for end in [central, peripheral] where end.isAlive { unheard(end) }
    if !central.isAlive && !peripheral.isAlive { medium.remove(self) }
  }

  /// The link slept until just now: its ends heard each other at the last anchor before.
  private func accountForLastSleep() {
    let slept = nextEvent
    skipToNow()
    accountForSleep(from: slept)
  }
}

extension LELinkParameters {
  /// The parameters with which a central begins a connection.
  init(_ timing: LEConnectionTiming) {
    self.init(
      intervalUnits: timing.minimumIntervalUnits, latency: timing.latency,
      supervisionTimeoutUnits: timing.supervisionTimeoutUnits)
  }
}
