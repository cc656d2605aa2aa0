import Requirements
import Synchronization
import Testing
import Timeline
import World

@testable import Runner

/// Runs that somebody ends.
@Suite struct Interruptions {
  @Test func whoRunsAndWhoComesLaterIsEnded() {
    let interruption = RunInterruption()
    let ended = Mutex<[String]>([])
    interruption.heard(by: { ended.withLock { $0.append("first") } }) {}
    #expect(ended.withLock { $0 } == [])
    interruption.heard(by: { ended.withLock { $0.append("second") } }) { interruption.request() }
    interruption.heard(by: { ended.withLock { $0.append("third") } }) {}
    #expect(ended.withLock { $0 } == ["second", "third"])
  }

  @Test func afterAnInterruptionNobodyWaitsButToPutThingsInOrder() throws {
    let loop = EventLoop(driver: .virtual, seed: 1)
    let waiting = Waiting(loop)
    loop.schedule(after: .seconds(2)) { waiting.assumeIsolated { $0.waits.interrupt() } }
    #expect(try loop.run { await waiting.waitThrice() } == [.failed, .failed, .passed])
    #expect(loop.now == Instant.zero.advanced(by: .seconds(12)))
  }
}

/// Somebody on the loop's thread who waits for ten seconds, again and again.
private actor Waiting {
  enum Outcome { case passed, failed }
  nonisolated let loop: EventLoop
  let waits = Waits()

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) { self.loop = loop }

  func waitThrice() async -> [Outcome] {
    var outcomes = [await pass(), await pass()]
    _ = waits.beginCleanUp()
    outcomes.append(await pass())
    return outcomes
  }

  private func pass() async -> Outcome {
    if case .success = await waits.pass(.seconds(10), on: loop) { .passed } else { .failed }
  }
}
