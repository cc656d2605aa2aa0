import Bytes
import HCI
import Timeline

/// The advertising state of one controller (Core Specification Vol 6, Part B, 4.4.2): events of up to three PDUs,
/// each event delayed by 0 to 10 ms of chance.
///
/// While no scanner listens it sleeps. When one begins to, it continues at a random place of its interval.
final class Advertiser: EventTarget {
  let parameters: LEAdvertisingParameters
  let address: BluetoothAddress
  private unowned let controller: any AdvertisingController
  private let loop: EventLoop
  private let medium: Medium
  private let channels: AdvertisingChannels
  private let interval: UInt64
  private let duration: UInt64
  private let place: Int
  private let endsAt: UInt64?
  private let began: UInt64
  private var eventStart: UInt64 = 0
  private var pending: ScheduledEvent?
  private lazy var delays = loop.choices.stream("controller.\(controller.name).advertising-delay")

  /// The first of the three advertising channels.
  private static let firstChannel = 37
  /// Octets of an address in a PDU.
  private static let addressOctets = 6
  /// Octets of CONNECT_IND after the addresses (Vol 6, Part B, 2.3.3.1).
  private static let connectionDataOctets = 22
  /// Nanoseconds of one unit of the advertising interval.
  private static let intervalUnit: UInt64 = 625_000
  /// Chance delays each event by less than this (Vol 6, Part B, 4.4.2.2.1).
  private static let delayLimit: UInt64 = 10_000_000
  /// Directed advertising at the highest rate: an event at least this often, and not for longer than this (4.4.2.4.3).
  private static let highDutyInterval: UInt64 = 3_750_000
  private static let highDutyLimit: UInt64 = 1_280_000_000

  /// The state of a controller that begins to advertise now.
  init(_ controller: any AdvertisingController, _ parameters: LEAdvertisingParameters, _ address: BluetoothAddress) {
    self.controller = controller
    self.parameters = parameters
    self.address = address
    loop = controller.loop
    medium = controller.medium
    channels = controller.channels
    let isHighDuty = parameters.kind == .connectableDirectedHighDuty
    let nominal = isHighDuty ? Self.highDutyInterval : UInt64(parameters.minimumIntervalUnits) * Self.intervalUnit
    interval = SleepClock.stretch(nominal, partsPerMillion: controller.profile.clockErrorPartsPerMillion)
    // The sender's address, and the target's or the data.
    let payload =
      Self.addressOctets + (parameters.kind.isDirected ? Self.addressOctets : controller.advertisingData.count)
    duration = AirTime.nanoseconds(.le1M, payload: payload, integrityCheck: false)
    place = channels.schedule.join(controller, channels: parameters.channels.rawValue, duration: duration)
    began = loop.now.nanoseconds
    endsAt = isHighDuty ? loop.now.nanoseconds + Self.highDutyLimit : nil
  }

  func start() { plan(at: loop.now.nanoseconds) }

  func stop() {
    if let pending { loop.cancel(pending) }
    pending = nil
    channels.schedule.leave(place)
  }

  /// Time after a PDU's space in which an answer begins: preamble and access address at 1 Mbit/s (Vol 6, Part B, 2.1).
  private static let answerBeginning: UInt64 = 40_000

  /// Adds how long the radio was on for it until now. Events in which nobody listened were not simulated, so their number
  /// follows from interval and mean delay.
  func addUse(to use: inout RadioUse) {
    let meanDelay = endsAt == nil ? Self.delayLimit / 2 : 0
    let events = (loop.now.nanoseconds - began) / max(1, interval + meanDelay) + 1
    let packets = events * UInt64((0..<3).count { parameters.channels.rawValue & 1 << UInt8($0) != 0 })
    use.advertising += .nanoseconds(Int64(clamping: packets * duration))
    guard parameters.kind.isConnectable || parameters.kind.isScannable else { return }
    use.listening += .nanoseconds(Int64(clamping: packets * (AirTime.interFrameSpace + Self.answerBeginning)))
  }

  /// A scanner may be listening now.
  func wake() {
    guard pending == nil else { return }
    plan(at: loop.now.nanoseconds + delays.below(interval + Self.delayLimit))
  }

  private func plan(at start: UInt64) {
    eventStart = start
    channels.schedule.plan(place, start: start)
    schedule(channel: 0)
  }

  /// Schedules the end of the PDU on the next channel in use, from `channel` on; after the last one the next event.
  private func schedule(channel: Int) {
    for next in channel..<3 where parameters.channels.rawValue & 1 << UInt8(next) != 0 {
      let end = eventStart + UInt64(next) * AdvertisementSchedule.channelSpacing + duration
      pending = loop.schedule(
        at: Instant(nanoseconds: end), channels.listeners.isEmpty ? .background : .normal, target: self,
        argument: UInt64(next))
      return
    }
    let isHeard = !channels.listeners.isEmpty || medium.observer != nil || endsAt != nil
    pending = nil
    guard isHeard else { return }
    let delay = endsAt == nil ? delays.below(Self.delayLimit) : 0
    plan(at: eventStart + interval + delay)
  }

  func fire(_ channel: UInt64) {
    pending = nil
    if let endsAt, loop.now.nanoseconds >= endsAt { return controller.directedAdvertisingEnded() }
    let end = loop.now.nanoseconds
    observe(
      .advertising(parameters.kind, address, channel: Self.firstChannel + Int(channel)), at: end - duration, duration)
    if offer(channel: Int(channel), from: end - duration, to: end) { return }
    schedule(channel: Int(channel) + 1)
  }

