import DictofunProtocol
import HostStack
import Processor
import Recorder
import Synchronization
import Timeline

extension ExecutedRecorder {
  /// Which instructions of the chip's flash were executed since the recorder was made.
  package var coverage: Coverage { processor.coverage }
}

/// An executed recorder that tells a ledger what it has executed when its world is gone.
///
/// A class, because only its end is sure to come once and after everything else.
final class CoveredRecorder: RecorderApplicationMachine {
  private let recorder: Mutex<ExecutedRecorder>
  private let ledger: CoverageLedger
  private let scenario: String

  init(_ recorder: ExecutedRecorder, _ ledger: CoverageLedger, scenario: String) {
    self.recorder = Mutex(recorder)
    self.ledger = ledger
    self.scenario = scenario
  }

  deinit { ledger.add(recorder.withLock { $0.coverage }, of: scenario) }

  var isOn: Bool { recorder.withLock { $0.isOn } }
  var memory: RecorderMemory? { recorder.withLock { $0.memory } }
  var chipFlash: [UInt8]? { recorder.withLock { $0.chipFlash } }
  var flashOperationCount: Int { recorder.withLock { $0.flashOperationCount } }

  func take(_ control: RecorderControl, at instant: Instant) { recorder.withLock { $0.take(control, at: instant) } }
  func take(_ event: HostEvent, at instant: Instant) { recorder.withLock { $0.take(event, at: instant) } }
  func timerFired(_ kind: UInt8, at instant: Instant) { recorder.withLock { $0.timerFired(kind, at: instant) } }
  func settle(at instant: Instant) -> Bool { recorder.withLock { $0.settle(at: instant) } }
  func drain(_ output: inout RecorderOutput) { recorder.withLock { $0.drain(&output) } }
  func arm(_ timers: inout [RecorderTimer], at instant: Instant) { recorder.withLock { $0.arm(&timers, at: instant) } }
  func inspect(at instant: Instant) -> RecorderInspection { recorder.withLock { $0.inspect(at: instant) } }
  func use(at instant: Instant) -> RecorderUse? { recorder.withLock { $0.use(at: instant) } }
  func clock(at instant: Instant) -> CivilTime? { recorder.withLock { $0.clock(at: instant) } }
}

extension ImageProgram {
  /// What runs on the chips of simulated recorders of a scenario whose power is cut, in copies, at every instruction of a
  /// span; a ledger is told what that does.
  package func recorderProgram(
    named name: String, cuttingPowerWithin span: Range<Instant>, telling ledger: PowerCutLedger, scenario: String
  ) -> RecorderProgram {
    // Putting an application in place takes a bootloader seconds.
    let future: Duration = bootloader == nil ? .seconds(3) : .seconds(20)
    let machines = machines { recorder in
      var recorder = recorder
      recorder.sweep = PowerCutSweep(span, of: scenario, telling: ledger, future: future)
      return recorder
    }
    return equipped(RecorderProgram(named: name, machines: machines))
  }

  private func equipped(_ program: RecorderProgram) -> RecorderProgram {
    var program = program
    program.conditions = conditions
    if bootloader != nil {
      program.bootloader = ExecutedBootloader(board: board.name, installsPackages: installsPackages)
    }
    return program
  }

  /// What runs on the chips of simulated recorders that execute the image. With a ledger it is told what each recorder of
  /// the scenario executed.
  package func recorderProgram(
    named name: String, telling ledger: CoverageLedger? = nil, scenario: String = ""
  ) -> RecorderProgram {
    equipped(
      ledger.map { ledger in
        RecorderProgram(
          named: name, watched: machines { CoveredRecorder($0, ledger, scenario: scenario) },
          unwatched: machines { $0 })
      } ?? RecorderProgram(named: name, machines: machines { $0 }))
  }

  /// Makes what makes the recorders of one world, whose chips are copies of one.
  private func machines(
    _ machine: @escaping @Sendable (ExecutedRecorder) -> any RecorderApplicationMachine
  ) -> @Sendable () -> RecorderProgram.Machines {
    {
      let processor = processor()
      return { machine(ExecutedRecorder(self, $0, on: processor)) }
    }
  }
}
