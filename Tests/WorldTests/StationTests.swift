import HCI
import HostStack
import Testing
import Timeline

@testable import World

/// A machine that does what it is asked to, and remembers what it was told and when.
private struct Parrot: StationMachine {
  var heard: [(input: String, instant: Instant)] = []

  mutating func handle(
    _ input: MachineInput<[MachineEffect<String>]>, at instant: Instant, _ effects: inout [MachineEffect<String>]
  ) {
    switch input {
    case .request(let wanted):
      heard.append(("request \(wanted.count)", instant))
      effects += wanted
    case .timerFired(let token): heard.append(("timer \(token.kind)", instant))
    case .entropy(let token, let bytes): heard.append(("entropy \(token) \(bytes)", instant))
    case .packet: heard.append(("packet", instant))
    case .controllerLost: heard.append(("lost", instant))
    }
  }
}

/// A pipe that answers every packet at once, from within `send`.
private final class Echo: PacketPipe {
  var receiver: (any PacketReceiver)?
  private(set) var sent: [HCIPacket] = []
  private(set) var isClosed = false

  func send(_ packet: HCIPacket) {
    sent.append(packet)
    receiver?.receive(packet)
  }

  func close() { isClosed = true }
}

@Suite struct Stations {
  private let loop = EventLoop(driver: .virtual, seed: 7)
  private let pipe = Echo()

  private func station(_ name: String = "parrot", entropy: EntropySource = .seed) -> Station<Parrot> {
    Station(name, Parrot(), on: pipe, loop: loop, entropy: entropy)
  }

  private func token(_ kind: UInt8, connection: UInt16 = 0) -> TimerToken {
    TimerToken(owner: .application, kind: kind, connection: connection)
  }

  private func heard(_ station: Station<Parrot>) -> [String] {
    station.machine.heard.map { "\($0.input) at \($0.instant.nanoseconds / 1_000_000)" }
  }

  @Test func timersFireWhenTheyAreDueAndNotWhenTheyWereCancelled() {
    let station = station()
    station.request([
      .startTimer(token(1), .milliseconds(30)), .startTimer(token(2), .milliseconds(10)),
      .startTimer(token(3), .milliseconds(20)), .cancelTimer(token(3)), .cancelTimer(token(9)),
    ])
    loop.runEvents()
    #expect(heard(station) == ["request 5 at 0", "timer 2 at 10", "timer 1 at 30"])
  }

  @Test func whatComesForAStationThatIsGoneIsDropped() throws {
    var station: Station<Parrot>? = station()
    weak let left = station
    let inlet = try #require(pipe.receiver)
    inlet.receive(HCIPacket(.event, [0]))
    #expect(station?.machine.heard.count == 1)
    station = nil
    #expect(left == nil)
    inlet.receive(HCIPacket(.event, [0]))
    inlet.pipeClosed(.closedByPeer)
  }

  @Test func aTimerThatIsStartedAgainFiresOnce() {
    let station = station()
    station.request([.startTimer(token(1), .milliseconds(10))])
    loop.runEvents(until: Instant(nanoseconds: 5_000_000))
    station.request([.startTimer(token(1), .milliseconds(10)), .startTimer(token(1, connection: 4), .milliseconds(1))])
    loop.runEvents()
    #expect(heard(station) == ["request 1 at 0", "request 2 at 5", "timer 1 at 6", "timer 1 at 15"])
  }

  @Test func whatComesWhileEffectsArePerformedWaitsItsTurn() {
    let station = station()
    var events: [String] = []
    station.onEvent = { event in
      events.append(event)
      if event == "first" { station.request([.event("third")]) }
    }
    station.request([.send(HCIPacket(.command, [0x03, 0x0C, 0])), .event("first"), .event("second")])
    #expect(events == ["first", "second", "third"])
    #expect(heard(station) == ["request 3 at 0", "packet at 0", "request 1 at 0"])
  }

  @Test func entropyOfASimulatedWorldIsANamedDraw() {
    let wanted = MachineEffect<String>.needEntropy(EntropyRequest(.pairingRandom, count: 16, token: 5))
    let first = station()
    first.request([wanted])
    let again = Station("parrot", Parrot(), on: Echo(), loop: EventLoop(driver: .virtual, seed: 7))
    again.request([wanted])
    let other = Station("another", Parrot(), on: Echo(), loop: EventLoop(driver: .virtual, seed: 7))
    other.request([wanted])
    #expect(heard(first).count == 2)
    #expect(heard(first) == heard(again))
    #expect(heard(first) != heard(other))
  }

  @Test func entropyBeforeARealRadioIsNot() {
    let wanted = MachineEffect<String>.needEntropy(EntropyRequest(.longTermKey, count: 16, token: 5))
    let first = station(entropy: .operatingSystem)
    first.request([wanted, wanted])
    let answers = heard(first).dropFirst()
    #expect(answers.count == 2)
    #expect(Set(answers).count == 2)
  }

  @Test func aLostControllerIsToldBeforeTheMachineHearsOfIt() {
    let station = station()
    var order: [String] = []
    station.onControllerLost = { order.append("\($0.reason), told with \(station.machine.heard.count) inputs heard") }
    station.pipeClosed(.closedByPeer)
    #expect(order == ["the other end closed the connection, told with 0 inputs heard"])
    #expect(heard(station) == ["lost at 0"])
  }

  @Test func whoRetiresHearsNothingMore() {
    let station = station()
    station.request([.startTimer(token(1), .milliseconds(10))])
    station.retire()
    loop.runEvents()
    #expect(pipe.isClosed)
    #expect(heard(station) == ["request 1 at 0"])
    station.request([.send(HCIPacket(.command, [0x03, 0x0C, 0]))])
    #expect(pipe.sent.isEmpty)
  }
}

@Suite struct WaitingSteps {
  @Test func whateverComesFirstEndsAWaitAndTheRestComesTooLate() throws {
    let loop = EventLoop(driver: .virtual, seed: 1)
    nonisolated(unsafe) let waits = Waits()
    let outcomes = try loop.run {
      var outcomes: [String] = []
      for (due, end) in [(10, 20), (20, 10)] {
        loop.schedule(after: .milliseconds(end)) { waits.endAll(.interrupted) }
        let result: Result<Int, WaitEnd> = await waits.value { resume in
          loop.schedule(after: .milliseconds(due)) { resume(due) }
        }
        outcomes.append("\(result)")
        _ = await waits.pass(.milliseconds(30), on: loop)
      }
      return outcomes
    }
    #expect(outcomes.count == 2)
    #expect(outcomes[0].contains("success(10)"))
    #expect(outcomes[1].contains("interrupted"))
    #expect(waits.isEmpty)
  }
}
