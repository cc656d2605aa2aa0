import Bench
import Bytes
import HCI
import Recorder
import Reports
import Requirements
import Runner
import Timeline
import Trace
import Transports
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

  init(_ request: SimulateRequest, _ console: Console) {
    self.request = request
    self.console = console
    let loop = EventLoop(driver: .wall, seed: request.seed)
    self.loop = loop
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
    console.out("ready")
    Interruption.listen { [loop] in loop.requestStop() }
    loop.keepListening(true)
    // Recorders, console and loop share this one thread until the command ends.
    nonisolated(unsafe) let (devices, world) = (bench.devices, bench.world)
    let steering = DeviceConsole(devices, in: world)
    let lines = InputLines(on: loop)
    let console = console
    var code = ExitCode.internalError
    do {
      try loop.run {
        while let line = await lines.next() { console.out(await steering.perform(line)) }
        // Nothing resumes this: the command ends when it is told to.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    } catch LoopFailure.stopped { code = .interrupted }
    return try finish(bench, code)
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
    let pipe = try request.controller.map { specification in
      try TransportOpening.open(
        specification, on: loop,
        whenListening: { [console] opening in
          console.note("listening at \(opening.listeningAt?.description ?? "")")
          if let exposure = opening.exposure { console.note("WARNING: \(exposure)") }
        },
        whenOpened: { [console] opening in
          for note in opening.notes { console.note(note) }
        })
    }
    if let path = request.capture {
      let note = "\(Tool.description), simulate, seed \(request.seed), profile \(request.plan.profile.name)"
      capture = try CaptureSink(path, note: note, isPrivate: request.isUncovered)
      if request.isUncovered { console.note("WARNING: the capture holds keys and recordings") }
    }
    let bench = RecorderBench(
      request.plan, on: loop, controller: pipe.map { WatchedPipe($0, noting: loss) },
      isUncovered: request.isUncovered, sinks: capture.map { [$0] } ?? [], prepare: keep)
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
    bench.world.onEvent = { [weak bench, console] _ in
      for violation in bench?.world.takeViolations() ?? [] {
        console.note(
          "VIOLATED \(violation.requirement) at \(violation.instant) s: \(PlainText.escaped(violation.reason))")
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

  /// Ends everything, and says what was found.
  private func finish(_ bench: RecorderBench, _ code: ExitCode) throws -> ExitCode {
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
