import Bench
import Bytes
import HCI
import Recorder
import Reports
import Requirements
import Runner
import Text
import Timeline
import Trace
import Transports
import Verdicts
import World

/// One `simulate`, from the opened places to what the monitors found.
final class SimulateSession {
  private var request: SimulateRequest
  private let console: Console
  private let loop: EventLoop
  private let loss: ControllerLoss
  private var capture: CaptureSink?
  private var folders: [MemoryFolder] = []
  /// Why the recorders' memory is no longer kept.
  private var trouble: MemoryTrouble?
  private let queue: SteeringQueue
  private var terminal: TerminalInput?
  private var keys = SteeringKeys()
  private var socket: SteeringSocket?
  /// Numbers of the clients that want to hear what happens.
  private var listeners: [Int] = []

  init(_ request: SimulateRequest, _ console: Console) {
    self.request = request
    self.console = request.capture.console(console)
    let loop = EventLoop(driver: .wall, seed: request.seed)
    self.loop = loop
    queue = SteeringQueue(on: loop)
    loss = ControllerLoss { loop.requestStop() }
  }

  /// Serves until it is told to stop, or the controller is gone.
  func run() throws -> ExitCode {
    let bench: RecorderBench
    do {
      bench = try open()
    } catch let failure as TransportFailure {
      console.note("dictobench: \(failure)")
      return .benchFailed
    } catch ControlFailure.bench(let sentence) {
      console.note("dictobench: \(sentence)")
      return .benchFailed
    } catch let failure as ReportFailure {
      throw UsageFailure("\(failure)")
    }
    follow(bench)
    for address in bench.addresses { console.out("recorder \(address)") }
    if let path = request.control { console.out("control \(path)") }
    console.out("ready")
    Interruption.listen { [loop] in loop.requestStop() }
    loop.keepListening(true)
    let code = try steer(bench)
    return try finish(bench, code)
  }

  /// Does what terminal and clients want until one of them or an interrupt ends it.
  private func steer(_ bench: RecorderBench) throws -> ExitCode {
    // Recorders, console and loop share this one thread until the command ends.
    nonisolated(unsafe) let (unsafeBench, session) = (bench, self)
    nonisolated(unsafe) let (devices, world) = (bench.devices, bench.world)
    let desk = SteeringDesk(unsafeBench, DeviceConsole(devices, in: world), on: loop)
    listen()
    defer { terminal?.close() }
    let queue = queue
    do {
      return try loop.run {
        while true {
          let item = await queue.next()
          guard let line = item.line else { return .passed }
          session.answer(await desk.perform(line), to: item.origin)
        }
      }
    } catch LoopFailure.stopped { return .interrupted }
  }

  /// Takes orders from standard input and from the socket's clients.
  private func listen() {
    let terminal = TerminalInput(on: loop) { [weak self] input in self?.take(input) }
    self.terminal = terminal
    if terminal.hasKeys { console.progress(SteeringKeys.help) }
    socket?.onLine = { [weak self] number, line in self?.take(line, from: number) }
    socket?.onLeft = { [weak self] number in self?.listeners.removeAll { $0 == number } }
  }

  private func take(_ input: TerminalInput.Input) {
    switch input {
    case .line(let line): queue.put(.init(origin: .terminal, line: line))
    case .key("q"): queue.put(.init(origin: .terminal, line: nil))
    case .key(":"): console.progress("\r\u{1B}[K:")
    case .key(let key):
      if let order = keys.order(key) { queue.put(.init(origin: .terminal, line: order)) }
    }
  }

  /// A client's wish to hear events is its own; all else is the recorders'.
  private func take(_ line: String, from number: Int) {
    guard let order = SteeringOrder(line), order.word == "events" else {
      return queue.put(.init(origin: .client(number), line: line))
    }
    listeners.removeAll { $0 == number }
    if order.value == nil { listeners.append(number) }
    socket?.send(SteeringDesk.Answer.done([]).json, to: number)
  }

  private func answer(_ answer: SteeringDesk.Answer, to origin: SteeringQueue.Origin) {
    switch origin {
    case .terminal: say(answer.text)
    case .client(let number): socket?.send(answer.json, to: number)
    }
  }

