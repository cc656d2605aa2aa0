import Bench
import Bytes
import HCI
import Recorder
import Requirements
import Runner
import Timeline
import Verdicts
import Trace
import Transports
import World

/// Serves simulated recorders to somebody else's Bluetooth host, and steers them.
package final class SimulationSession {
  /// The loop on which everything runs; input for ``take(_:)`` must come from its thread.
  package let loop: EventLoop
  private var plan: SimulationPlan
  private let interruption: any InterruptionSource
  private let capture: (EventLoop) throws -> (any TraceSink)?
  private let tell: (SimulationEvent) -> Void
  private let loss: ControllerLoss
  /// The recorder's controller outside this process; `nil` for virtual ones.
  private var controller: ReturningController?
  private var folders: [MemoryFolder] = []
  /// Why the recorders' memory is no longer kept.
  private var trouble: MemoryTrouble?
  private let queue: SteeringQueue
  private var socket: SteeringSocket?
  /// Numbers of the clients that want to hear what happens.
  private var listeners: [Int] = []

  /// A session whose trace goes to what `capture` begins, if anything, and that tells `tell` what happens.
  package init(
    _ plan: SimulationPlan, interruption: any InterruptionSource,
    capture: @escaping (EventLoop) throws -> (any TraceSink)?, tell: @escaping (SimulationEvent) -> Void
  ) {
    self.plan = plan
    self.interruption = interruption
    self.capture = capture
    self.tell = tell
    let loop = EventLoop(driver: .wall, seed: plan.seed)
    self.loop = loop
    queue = SteeringQueue(on: loop)
    loss = ControllerLoss { loop.requestStop() }
  }

  /// Takes an order from the terminal, or `nil` for the wish to end.
  package func take(_ line: String?) { _ = queue.put(.init(origin: .terminal, line: line)) }

  /// Serves until it is told to stop, or the controller is lost.
  ///
  /// - Throws: ``TransportFailure``, ``ControlFailure``, ``MemoryTrouble`` or ``SimulationPlan/Contradiction`` where the
  ///   simulation cannot begin, and what `capture` throws.
  package func run() throws -> SimulationOutcome {
    let bench = try open()
    follow(bench)
    tell(.ready(recorders: bench.addresses, control: plan.control))
    interruption.listen { [loop] in loop.requestStop() }
    loop.keepListening(true)
    let isInterrupted = try steer(bench)
    return finish(bench, isInterrupted)
  }

  /// Performs orders until one asks for the end, or an interrupt comes. Returns whether it was an interrupt.
  private func steer(_ bench: RecorderBench) throws -> Bool {
    // Recorders, console and loop share this one thread until the session ends.
    nonisolated(unsafe) let (unsafeBench, session) = (bench, self)
    nonisolated(unsafe) let (devices, world) = (bench.devices, bench.world)
    let desk = SteeringDesk(unsafeBench, DeviceConsole(devices, in: world), on: loop)
    socket?.onLine = { [weak self] number, line in self?.take(line, from: number) }
    let waits = world.waits
    socket?.onLeft = { [weak self] number in
      self?.listeners.removeAll { $0 == number }
      // Its order, such as a press of two hours, must not keep the others waiting.
      if self?.queue.drop(.client(number)) == true { waits.endAll(.interrupted) }
    }
    let queue = queue
    do {
      return try loop.run {
        while true {
          let item = await queue.next()
          guard let line = item.line else { return false }
          session.answer(await desk.perform(line), to: item.origin)
        }
      }
    } catch LoopFailure.stopped { return true }
  }

  /// A client's wish to hear events is its own; everything else goes to the recorders.
  private func take(_ line: String, from number: Int) {
    guard let order = SteeringOrder(line), order.word == "events" else {
      if !queue.put(.init(origin: .client(number), line: line)) {
        socket?.send(SteeringLine.answer(.refused("too many orders wait; wait for their answers")), to: number)
      }
      return
    }
    if let complaint = order.complaint {
      socket?.send(SteeringLine.answer(.refused(complaint)), to: number)
      return
    }
    listeners.removeAll { $0 == number }
    if order.value == nil { listeners.append(number) }
    socket?.send(SteeringLine.answer(.done([])), to: number)
  }

  private func answer(_ answer: SteeringDesk.Answer, to origin: SteeringQueue.Origin) {
    switch origin {
    case .terminal: tell(.answered(answer))
    case .client(let number): socket?.send(SteeringLine.answer(answer), to: number)
    }
  }

  /// Reads what the recorders keep; each has its own folder.
  private func recall() throws {
    guard let state = plan.state else { return }
    for number in 0..<plan.recorders.count {
      let folder = try MemoryFolder("\(state)/recorder-\(number)")
      let memory = try folder.load()
      folders.append(folder)
      plan.recorders.memories.append(memory)
      guard let memory else { continue }
      try plan.adopt(memory, number: number)
      let name = "recorder-\(number)"
      tell(.recalled(recorder: name, records: memory.records.count, bonds: memory.bondCount))
      if !plan.recorders.records.isEmpty { tell(.keptOwnRecords(recorder: name)) }
    }
  }

  /// Keeps what a recorder keeps, whenever that changes.
  private func keep(_ recorder: SimulatedDevice) {
    guard folders.indices.contains(Int(recorder.index)) else { return }
    let folder = folders[Int(recorder.index)]
    recorder.onMemoryChange = { [weak self] memory in
      guard let self, trouble == nil else { return }
      do throws(MemoryTrouble) { try folder.save(memory, at: loop.now) } catch {
        trouble = error
        loop.requestStop()
      }
    }
  }

  private func open() throws -> RecorderBench {
    try recall()
    socket = try plan.control.map { path in try SteeringSocket(at: path, on: loop) }
    controller = try plan.controller.map { specification in
      ReturningController(try openController(specification), specification, plan.opening, on: loop)
    }
    let sink = try capture(loop)
    let bench = RecorderBench(
      plan.recorders, on: loop, controller: controller,
      isUncovered: plan.isUncovered, sinks: sink.map { [$0] } ?? [], prepare: keep)
    for specification in plan.listens {
      let server = try bench.listen(at: specification)
      tell(.listening(at: server.specification, exposure: server.exposure))
    }
    for place in try plan.bench.map(bench.offerInstruments(of:)) ?? [] { tell(.instrument(place)) }
    if let controller = plan.controller { tell(.controller(controller)) }
    return bench
  }

  private func openController(_ specification: TransportSpecification) throws -> any PacketPipe {
    try TransportOpening.open(
      specification, on: loop, options: plan.opening,
      whenListening: { tell(.awaitingController(at: $0.listeningAt, exposure: $0.exposure)) },
      whenOpened: { opening in for note in opening.notes { tell(.controllerNote(note)) } })
  }

  /// Tells of violations as they are seen, and ends when the controller fails.
  private func follow(_ bench: RecorderBench) {
    bench.world.onEvent = { [weak self, weak bench] event in
      self?.pass(event)
      for violation in bench?.world.takeViolations() ?? [] { self?.pass(violation) }
    }
    for recorder in bench.recorders {
      // A simulated console listens to the recorder too.
      let before = recorder.onEvent
      recorder.onEvent = { [weak self] event in
        before?(event)
        guard case .bluetoothFailed(let failure) = event, let self else { return }
        failed("\(failure)")
      }
    }
    follow(controller, of: bench)
  }

  /// Time for which a controller must have worked for another attempt: one that never does is the user's mistake.
  private static let leastUse = Duration.seconds(10)

  /// A controller that worked until now is opened again; with any other the simulation ends.
  private func failed(_ failure: String) {
    guard let controller, controller.openedAt.duration(to: loop.now) > Self.leastUse else {
      return loss.note(.failed(failure))
    }
    // The recorder is within its own doing.
    loop.schedule(after: .zero) { controller.lose(failure) }
  }

  /// Without its controller a recorder has no chip: its power is cut, and it boots when the controller is back.
  private func follow(_ controller: ReturningController?, of bench: RecorderBench) {
    let tell = tell
    controller?.onLoss = { [weak bench] reason in
      tell(.controllerAway(reason))
      for recorder in bench?.recorders ?? [] { try? recorder.cutPower() }
    }
    controller?.onReturn = { [weak bench, specification = plan.controller] in
      if let specification { tell(.controllerBack(specification)) }
      for recorder in bench?.recorders ?? [] { try? recorder.powerOn() }
    }
  }

  /// Passes an event on to the clients that asked for events.
  private func pass(_ event: ProductEvent) {
    guard !listeners.isEmpty, let line = SteeringLine.event(event) else { return }
    for number in listeners { socket?.send(line, to: number) }
  }

  /// Tells of a violation, and passes it on to the clients that asked for events.
  private func pass(_ violation: MonitorViolation) {
    tell(.violated(violation))
    for number in listeners { socket?.send(SteeringLine.violation(violation), to: number) }
  }

  private func finish(_ bench: RecorderBench, _ isInterrupted: Bool) -> SimulationOutcome {
    socket?.close()
    let findings = bench.world.finish()
    bench.close()
    let end: SimulationOutcome.End
    if let trouble {
      end = .memoryFailed(trouble)
    } else if let reason = loss.reason {
      end = .controllerLost(reason)
    } else {
      end = isInterrupted ? .interrupted : .quit
    }
    return SimulationOutcome(end: end, findings: findings)
  }
}
