import HCI
import Timeline
import Transports
import World

/// Brings a controller back: it is opened and asked to reset itself; if it does not answer, it is opened again, then reset
/// on USB, then switched off and on by its hub, as far as that can be done. One that is not there is waited for.
struct ControllerLadder {
  /// How a ladder reaches the controller. Tests put a script in its place.
  struct Reach {
    /// Opens the controller and gives it back, reset; throws what is wrong.
    var open: () throws(ControlFailure) -> Void
    /// Takes a revival's step; whether it could be done.
    var revive: (Revival) -> Bool
    /// Lets time pass.
    var pause: (Duration) -> Void
    /// Whether nobody wants the controller any more.
    var isStopped: () -> Bool
  }

  private let name: String
  private let reach: Reach
  /// How long nothing is done between two attempts.
  private static let pause = Duration.seconds(1)

  init(_ name: String, _ reach: Reach) {
    self.name = name
    self.reach = reach
  }

  /// Climbs until the controller works, and waits for it up to `limit`. Returns what was done, in words.
  ///
  /// - Throws: what is wrong after the last step.
  func climb(within limit: Duration) throws(ControlFailure) -> [String] {
    var done: [String] = []
    var waited = Duration.zero
    var means = Revival.allCases[...]
    while true {
      do throws(ControlFailure) {
        try reach.open()
        let wait = waited > .zero ? " after \(waited.components.seconds) s" : ""
        return done + ["\(name) was opened again\(wait)"]
      } catch {
        guard case .bench(let fault) = error, !reach.isStopped() else { throw error }
        // Once more before anything harsher.
        if fault.cause == .silence, waited > .zero, let next = means.popFirst() {
          if reach.revive(next) { done.append("\(name) \(next.words)") }
        } else if waited >= limit, fault.cause != .silence || means.isEmpty {
          throw error
        }
      }
      reach.pause(Self.pause)
      waited += Self.pause
    }
  }
}

extension ControllerLadder.Reach {
  /// The way to a real controller, by its place among those of the bench.
  static func live(_ number: Int, _ target: HardwareTarget, _ interruption: RunInterruption) -> Self {
    let controller = target.controllers[number]
    let loop = EventLoop(driver: .wall)
    return Self(
      open: { () throws(ControlFailure) in
        do {
          try interruption.heard(by: { loop.requestStop() }) {
            guard let pipe = try target.open(controller: number, on: loop) else { return }
            try ControllerReset(pipe, controller, on: loop).perform()
          }
        } catch { throw error as? ControlFailure ?? .bench(BenchFault("\(error)")) }
      },
      revive: { means in
        guard let second = controller.revive(by: means) else { return false }
        loop.pass(TransportSpecification.revivalPause)
        second()
        return true
      }, pause: { loop.pass($0) }, isStopped: { interruption.isRequested })
  }
}

extension EventLoop {
  fileprivate func pass(_ time: Duration) {
    schedule(after: time) {}
    runEvents(until: now.advanced(by: time))
  }
}

/// Asks a controller that was just opened to reset itself, and gives it back.
private final class ControllerReset: PacketReceiver {
  /// How long a controller may take; the slowest ones load their firmware meanwhile.
  private static let patience = Duration.seconds(5)

  private let pipe: any PacketPipe
  private let controller: TransportSpecification
  private let loop: EventLoop
  private var isAnswered = false
  private var closure: PipeClosure?

  init(_ pipe: any PacketPipe, _ controller: TransportSpecification, on loop: EventLoop) {
    self.pipe = pipe
    self.controller = controller
    self.loop = loop
  }

  /// - Throws: ``ControlFailure/bench(_:)``, because of silence where nobody answered.
  func perform() throws(ControlFailure) {
    defer { pipe.close() }
    pipe.receiver = self
    pipe.send(HCIPacket(.command, HCIReset.command))
    var isLate = false
    let deadline = loop.schedule(after: Self.patience, .deadline) { isLate = true }
    loop.runEvents { self.isAnswered || self.closure != nil || isLate }
    loop.cancel(deadline)
    if let closure {
      throw .bench("\(controller) was lost: \(closure.reason)", advice: "plug it in again, or use another one")
    }
    guard isAnswered else {
      throw .bench(
        "\(controller) does not answer a reset", advice: "unplug it and plug it in again, or use another one",
        cause: .silence)
    }
  }

  func receive(_ packet: HCIPacket) { if HCIReset.isDone(packet) { isAnswered = true } }

  func pipeClosed(_ reason: PipeClosure) { closure = reason }
}