  /// Delivers the PDU that ends now to all listeners. Returns whether it became a connection.
  private func offer(channel: Int, from first: UInt64, to last: UInt64) -> Bool {
    var contenders: [(listener: any AdvertisingController, answer: ListenerAnswer)] = []
    for listener in channels.listeners where listener !== controller && listener.listens(on: channel, first, last) {
      let path = medium.path(from: controller, to: listener)
      if path.isInRange, channels.schedule.isSpoiled(place, start: eventStart, channel: channel, for: listener) {
        continue
      }
      guard path.reception(at: first) == .heard else { continue }
      let answer = listener.hears(self, of: controller, path.signalStrength, channel: channel, first, last)
      if answer != .nothing { contenders.append((listener, answer)) }
    }
    guard !contenders.isEmpty else { return false }
    // Two answers begin at the same moment; the advertiser's radio locks on to one of them.
    let winner =
      contenders.count == 1 ? 0 : Int(loop.choices.stream("air.contest").below(UInt64(contenders.count)))
    var isConnected = false
    for (index, contender) in contenders.enumerated() {
      switch contender.answer {
      case .nothing: break
      case .scanRequest: scanRequested(by: contender.listener, isHeard: index == winner, channel, last)
      case .connect:
        isConnected = connect(contender.listener, isHeard: index == winner, channel, last) || isConnected
      }
    }
    return isConnected
  }

  // MARK: Answers

  private func scanRequested(by listener: any AdvertisingController, isHeard: Bool, _ channel: Int, _ last: UInt64) {
    let begin = last + AirTime.interFrameSpace
    let request = AirTime.nanoseconds(.le1M, payload: 2 * Self.addressOctets, integrityCheck: false)
    listener.observe(.scanRequest(address, channel: Self.firstChannel + channel), at: begin, request)
    let isAllowed =
      parameters.filterPolicy & 1 == 0 || controller.accepts(listener.scannerAddress ?? BluetoothAddress(0, .public))
    guard isHeard, isAllowed, medium.path(from: listener, to: controller).reception(at: begin) == .heard else {
      return listener.scanRequestEnded(answeredBy: nil)
    }
    let answerBegin = begin + request + AirTime.interFrameSpace
    let answer = AirTime.nanoseconds(
      .le1M, payload: Self.addressOctets + controller.scanResponseData.count, integrityCheck: false)
    observe(.scanResponse(address, channel: Self.firstChannel + channel), at: answerBegin, answer)
    let path = medium.path(from: controller, to: listener)
    let isAnswered = path.reception(at: answerBegin) == .heard
    let report = LEAdvertisingReport(
      .scanResponse, address, controller.scanResponseData, signalStrength: path.signalStrength)
    listener.expectScanResponse(isAnswered ? report : nil, at: answerBegin + answer)
  }

  /// The listener sends CONNECT_IND and believes in the connection; says whether this advertiser does too.
  private func connect(_ listener: any AdvertisingController, isHeard: Bool, _ channel: Int, _ last: UInt64) -> Bool {
    guard let initiator = listener.initiator else { return false }
    let begin = last + AirTime.interFrameSpace
    let request = AirTime.nanoseconds(
      .le1M, payload: 2 * Self.addressOctets + Self.connectionDataOctets, integrityCheck: false)
    let identity = medium.newIdentity()
    listener.observe(
      .connectionRequest(address, channel: Self.firstChannel + channel),
      identity.request(from: initiator.ownAddress, to: address, LELinkParameters(initiator.parameters.timing)),
      of: nil, at: begin, request)
    let isAllowed = parameters.filterPolicy & 2 == 0 || controller.accepts(initiator.ownAddress)
    let isReceived =
      isHeard && isAllowed && medium.path(from: listener, to: controller).reception(at: begin) == .heard
    let link = Link(
      central: listener, peripheral: controller, initiator.parameters.timing, centralAddress: initiator.ownAddress,
      peripheralAddress: address, identity, isHeardByPeripheral: isReceived, requestEnd: begin + request)
    listener.connectionRequested(link.central)
    if isReceived { controller.connectionReceived(link.peripheral) }
    link.start()
    return isReceived
  }

  private func observe(_ content: @autoclosure () -> AirObservation.Content, at begin: UInt64, _ duration: UInt64) {
    controller.observe(content(), at: begin, duration)
  }
}

/// What a listening controller answers to an advertising PDU.
enum ListenerAnswer {
  case nothing
  case scanRequest
  case connect
}

extension LEAdvertisingParameters.Kind {
  var isDirected: Bool { self == .connectableDirectedHighDuty || self == .connectableDirectedLowDuty }
  var isConnectable: Bool { self == .connectableUndirected || isDirected }
  var isScannable: Bool { self == .connectableUndirected || self == .scannableUndirected }

  /// How a report names what was heard.
  var reportKind: LEAdvertisingReport.Kind {
    switch self {
    case .connectableUndirected: .connectableUndirected
    case .connectableDirectedHighDuty, .connectableDirectedLowDuty: .connectableDirected
    case .scannableUndirected: .scannableUndirected
    case .nonConnectable: .nonConnectable
    }
  }
}
