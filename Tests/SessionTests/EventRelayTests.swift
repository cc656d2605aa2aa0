import HCI
import Testing
import Timeline

@testable import Session

/// What a bad relay does to the events of a controller.
@Suite struct EventRelays {
  private static let count = 2_000

  /// Passes numbered events, and data in between; what arrived, and when.
  private static func pass(_ fault: EventFault?, seed: UInt64 = 1) -> (events: [Int], data: Int, last: Instant) {
    let loop = EventLoop(driver: .virtual, seed: seed)
    var (events, data) = ([Int](), 0)
    let relay = EventRelay(fault, on: loop) { packet in
      if packet.kind == .event { events.append(Int(packet.bytes[1]) << 8 | Int(packet.bytes[2])) } else { data += 1 }
    }
    for number in 0..<count {
      loop.schedule(after: .milliseconds(number)) {
        relay.take(HCIPacket(.event, [0x3E, UInt8(number >> 8), UInt8(number & 0xFF)]))
        relay.take(HCIPacket(.acl, [0]))
      }
    }
    loop.runEvents { false }
    return (events, data, loop.now)
  }

  @Test func withoutAFaultEverythingArrives() {
    let (events, data, _) = Self.pass(nil)
    #expect(events == Array(0..<Self.count))
    #expect(data == Self.count)
  }

  @Test func droppedEventsAreMissingAndDataIsNot() {
    let (events, data, _) = Self.pass(.drop)
    #expect((1_900..<Self.count).contains(events.count))
    #expect(events == events.sorted())
    #expect(data == Self.count)
    #expect(Self.pass(.drop).events == events)
    #expect(Self.pass(.drop, seed: 2).events != events)
  }

  @Test func delayedEventsComeLateAndInTheirOrder() {
    let (events, data, last) = Self.pass(.delay)
    #expect(events == Array(0..<Self.count))
    #expect(data == Self.count)
    #expect(last > Instant.zero.advanced(by: .milliseconds(Self.count - 1)))
  }

  @Test func duplicatedEventsComeTwice() {
    let (events, data, _) = Self.pass(.duplicate)
    #expect((Self.count + 1..<Self.count + 100).contains(events.count))
    #expect(Set(events).count == Self.count)
    #expect(data == Self.count)
  }

  @Test func whatWaitsIsForgottenForAnotherHost() {
    let loop = EventLoop(driver: .virtual, seed: 1)
    var arrived = 0
    let relay = EventRelay(.delay, on: loop) { _ in arrived += 1 }
    for _ in 0..<Self.count { relay.take(HCIPacket(.event, [0x3E, 0, 0])) }
    #expect(arrived < Self.count)
    let before = arrived
    relay.reset()
    loop.runEvents { false }
    #expect(arrived == before)
  }
}