  /// Writes a line above the one at the bottom, where there is one.
  private func say(_ text: String, asNote isNote: Bool = false) {
    let hasKeys = terminal?.hasKeys ?? false
    if hasKeys { console.progress("\r\u{1B}[K") }
    if isNote { console.note(text) } else { console.out(text) }
    if hasKeys { console.progress(SteeringKeys.help) }
  }

  /// Reads what the recorders keep; each has a folder of its own.
  private func recall() throws {
    guard let state = request.state else { return }
    for number in 0..<request.plan.count {
      let folder: MemoryFolder
      let memory: RecorderMemory?
      do throws(MemoryTrouble) {
        folder = try MemoryFolder("\(state)/recorder-\(number)")
        memory = try folder.load()
      } catch { throw UsageFailure("\(error)") }
      folders.append(folder)
      request.plan.memories.append(memory)
      guard let memory else { continue }
      try request.adopt(memory, number: number)
      let (records, bonds) = (memory.records.count, memory.bondCount)
      console.note("recorder-\(number) goes on with \(records) records and \(bonds) bonds of \(state)")
      if !request.plan.records.isEmpty {
        console.note("recorder-\(number) holds its own records, not those of --records")
      }
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
    socket = try request.control.map { path in try SteeringSocket(at: path, on: loop) }
    let pipe = try request.controller.map { specification in
      try TransportOpening.open(
        specification, on: loop, options: request.opening,
        whenListening: { [console] opening in
          console.note("listening at \(opening.listeningAt?.description ?? "")")
          if let exposure = opening.exposure { console.note("WARNING: \(exposure)") }
        },
        whenOpened: { [console] opening in
          for note in opening.notes { console.note(note) }
        })
    }
    let note = "\(Tool.description), simulate, seed \(request.seed), profile \(request.plan.profile.name)"
    capture = try request.capture.open(note: note, on: loop, console)
    let bench = RecorderBench(
      request.plan, on: loop, controller: pipe.map { WatchedPipe($0, noting: loss) },
      isUncovered: request.capture.isUncovered, sinks: capture.map { [$0] } ?? [], prepare: keep)
    for specification in request.listens {
      let server = try bench.listen(at: specification)
      console.out("listening \(server.specification)")
      if let exposure = server.exposure { console.note("WARNING: \(exposure)") }
    }
    for line in try request.bench.map(bench.offerInstruments(of:)) ?? [] { console.out("instrument \(line)") }
    if let controller = request.controller { console.out("controller \(controller)") }
    return bench
  }

  /// Tells of violations as they are seen, and ends where the controller cannot be worked with.
  private func follow(_ bench: RecorderBench) {
    bench.world.onEvent = { [weak self, weak bench] event in
      self?.tell(event)
      for violation in bench?.world.takeViolations() ?? [] {
        let reason = PlainText.escaped(violation.reason)
        self?.say("VIOLATED \(violation.requirement) at \(violation.instant) s: \(reason)", asNote: true)
      }
    }
    for recorder in bench.recorders {
      // A simulated console listens to the recorder too.
      let before = recorder.onEvent
      recorder.onEvent = { [weak self] event in
        before?(event)
        guard case .bluetoothFailed(let failure) = event, let self else { return }
        loss.note("failed: \(failure)")
      }
    }
  }

  /// Tells the clients that asked for it what happened.
  private func tell(_ event: ProductEvent) {
    guard !listeners.isEmpty, event.happening.kind.isDisjoint(with: .unnarrated) else { return }
    let line = JSONValue.object([
      "event": .string(event.happening.sentence), "source": .string("\(event.source)"),
      "seconds": .seconds(Instant.zero.duration(to: event.instant)),
    ]).text
    for number in listeners { socket?.send(line, to: number) }
  }

  /// Ends everything, and says what was found.
  private func finish(_ bench: RecorderBench, _ code: ExitCode) throws -> ExitCode {
    socket?.close()
    if terminal?.hasKeys ?? false { console.progress("\r\u{1B}[K") }
    let findings = bench.world.finish()
    bench.close()
    do { try capture?.close(keeping: true) } catch { console.note("dictobench: \(error)") }
    for line in CaptureVerdict.lines(findings.filter { $0.outcome != .notExercised }, console.style) {
      console.note(line)
    }
    if let trouble {
      console.note("dictobench: \(trouble)")
      return .benchFailed
    }
    guard let reason = loss.reason else { return code }
    console.note("dictobench: the recorder's controller \(PlainText.escaped(reason))")
    return .benchFailed
  }
}
