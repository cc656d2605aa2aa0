import Bench
import Foundation
import Text
import Timeline
import Verdicts

/// Keeps a second run off a bench whose file says `lock:`.
enum BenchLocks {
  static let waiting = OptionDeclaration(
    "--wait-for-bench",
    "How long to wait until another run gives the bench back, such as 10m (default: not at all). The bench file names the "
      + "lock.", value: "DURATION")

  /// How long nothing is done between two attempts.
  private static let pause = Duration.seconds(1)

  /// Runs `body` while this process holds the bench that the options name, where one `isUsed` and has a lock. Without it,
  /// the bench failed.
  static func holding(
    _ arguments: ParsedArguments, _ console: Console, if isUsed: Bool, _ body: () throws -> ExitCode
  ) throws -> ExitCode {
    do {
      let lock = isUsed ? try take(arguments, console) : nil
      defer { lock?.release() }
      return try body()
    } catch let failure as BenchLock.Failure {
      console.complain(failure.sentence(at: MachineClock.secondsSince1970()))
      return .benchFailed
    }
  }

  /// Takes the bench that the options name; `nil` where it has no lock.
  ///
  /// - Throws: ``BenchLock/Failure`` where somebody else has it for longer than `--wait-for-bench` says, and
  ///   ``UsageFailure``.
  private static func take(_ arguments: ParsedArguments, _ console: Console) throws -> BenchLock? {
    guard let path = try BenchFiles.meant(arguments)?.lock else { return nil }
    let patience = try arguments.duration(waiting.name, in: .zero...(.seconds(7 * 86_400))) ?? .zero
    // Nothing of a run has begun, so that an interrupt simply ends the tool.
    let clock = EventLoop(driver: .wall)
    var isTold = false
    while true {
      do throws(BenchLock.Failure) {
        let lock = try BenchLock(path, for: .current)
        if let left = lock.predecessor {
          let words = PlainText.escaped(left.words(at: MachineClock.secondsSince1970()), limit: 200)
          console.note("the bench was left behind by \(words); it is taken over")
        }
        return lock
      } catch {
        guard case .taken(_, let owner) = error, Instant.zero.duration(to: clock.now) < patience else { throw error }
        let words = owner?.words(at: MachineClock.secondsSince1970()) ?? "somebody"
        if !isTold { console.note("waiting for the bench, in use by \(PlainText.escaped(words, limit: 200))") }
        isTold = true
      }
      clock.schedule(after: pause) {}
      clock.runEvents(until: clock.now.advanced(by: pause))
    }
  }
}

extension BenchLock.Owner {
  /// This process, now.
  fileprivate static var current: BenchLock.Owner {
    let process = ProcessInfo.processInfo
    return BenchLock.Owner(
      user: process.userName, process: process.processIdentifier, host: process.hostName,
      since: MachineClock.secondsSince1970())
  }
}
