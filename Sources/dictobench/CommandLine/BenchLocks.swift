import Bench
import Foundation
import System
import Text
import Timeline
import Transports
import Verdicts

/// Keeps a second run off a bench whose file says `lock:`.
enum BenchLocks {
  static let waiting = OptionDeclaration(
    "--wait-for-bench",
    "How long to wait until another run gives the bench back, such as 10m (default: not at all). The bench file names the "
      + "lock.", value: "DURATION")

  /// How long nothing is done between two attempts.
  private static let pause = Duration.seconds(1)

  /// Runs `body` while this process holds the benches that the options name, where they are used and have locks. Without
  /// a lock, the bench failed, and `refuse` gets the sentence that says so, or the console.
  static func holding(
    _ arguments: ParsedArguments, _ console: Console, controller: TransportSpecification? = nil, if isUsed: Bool = true,
    refuse: ((String) -> Void)? = nil, _ body: () throws -> ExitCode
  ) throws -> ExitCode {
    do {
      var locks: [BenchLock] = []
      defer { for lock in locks { lock.release() } }
      // In one order for everybody, so that two runs never wait for each other.
      for path in isUsed ? Set(try paths(arguments, controller).map(FileSystem.canonical)).sorted() : [] {
        locks.append(try take(path, arguments, console))
      }
      return try body()
    } catch let failure as BenchLock.Failure {
      let sentence = failure.sentence(at: MachineClock.secondsSince1970())
      if let refuse { refuse(sentence) } else { console.complain(sentence) }
      return .benchFailed
    } catch is Interrupted { return .interrupted }
  }

  /// Somebody interrupted the wait for a bench.
  private struct Interrupted: Error {}

  /// The locks of the benches that the options name. A controller that is named alone belongs to the remembered bench
  /// where that one has it.
  private static func paths(
    _ arguments: ParsedArguments, _ stated: TransportSpecification?
  ) throws(UsageFailure) -> [String] {
    let named = try BenchFiles.readAll(arguments)
    if !named.isEmpty { return named.compactMap(\.lock) }
    let controller = if let stated { stated } else { try TransportOptions.specification(arguments, "--controller") }
    guard let controller else {
      return try BenchFiles.meant(arguments).flatMap(\.lock).map { [$0] } ?? []
    }
    // Whoever names a controller needs no bench file, so a wrong one is not in the way.
    guard let bench = try? BenchFiles.remembered(), bench.adapters.contains(controller) else { return [] }
    return bench.lock.map { [$0] } ?? []
  }

  /// Takes a bench by the path of its lock.
  ///
  /// - Throws: ``BenchLock/Failure`` where somebody else has it for longer than `--wait-for-bench` says, and
  ///   ``UsageFailure``.
  private static func take(_ path: String, _ arguments: ParsedArguments, _ console: Console) throws -> BenchLock {
    let patience = try arguments.duration(waiting.name, in: .zero...(.seconds(7 * 86_400))) ?? .zero
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
      // Nothing of a run has begun, so there is nothing to report.
      if Interruption.isRequested { throw Interrupted() }
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
