import Testing
import Timeline
import Transports
import World

@testable import Bench

/// How a controller is brought back.
@Suite struct ControllerLadders {
  /// A controller that goes wrong as a script says, one entry for each attempt to open it, and then works.
  private final class Script {
    var opens: [ControlFailure]
    var can: [Revival]
    var revived: [Revival] = []
    var paused = Duration.zero
    var isStopped = false

    init(_ opens: [ControlFailure], can: [Revival] = Revival.allCases) {
      self.opens = opens
      self.can = can
    }

    func climb(_ limit: Duration = .seconds(3)) throws(ControlFailure) -> [String] {
      let reach = ControllerLadder.Reach(
        open: { () throws(ControlFailure) in
          guard !self.opens.isEmpty else { return }
          throw self.opens.removeFirst()
        },
        revive: { means in
          self.revived.append(means)
          return self.can.contains(means)
        }, pause: { self.paused += $0 }, isStopped: { self.isStopped })
      return try ControllerLadder("usb:0", reach).climb(within: limit)
    }
  }

  private static let silent = ControlFailure.bench("silent", advice: "unplug it", cause: .silence)
  private static let absent = ControlFailure.bench("absent", advice: "plug it in")

  @Test func oneThatWorksIsOnlyOpened() throws {
    let script = Script([])
    #expect(try script.climb() == ["usb:0 was opened again"])
    #expect(script.paused == .zero)
  }

  @Test func oneThatIsUnpluggedIsWaitedFor() throws {
    #expect(try Script([Self.absent, Self.absent]).climb() == ["usb:0 was opened again after 2 s"])
    let never = Script([ControlFailure](repeating: Self.absent, count: 9))
    #expect(throws: Self.absent) { try never.climb() }
    #expect(never.paused == .seconds(3))
    #expect(never.revived == [])
  }

  @Test func oneThatIsSilentIsTreatedHarsherStepByStep() throws {
    let again = Script([Self.silent])
    #expect(try again.climb() == ["usb:0 was opened again after 1 s"])
    #expect(again.revived == [])
    let reset = Script([Self.silent, Self.silent])
    #expect(try reset.climb() == ["usb:0 was reset on USB", "usb:0 was opened again after 2 s"])
    // A hub that cannot switch is passed over.
    let hopeless = Script([ControlFailure](repeating: Self.silent, count: 9), can: [.busReset])
    #expect(throws: Self.silent) { try hopeless.climb(.zero) }
    #expect(hopeless.revived == Revival.allCases)
  }

  @Test func everyControllerOfABenchIsBroughtBack() throws {
    var target = try #require(HardwareTarget(try benchFile("comment: none"), controller: nil, device: nil))
    let adapters = [BusyTransport(turningAway: 0), BusyTransport(turningAway: 0)]
    target.controllers = adapters.map(\.specification)
    _ = try target.recover(RunInterruption())
    #expect(adapters.map(\.visitCount) == [1, 1])
  }

  @Test func nobodyWaitsAfterAnInterrupt() {
    let script = Script([Self.absent])
    script.isStopped = true
    #expect(throws: Self.absent) { try script.climb() }
    #expect(script.paused == .zero)
  }
}
