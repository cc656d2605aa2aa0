import Bytes
import Foundation
import Synchronization
import System
import Testing
import Timeline
import World

@testable import Bench

/// One operator for several benches and recorders.
@Suite struct OperatorTurns {
  /// A terminal whose operator answers every prompt with Enter.
  private final class Seat: @unchecked Sendable {
    private let near: StreamSocket
    private let far: StreamSocket
    let texts = Mutex<[String]>([])

    init() throws { (near, far) = try StreamSocket.pair() }

    func place(_ change: (inout OperatorPlace) -> Void = { _ in }) -> OperatorPlace {
      let descriptor = far.descriptor.number
      var place = OperatorPlace(answers: near.descriptor.number) { [unowned self] text in
        texts.withLock { $0.append(text) }
        _ = text.contains("Enter when done") ? write(descriptor, "\n", 1) : 0
      }
      change(&place)
      return place
    }
  }

  private static func ask(
    _ request: String, at place: OperatorPlace, limit: Duration = .seconds(5)
  ) throws -> OperatorDesk {
    let loop = EventLoop(driver: .wall)
    nonisolated(unsafe) let desk = OperatorDesk(place, OperatorPlan(limit: limit, voice: nil), on: loop, Waits())
    try loop.run { try await desk.ask([request]) }
    return desk
  }

  @Test func anInterruptionIsNotTheOperatorsSilence() throws {
    let (near, far) = try StreamSocket.pair()
    let loop = EventLoop(driver: .wall)
    nonisolated(unsafe) let waits = Waits()
    let place = OperatorPlace(answers: near.descriptor.number) { _ in }
    nonisolated(unsafe) let desk = OperatorDesk(
      place, OperatorPlan(limit: .seconds(60), voice: nil), on: loop, waits)
    loop.schedule(after: .milliseconds(50)) { waits.interrupt() }
    #expect(throws: ControlFailure.ended(.interrupted)) { try loop.run { try await desk.ask(["Press the button."]) } }
    withExtendedLifetime(far) {}
  }

  @Test func aPromptNamesBenchAndRecorder() throws {
    let seat = try Seat()
    let address = try #require(BluetoothAddress("C6:05:04:03:02:01"))
    let desk = try Self.ask(
      "Press the button.",
      at: seat.place {
        $0.bench = "shelf-1"
        $0.recorder = address
      })
    let subject = "bench shelf-1, recorder C6:05:04:03:02:01"
    #expect(seat.texts.withLock { $0.first?.hasPrefix("OPERATOR, \(subject): Press the button.") } == true)
    #expect(desk.prompts.map(\.text) == ["\(subject): Press the button."])
    desk.tell("Release it.")
    #expect(seat.texts.withLock { $0.last } == "OPERATOR, \(subject): Release it.")
  }

  @Test func oneBenchAsksAfterTheOther() throws {
    let seat = try Seat()
    let place = seat.place()
    #expect(place.turn.take())
    let failure = #expect(throws: ControlFailure.self) {
      let loop = EventLoop(driver: .wall)
      let waits = Waits()
      nonisolated(unsafe) let desk = OperatorDesk(
        place, OperatorPlan(limit: .seconds(5), voice: nil), on: loop, waits)
      loop.schedule(after: .milliseconds(500)) { waits.timeOut() }
      try loop.run { try await desk.ask(["Press the button."]) }
    }
    #expect("\(failure.map { "\($0)" } ?? "")".contains("busy with another bench"))
    #expect(seat.texts.withLock { $0 } == [])
    place.turn.giveBack()
    _ = try Self.ask("Press the button.", at: place)
    #expect(seat.texts.withLock { $0.count } == 1)
    #expect(place.turn.take())
  }
}
