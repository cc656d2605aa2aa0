import HCI
import Timeline
import Trace

@testable import Requirements

/// What packets mean: the interpreter behind every live run and every capture, the monitors behind it, and its words.
enum InterpreterTarget {
  /// Nanoseconds that pass before a packet, by four bits of its head.
  private static let steps: [UInt64] = [
    0, 500_000, 7_500_000, 30_000_000, 150_000_000, 1_000_000_000, 5_000_000_000, 10_000_000_000, 30_000_000_000,
    60_000_000_000, 300_000_000_000, 600_000_000_000, 1_200_000_000_000, 3_600_000_000_000, 86_400_000_000_000, 1,
  ]
  /// Events that one packet may mean.
  private static let eventLimit = 64

  /// One input is a series of packets: a head with kind (two bits), direction, host and time, a length of two octets, and
  /// the octets. Kind 3 takes the host's controller away.
  static func packets(_ octets: [UInt8]) -> Bool {
    var input = InputReader(octets)
    var hosts = [PacketInterpreter(.phone(0)), PacketInterpreter(.recorder(0), isServingRecorder: true)]
    var monitors = MonitorSet()
    var conversation = Conversation()
    var instant = Instant.zero
    var count = 0
    while !input.isAtEnd {
      let head = input.octet()
      instant = instant.advanced(byNanoseconds: steps[Int(head >> 4)])
      let host = Int(head >> 3 & 1)
      var events: [ProductEvent] = []
      if let packet = packet(head, &input) {
        let direction: PacketDirection = head & 4 == 0 ? .toController : .toHost
        let covered = hosts[host].interpret(packet, direction, at: instant, &events)
        precondition(covered.lower <= covered.upper, "a range ends before it begins")
        precondition(events.count <= eventLimit + packet.bytes.count, "one packet means more than it can say")
      } else {
        hosts[host].controllerLost(at: instant, &events)
      }
      check(hosts[host])
      for event in events {
        precondition(!event.description.isEmpty && !event.happening.words.isEmpty, "an event has no words")
        monitors.observe(event)
        conversation.observe(event)
      }
      count += events.count
    }
    _ = monitors.finish(at: instant)
    _ = conversation.openObligations(at: instant)
    return count > 0
  }

  private static func packet(_ head: UInt8, _ input: inout InputReader) -> HCIPacket? {
    let kinds: [HCIPacket.Kind?] = [.command, .acl, .event, nil]
    guard let kind = kinds[Int(head & 3)] else { return nil }
    return HCIPacket(kind, input.octets(Int(input.halfword())))
  }

  private static func check(_ host: PacketInterpreter) {
    precondition(host.links.count <= PacketInterpreter.linkLimit, "too many links are followed")
    precondition(host.remembered.count <= PacketInterpreter.rememberedLimit, "too many addresses are remembered")
  }
}
