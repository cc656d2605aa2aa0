import HCI
import Timeline

/// What a bad controller, cable or driver does to events on their way to the host.
package enum EventFault: String, Hashable, Sendable, CaseIterable {
  /// An event never arrives.
  case drop
  /// An event arrives late, and all that follow it later still.
  case delay
  /// An event arrives twice.
  case duplicate
}

/// Passes packets of a controller on to its host, some events of them badly: to see that a run blames the bench for it and
/// not the recorder. Data always arrives.
package final class EventRelay {
  /// One event in this many is passed on badly.
  package static let rarity = 50
  /// How late an event comes that is delayed.
  package static let delay = Duration.milliseconds(250)

  private let fault: EventFault?
  private let loop: EventLoop
  private let deliver: (HCIPacket) -> Void
  private var waiting: [HCIPacket] = []
  private var timer: ScheduledEvent?

  /// A relay that does nothing wrong without a `fault`; `deliver` passes a packet on.
  package init(_ fault: EventFault?, on loop: EventLoop, deliver: @escaping (HCIPacket) -> Void) {
    self.fault = fault
    self.loop = loop
    self.deliver = deliver
  }

  /// Takes a packet of the controller.
  package func take(_ packet: HCIPacket) {
    guard let fault, packet.kind == .event, isChosen else { return pass(packet) }
    switch fault {
    case .drop: break
    case .duplicate:
      pass(packet)
      pass(packet)
    case .delay:
      waiting.append(packet)
      if timer == nil { timer = loop.schedule(after: Self.delay) { [weak self] in self?.release() } }
    }
  }

  /// Forgets what waits, for another host.
  package func reset() {
    if let timer { loop.cancel(timer) }
    timer = nil
    waiting.removeAll()
  }

  private var isChosen: Bool {
    loop.choices.stream("relay").below(UInt64(Self.rarity)) == 0
  }

  /// Nothing overtakes what waits.
  private func pass(_ packet: HCIPacket) {
    if timer == nil { deliver(packet) } else { waiting.append(packet) }
  }

  private func release() {
    timer = nil
    let released = waiting
    waiting.removeAll()
    for packet in released { deliver(packet) }
  }
}
