import Glibc
import Synchronization

/// Something the loop can wake without a closure; the argument is the one given when it was scheduled.
public protocol EventTarget: AnyObject {
  /// Called on the loop's thread when the scheduled time has come.
  func fire(_ argument: UInt64)
}

/// One thread's time: an ordered queue of events, a clock, a source of chance, and the executor on which the
/// `async` steps of a scenario run.
///
/// With the *virtual* driver the clock jumps to the next event, so waiting costs nothing and a run is a pure
/// function of what was put in. With the *wall* driver the loop waits until each event is due and listens to
/// descriptors and other threads meanwhile. Nothing above knows which one drives it.
///
/// The class is `@unchecked Sendable` because tasks carry their executor between threads; everything but
/// ``post(_:)`` and ``requestStop()`` belongs to the one thread that runs the loop, and a job that arrives from
/// another thread traps.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// What moves the clock.
  public enum Driver: Sendable {
    /// The next event: no real time passes.
    case virtual
    /// The machine's monotonic clock.
    case wall
  }

  /// Whom an event wakes, and with what.
  private struct Firing: ~Copyable {
    let target: any EventTarget
    let argument: UInt64
  }

  /// A closure that waits for its time.
  private final class Call: EventTarget {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    func fire(_ argument: UInt64) { body() }
  }

  /// What moves the clock.
  public let driver: Driver
  /// The source of every choice made in this run.
  public let choices: ChoiceSource
  /// The current time: during an event, the time at which it was due.
  public private(set) var now = Instant.zero
  /// Called when a run can only wait for its deadlines: only deadlines and background events are left. Returns
  /// whether it ended a wait, else the run goes on to the deadline.
  public var onStarvation: (() -> Bool)?
  /// Called when the wall driver could not keep up by more than 50 ms and moved its clock base by that much.
  public var onSlip: ((Duration) -> Void)?
  /// Real time that passed and that ``now`` does not count, because the wall driver could not keep up.
  package private(set) var slipped = Duration.zero
  /// How many events have been run.
  public private(set) var eventCount: UInt64 = 0

  private var queue = EventQueue<Firing>()
  private var ready: [UnownedJob] = []
  private var readyHead = 0
  private var owner: pthread_t?
  private var endings: [() -> Void] = []
  private let stopRequested = Atomic<Bool>(false)
  var wall: WallDriver?

  /// A loop at time zero whose choices come from `seed`.
  public init(driver: Driver = .virtual, seed: UInt64 = 1) {
    self.driver = driver
    choices = ChoiceSource(seed: seed)
    if driver == .wall { wall = WallDriver() }
  }

  // MARK: Scheduling

  /// Runs `body` at `instant`, or as soon as possible when that is past.
  @discardableResult
  public func schedule(at instant: Instant, _ urgency: Urgency = .normal, _ body: @escaping () -> Void)
    -> ScheduledEvent
  {
    schedule(at: instant, urgency, target: Call(body))
  }

  /// Runs `body` when `delay` has passed.
  @discardableResult
  public func schedule(after delay: Duration, _ urgency: Urgency = .normal, _ body: @escaping () -> Void)
    -> ScheduledEvent
  {
    schedule(at: now.advanced(by: delay), urgency, body)
  }

  /// Fires `target` with `argument` at `instant`: the way without an allocation, for what happens per packet.
  @discardableResult
  public func schedule(at instant: Instant, _ urgency: Urgency = .normal, target: any EventTarget, argument: UInt64 = 0)
    -> ScheduledEvent
  {
    queue.push(at: max(instant, now).nanoseconds, urgency, Firing(target: target, argument: argument))
  }

  /// Takes back something scheduled; nothing happens when it has run already.
  public func cancel(_ event: ScheduledEvent) { queue.cancel(event) }

  /// Calls `body` when the run is over, before ``discardEvents()`` drops what waits: for those that hold each other until
  /// somebody says that nothing more will happen.
  package func atEnd(_ body: @escaping () -> Void) { endings.append(body) }

  // MARK: Running

  /// Runs the loop until `body`, started as its root task, has finished.
  ///
  /// - Throws: what `body` throws; ``LoopFailure/starved`` when nothing is left that could wake it;
  ///   ``LoopFailure/stopped`` after ``requestStop()``.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    // More events than any run has.
    try run(afterEvery: .max / 2, {}, body)
  }

  /// Like ``run(_:)``; `look` is called on the loop's thread whenever as many events as `pace` says have passed, and may
  /// find out whether somebody wants the task to end.
  package func run<Value: Sendable>(
    afterEvery pace: UInt64, _ look: () -> Void, _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Mutex<Result<Value, any Error>?>(nil)
    // Asked after every event, and so apart from the outcome, whose type is only known to the caller.
    let isFinished = Atomic<Bool>(false)
    // The only unstructured task of the house: it is the root from which every structured one descends.
    let root = RootTask(loop: self)
    root.start(body) { result in
      outcome.withLock { $0 = result }
      isFinished.store(true, ordering: .relaxed)
    }
    var nextLook = eventCount
    turn(until: nil) {
      if eventCount >= nextLook {
        nextLook = eventCount + pace
        look()
        // What it resumed goes on at this instant, and not only after the next event.
        if !ready.isEmpty { drainReady() }
      }
      return isFinished.load(ordering: .relaxed)
    }
    if let result = outcome.withLock({ $0 }) { return try result.get() }
    throw stopRequested.load(ordering: .relaxed) ? LoopFailure.stopped : LoopFailure.starved
  }

  /// Runs events until `isDone` holds, or nothing is left, or the time `limit` has come.
  public func runEvents(until limit: Instant? = nil, _ isDone: () -> Bool = { false }) {
    turn(until: limit, isDone)
  }

  /// Inlined, because the condition is asked after every event.
  @inline(__always)
  private func turn(until limit: Instant?, _ isDone: () -> Bool) {
    precondition(owner == nil, "the loop is already running")
    owner = pthread_self()
    TaskEscapeTrap.enter(self)
    defer {
      TaskEscapeTrap.leave()
      owner = nil
    }
    drainReady()
    while !isDone(), !stopRequested.load(ordering: .relaxed) {
      if driver == .virtual, queue.normalCount == 0, let onStarvation, onStarvation() {
        // Whoever was told may have ended the run; a deadline must not move the clock then.
        drainReady()
        continue
      }
      guard let time = nextEventTime() else { return }
      if let limit, time > limit.nanoseconds {
        // Real time has to pass until then; something may come from outside meanwhile.
        if let wall, wall.elapsed < limit.nanoseconds {
          _ = waitUntilDue(limit.nanoseconds)
          continue
        }
        now = max(now, limit)
        return
      }
      guard driver == .virtual || waitUntilDue(time) else { continue }
      guard let firing = queue.pop() else { return }
      if time > now.nanoseconds { now = Instant(nanoseconds: time) }
      eventCount &+= 1
      firing.target.fire(firing.argument)
      if !ready.isEmpty { drainReady() }
    }
  }

  /// Drops everything that waits, with what it holds: without this a loop and the worlds whose events it keeps hold
  /// each other for ever. For the end of a run; nothing may be scheduled afterwards that still has to happen.
  public func discardEvents() {
    precondition(owner == nil, "the loop is still running")
    for ending in endings { ending() }
    endings = []
    queue = EventQueue()
    (onStarvation, onSlip) = (nil, nil)
  }

  @inline(__always) private func nextEventTime() -> UInt64? {
    if let time = queue.nextTime() { return time }
    return wall?.isListening == true ? UInt64.max : nil
  }

  /// Listens until `time` with the wall driver; false when something else came first.
  private func waitUntilDue(_ time: UInt64) -> Bool {
    guard let wall else { return true }
    let elapsed = wall.elapsed
    if time <= elapsed {
      if let slip = wall.slip(lateness: elapsed - time) {
        slipped += slip
        onSlip?(slip)
      }
      wall.poll(for: 0, advance: { now = Instant(nanoseconds: max(now.nanoseconds, min($0, time))) })
      if !ready.isEmpty { drainReady() }
      return queue.nextTime() == time
    }
    wall.poll(for: time - elapsed, advance: { now = Instant(nanoseconds: max(now.nanoseconds, $0)) })
    if !ready.isEmpty { drainReady() }
    return false
  }

  private func drainReady() {
    let executor = asUnownedTaskExecutor()
    while readyHead < ready.count {
      let job = ready[readyHead]
      readyHead += 1
      job.runSynchronously(on: executor)
    }
    ready.removeAll(keepingCapacity: true)
    readyHead = 0
  }

  // MARK: From other threads

  /// Runs `body` on the loop's thread as soon as possible. May be called from any thread; wall driver only.
  public func post(_ body: @escaping @Sendable () -> Void) {
    guard let wall else { preconditionFailure("only a wall-driven loop can be posted to") }
    wall.post(body)
  }

  /// Makes the loop return after the event it is running. May be called from any thread, also from a signal's.
  public func requestStop() {
    stopRequested.store(true, ordering: .relaxed)
    wall?.wake()
  }

  // MARK: Executor

  public func enqueue(_ job: consuming ExecutorJob) {
    precondition(
      owner == nil || pthread_equal(pthread_self(), owner!) != 0,
      "a job of this loop was enqueued from another thread: something awaited outside the loop")
    ready.append(UnownedJob(job))
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  public func checkIsolated() {
    precondition(owner.map { pthread_equal(pthread_self(), $0) != 0 } ?? true, "not on the loop's thread")
  }
}

/// Why a loop returned without a result.
public enum LoopFailure: Error, Hashable, Sendable {
  /// Nothing was left that could have woken the root task.
  case starved
  /// The loop was asked to stop.
  case stopped
}
