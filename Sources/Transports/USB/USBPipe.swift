import HCI
import Timeline

/// An opened Bluetooth interface of a USB device: submits transfers and reports how they ended.
protocol USBLink: AnyObject {
  /// Called on the loop's thread with the transfers that ended since the last time, in their order; never from within
  /// a call of this protocol.
  var onRound: (([TransferReport]) -> Void)? { get set }
  /// Submits a transfer: the octets to send, or none to receive one packet of the endpoint.
  func submit(_ way: USBWay, _ octets: [UInt8]) throws(AdapterTrouble)
  /// Tells a halted endpoint to go on.
  func clearHalt(_ way: USBWay) throws(AdapterTrouble)
  /// Lets what is being sent go out and be answered for a moment, takes back all transfers, and gives the interface back
  /// to whom it was taken from.
  func close()
}

/// How one transfer ended.
struct TransferReport: Hashable, Sendable {
  let way: USBWay
  let outcome: TransferOutcome
  /// What was received; what had to be sent, for the other directions.
  let octets: [UInt8]
}

/// HCI packets over a USB dongle (Core Specification Vol 4, Part B).
///
/// Several transfers wait for events and data all the time, each for one packet of the endpoint, so that nothing waits
/// for a short packet that does not come. Commands and data go out one after the other, so that a failed one never
/// overtakes the next.
final class USBPipe: PacketPipe {
  /// Transfers that wait on each incoming endpoint.
  static let transfersInFlight = 8

  weak var receiver: (any PacketReceiver)? {
    didSet { if receiver != nil, !isReading { startReading() } }
  }

  private let link: any USBLink
  private let loop: EventLoop
  /// How messages call the device.
  private let name: String
  private var events = PacketAssembly(.event)
  private var incoming = PacketAssembly(.acl)
  private var policies = USBWay.allCases.map { TransferPolicy($0) }
  private var commands = Outbox()
  private var outgoing = Outbox()
  private var isReading = false
  private var hasSent = false
  private var isClosed = false

  /// Packets of one way that wait to be sent; the first is on its way.
  private struct Outbox {
    private var packets: [[UInt8]] = []
    private(set) var octets = 0

    var first: [UInt8]? { packets.first }
    var count: Int { packets.count }

    mutating func append(_ packet: [UInt8]) {
      packets.append(packet)
      octets += packet.count
    }

    mutating func removeFirst() { octets -= packets.removeFirst().count }
  }

  /// Takes over an opened link, which the pipe closes; `name` is what messages call the device.
  init(_ link: any USBLink, on loop: EventLoop, name: String) {
    self.link = link
    self.loop = loop
    self.name = name
    link.onRound = { [weak self] reports in self?.finish(round: reports) }
  }

  deinit {
    if !isClosed { link.close() }
  }

  // MARK: Sending

  func send(_ packet: HCIPacket) {
    guard !isClosed else { return }
    hasSent = true
    switch packet.kind {
    case .command: enqueue(packet.bytes, .commands, &commands)
    case .acl: enqueue(packet.bytes, .outgoing, &outgoing)
    // A host sends no events, and this house no voice.
    case .event, .synchronous, .isochronous: break
    }
  }

  private func enqueue(_ octets: [UInt8], _ way: USBWay, _ outbox: inout Outbox) {
    outbox.append(octets)
    if outbox.octets > H4Pipe.maximumUnsentOctets {
      failLater("takes nothing: over \(H4Pipe.maximumUnsentOctets) octets wait")
    } else if outbox.count == 1 {
      submit(way, octets)
    }
  }

  /// The first packet is done with; the next one goes out.
  private func advance(_ way: USBWay, _ outbox: inout Outbox) {
    outbox.removeFirst()
    if let next = outbox.first { submit(way, next) }
  }

  private func submit(_ way: USBWay, _ octets: [UInt8] = []) {
    guard !isClosed else { return }
    do throws(AdapterTrouble) { try link.submit(way, octets) } catch { failLater(error.problem) }
  }

  // MARK: Receiving

  private func startReading() {
    guard !isClosed else { return }
    isReading = true
    for way in USBWay.allCases where way.isIncoming {
      for _ in 0..<Self.transfersInFlight { submit(way) }
    }
  }

  private func finish(round reports: [TransferReport]) {
    var arrivedEvents: [HCIPacket] = []
    var arrivedData: [HCIPacket] = []
    for report in reports where !isClosed {
      take(report, &arrivedEvents, &arrivedData)
    }
    for packet in RoundOrder.sorted(events: arrivedEvents, data: arrivedData) where !isClosed {
      receiver?.receive(packet)
    }
    if let reason = failure { close(.failed(reason)) }
  }

  /// Why the device was given up within this round; what came before is still delivered.
  private var failure: String?

  private func take(_ report: TransferReport, _ events: inout [HCIPacket], _ data: inout [HCIPacket]) {
    guard failure == nil, let position = policies.firstIndex(where: { $0.way == report.way }) else { return }
    switch policies[position].judge(report.outcome) {
    case .take: accept(report, &events, &data)
    case .pass: advance(report.way, &commands)
    case .again: submit(report.way, report.way.isIncoming ? [] : report.octets)
    case .clearHalt: restart(report)
    case .stop: break
    case .giveUp(let reason): failure = "\(name): \(reason)"
    }
  }

  private func accept(_ report: TransferReport, _ arrivedEvents: inout [HCIPacket], _ arrivedData: inout [HCIPacket]) {
    do throws(H4Violation) {
      switch report.way {
      case .commands: advance(.commands, &commands)
      case .outgoing: advance(.outgoing, &outgoing)
      case .events:
        let count = arrivedEvents.count
        try events.feed(report.octets, &arrivedEvents)
        if arrivedEvents.count > count { events.discardStrayOctet() }
      case .incoming: try incoming.feed(report.octets, &arrivedData)
      }
      if report.way.isIncoming { submit(report.way) }
    } catch { failure = "\(name): what it sends is not HCI: \(error.sentence)" }
  }

  /// The rest of a packet that was under way is lost with the halt.
  private func restart(_ report: TransferReport) {
    if report.way == .events { events.discard() }
    if report.way == .incoming { incoming.discard() }
    do throws(AdapterTrouble) {
      try link.clearHalt(report.way)
      submit(report.way, report.way.isIncoming ? [] : report.octets)
    } catch { failure = "\(name): \(error.problem)" }
  }

  // MARK: Closing

  func close() {
    guard !isClosed else { return }
    // Without a driver of the kernel nobody else would end what the controller is doing.
    if hasSent { try? link.submit(.commands, Command.reset.encoded) }
    release()
  }

  private func release() {
    isClosed = true
    link.close()
  }

  /// A receiver is never told from within its own call of ``send(_:)``.
  private func failLater(_ reason: String) {
    loop.schedule(after: .zero) { [weak self, name] in self?.close(.failed("\(name): \(reason)")) }
  }

  private func close(_ reason: PipeClosure) {
    guard !isClosed else { return }
    release()
    receiver?.pipeClosed(reason)
  }
}
