import Synchronization
import Testing

@testable import Timeline

@Suite struct EventLoopBehaviour {
  @Test func eventsOfOneInstantRunInTheOrderTheyWereScheduled() {
    let loop = EventLoop()
    var order: [Int] = []
    for index in 0..<50 { loop.schedule(at: Instant(nanoseconds: UInt64(index % 3))) { order.append(index) } }
    loop.runEvents()
    #expect(order == (0..<50).sorted { ($0 % 3, $0) < ($1 % 3, $1) })
  }

  @Test func aCancelledEventDoesNotRunAndTheQueueForgetsIt() {
    let loop = EventLoop()
    var ran = 0
    for round in 0..<2_000 {
      let event = loop.schedule(after: .seconds(1000 + round)) { ran += 1 }
      if round % 4 != 0 { loop.cancel(event) }
    }
    loop.runEvents()
    #expect(ran == 500)
  }

  @Test func anHourOfStepsIsFreeAndExact() throws {
    let loop = EventLoop()
    let sleeper = Sleeper(loop)
    try loop.run { for _ in 0..<3600 { await sleeper.sleep(.seconds(1)) } }
    #expect(loop.now == Instant(nanoseconds: 3_600_000_000_000))
  }

  @Test(arguments: [(UInt64(1), 11), (4, 3), (100, 1)])
  func somebodyLooksWheneverSoManyEventsHavePassed(pace: UInt64, looks: Int) throws {
    let loop = EventLoop()
    let sleeper = Sleeper(loop)
    var counts: [UInt64] = []
    try loop.run(afterEvery: pace, { counts.append(loop.eventCount) }) {
      for _ in 0..<10 { await sleeper.sleep(.seconds(1)) }
    }
    #expect(counts == (0..<looks).map { UInt64($0) * pace })
  }

  @Test func aTaskThatNothingCanWakeIsReported() {
    let loop = EventLoop()
    #expect(throws: LoopFailure.starved) {
      try loop.run { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
  }

  @Test func whenOnlyDeadlinesAreLeftTheStarvationHandlerIsAskedFirst() {
    let loop = EventLoop()
    var asked: [Instant] = []
    loop.onStarvation = {
      asked.append(loop.now)
      return false
    }
    loop.schedule(after: .seconds(1)) {}
    loop.schedule(after: .seconds(60), .deadline) {}
    loop.runEvents()
    #expect(asked == [Instant(nanoseconds: 1_000_000_000), Instant(nanoseconds: 60_000_000_000)])
  }

  @Test func racingTasksLeaveTheSameTraceEveryTime() throws {
    func trace(_ seed: UInt64) throws -> [String] {
      let loop = EventLoop(seed: seed)
      let sleeper = Sleeper(loop)
      return try loop.run {
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<20 { group.addTask { await sleeper.wander(index) } }
        }
        return await sleeper.lines
      }
    }
    for seed in UInt64(0)..<20 {
      let first = try trace(seed)
      #expect(first.count == 400)
      #expect(try trace(seed) == first)
    }
  }

  @Test func theWallDriverHearsOtherThreadsAndKeepsOrder() throws {
    let loop = EventLoop(driver: .wall)
    loop.keepListening(true)
    let heard = Mutex<[Int]>([])
    loop.schedule(after: .milliseconds(1)) {
      for index in 0..<10 {
        loop.post {
          heard.withLock { $0.append(index) }
          if index == 9 { loop.requestStop() }
        }
      }
    }
    loop.runEvents()
    #expect(heard.withLock { $0 } == Array(0..<10))
  }

  @Test func realTimePassesUntilTheLimitEvenWhenNothingIsDueBefore() {
    let loop = EventLoop(driver: .wall)
    let heard = Mutex(false)
    loop.schedule(after: .seconds(3_600)) {}
    loop.post { heard.withLock { $0 = true } }
    loop.runEvents(until: loop.now.advanced(by: .milliseconds(5)))
    #expect(heard.withLock { $0 })
    #expect(loop.now >= Instant.zero.advanced(by: .milliseconds(5)))
  }

  @Test func whatWaitsIsLetGoAtTheEnd() {
    final class Station: EventTarget {
      let loop: EventLoop
      init(_ loop: EventLoop) { self.loop = loop }
      func fire(_ argument: UInt64) {}
    }
    weak var forgotten: EventLoop?
    do {
      let loop = EventLoop()
      forgotten = loop
      let station = Station(loop)
      loop.schedule(at: .zero.advanced(by: .seconds(1)), target: station)
      loop.onStarvation = { station.loop.eventCount == 0 }
      loop.discardEvents()
      loop.runEvents()
      #expect(loop.eventCount == 0)
    }
    #expect(forgotten == nil)
  }
}

@Suite struct Choices {
  @Test func namesHaveSequencesOfTheirOwn() {
    let plain = ChoiceSource(seed: 7)
    let alone = (0..<5).map { _ in plain.stream("loss").next() }
    let mixed = ChoiceSource(seed: 7)
    let among = (0..<5).map { _ in
      _ = mixed.stream("delay").next()
      return mixed.stream("loss").next()
    }
    #expect(alone == among)
    #expect(alone != (0..<5).map { _ in ChoiceSource(seed: 8).stream("loss").next() })
  }

  @Test func chancesComeOutAsOftenAsAsked() {
    let stream = ChoiceSource(seed: 1).stream("x")
    let hits = (0..<100_000).filter { _ in stream.chance(partsPerMillion: 250_000) }.count
    #expect((24_000...26_000).contains(hits))
    #expect((0..<1000).allSatisfy { _ in stream.below(3) < 3 })
  }

  @Test func seedsAreTheSameOnEveryMachine() {
    #expect(Seed.derive(1, ["library-no-redownload", "records=7"]) == 16250707073049396094)
    #expect(Seed.derive(1, ["ab", "c"]) != Seed.derive(1, ["a", "bc"]))
  }
}

private actor Sleeper {
  nonisolated let loop: EventLoop
  private(set) var lines: [String] = []

  init(_ loop: EventLoop) { self.loop = loop }
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func sleep(_ duration: Duration) async {
    await withCheckedContinuation { continuation in loop.schedule(after: duration) { continuation.resume() } }
  }

  func wander(_ index: Int) async {
    for _ in 0..<20 {
      await sleep(.nanoseconds(Int64(loop.choices.stream("wander").below(16))))
      lines.append("\(loop.now.nanoseconds) task \(index)")
    }
  }
}
