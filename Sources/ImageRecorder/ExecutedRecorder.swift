import Board
import Bytes
import DictofunProtocol
import HostStack
import Processor
import Recorder
import SoftDevice
import Timeline

/// A recorder whose chip executes a firmware image, instruction by instruction: what stands behind the recorder's host
/// stack in the modelled application's place.
///
///     controls ──▶ board ◀── registers ── processor ── supervisor calls ──▶ SoftDevice ──▶ host stack
///
/// The processor never runs ahead of the world: it is executed up to the instant of each input, and while it is awake a
/// timer brings it on in steps of ``awakeStep``. What it asks for within a step is asked at the step's end.
public struct ExecutedRecorder: RecorderApplicationMachine {
  let configuration: RecorderConfiguration
  let program: ImageProgram
  var processor: CortexM4
  var board: RecorderBoard
  var softDevice: SoftDeviceHost
  var clock: CycleClock
  public internal(set) var isOn = false
  /// Whether the image waits for an interrupt.
  private var isSleeping = false
  private var completions: [TimedCompletion] = []
  private var softDeviceOutput = SoftDeviceOutput()
  var output = RecorderOutput()
  /// The directory as it was when it was looked at last.
  var knownEntries: [RecordFileSystem.Entry] = []
  private var alarm: Instant?
  /// What was found since the recorder was made, each once, in order.
  public private(set) var findings: [ImageFinding] = []
  /// What the firmware wrote to its console and was not taken.
  public var console: [UInt8] = []

  /// How long the processor runs at a time while it is awake.
  public static let awakeStep = Duration.microseconds(100)
  private static let alarmTimer: UInt8 = 0
  private static let findingLimit = 256
  private static let consoleLimit = 1 << 20

  /// A recorder that is off, with this image in its flash.
  public init(_ program: ImageProgram, _ configuration: RecorderConfiguration) {
    self.program = program
    self.configuration = configuration
    let address = configuration.address.littleEndian
    let memory: Memory
    do { memory = try RecorderBoard.memory(of: program.board, address: address) } catch {
      preconditionFailure("the memories of a known board overlap: \(error)")
    }
    processor = CortexM4(memory: memory)
    board = RecorderBoard(program.board)
    let variant: SoftDeviceSettings.Variant = program.board.chip.part == 0x52832 ? .s132 : .s140
    softDevice = SoftDeviceHost(
      SoftDeviceSettings(
        variant, address: configuration.address, identityResolvingKey: Self.key(1, address),
        randomKey: Self.key(2, address)))
    clock = CycleClock(partsPerBillion: configuration.tickErrorPartsPerBillion, at: .zero, cycle: 0)
    prepare()
  }

  /// Sixteen octets that belong to a chip, as the factory's do.
  private static func key(_ purpose: UInt8, _ address: [UInt8]) -> [UInt8] {
    (0..<16).map { address[$0 % address.count] ^ (UInt8($0) &* 29 &+ purpose &* 101) }
  }

  // MARK: Inputs

  package mutating func take(_ control: RecorderControl, at instant: Instant) {
    run(until: clock.cycle(at: instant))
    perform(control, at: instant)
  }

  package mutating func take(_ event: HostEvent, at instant: Instant) {
    guard isOn else { return }
    run(until: clock.cycle(at: instant))
    softDevice.take(event, &processor, at: processor.cycles)
    drainSoftDevice()
  }

  public mutating func timerFired(_ kind: UInt8, at instant: Instant) {
    alarm = nil
    run(until: clock.cycle(at: instant))
  }

  package mutating func drain(_ output: inout RecorderOutput) {
    if self.output.silencesController { output.silencesController = true }
    output.requests += self.output.requests
    output.events += self.output.events
    self.output = RecorderOutput()
  }

  package mutating func arm(_ timers: inout [RecorderTimer], at instant: Instant) {
    let due = nextAlarm(at: instant)
    guard due != alarm else { return }
    alarm = due
    timers.append(RecorderTimer(Self.alarmTimer, due: due))
  }

  private func nextAlarm(at instant: Instant) -> Instant? {
    guard isOn else { return nil }
    if !isSleeping || processor.isAnyInterruptPending { return instant.advanced(by: Self.awakeStep) }
    return nextDue.map(clock.instant(of:))
  }

  // MARK: Execution

  /// The next cycle at which something happens by itself.
  private var nextDue: UInt64? {
    [board.nextDue, completions.first?.due, processor.nextDue].compactMap { $0 }.min()
  }

  /// Executes up to a cycle, or until power is gone.
  private mutating func run(until target: UInt64) {
    while isOn {
      performDue()
      guard isOn else { return }
      if isSleeping {
        if processor.isAnyInterruptPending {
          isSleeping = false
          continue
        }
        let next = min(target, nextDue ?? .max)
        guard next > processor.cycles else { return }
        processor.skip(to: next)
      } else {
        guard processor.cycles < target else { return }
        let limit = board.prepareRun(until: min(target, completions.first?.due ?? .max))
        guard limit > processor.cycles else { continue }
        handle(processor.run(until: limit, bus: &board))
      }
    }
  }

  private mutating func performDue() {
    board.advance(&processor)
    while let first = completions.first, first.due <= processor.cycles {
      completions.removeFirst()
      softDevice.complete(first.completion, &processor, at: processor.cycles)
      drainSoftDevice()
    }
    for event in board.takeEvents() { handle(event) }
  }

  private mutating func handle(_ stop: Stop) {
    switch stop {
    case .limit, .attention: break
    case .waitForEvent, .waitForInterrupt: isSleeping = true
    case .supervisorCall(let number):
      softDevice.call(number, &processor, at: processor.cycles)
      drainSoftDevice()
    case .systemReset: reset(.software)
    case .breakpoint(let number):
      note(.breakpoint(number, address: processor.programCounter))
      // Without a debugger a breakpoint is a hard fault, whose handler resets.
      reset(.lockup)
    case .fault(let fault):
      note(.fault(fault))
      processor.deliverFault()
    case .lockup:
      note(.lockup)
      reset(.lockup)
    }
    if let address = processor.firstDataExecution { note(.executedData(address: address)) }
  }

  private mutating func handle(_ event: BoardEvent) {
    switch event {
    case .console(let octets): if console.count < Self.consoleLimit { console += octets }
    case .watchdog:
      note(.watchdog(address: processor.programCounter))
      reset(.watchdog)
    case .systemOff, .latchReleased: switchOff(.switchedOff)
    case .storageOperation: observeStorage()
    case .storageRefused(let command): note(.storage(command: command))
    case .notModelled(let address, let isWrite): note(.register(address: address, isWrite: isWrite))
    }
    if board.hasPowerFailed { switchOff(.cut) }
  }

  private mutating func note(_ finding: ImageFinding) {
    guard findings.count < Self.findingLimit, !findings.contains(finding) else { return }
    findings.append(finding)
  }

  private mutating func drainSoftDevice() {
    softDevice.drain(&softDeviceOutput)
    output.requests += softDeviceOutput.requests
    for interrupt in softDeviceOutput.interrupts { processor.setPending(interrupt: interrupt) }
    for write in softDeviceOutput.registerWrites {
      _ = board.write(write.address, .word, write.value, at: processor.cycles)
    }
    for completion in softDeviceOutput.completions {
      let index = completions.firstIndex { $0.due > completion.due } ?? completions.count
      completions.insert(completion, at: index)
    }
    for finding in softDeviceOutput.findings { note(.softDevice(finding)) }
    if softDeviceOutput.sleeps { isSleeping = true }
    let isSystemOff = softDeviceOutput.isSystemOff
    softDeviceOutput = SoftDeviceOutput()
    if isSystemOff { switchOff(.switchedOff) }
  }

  // MARK: Power

  /// Power has come: RAM holds nothing, the image starts at its vector table.
  mutating func switchOn(_ reason: BootReason, at instant: Instant) {
    isOn = true
    processor.skip(to: clock.cycle(at: instant))
    forgetRAM()
    restart(.powerOn)
    output.events.append(.poweredOn(reason))
  }

  /// Power is gone.
  mutating func switchOff(_ reason: PowerOffReason) {
    guard isOn else { return }
    isOn = false
    board.losePower()
    completions.removeAll()
    softDevice.reset()
    output.silencesController = true
    output.requests.removeAll()
    output.events.append(.poweredOff(reason))
  }

  /// The chip resets: RAM stays as it is, everything else begins anew.
  private mutating func reset(_ reason: ResetReason) {
    restart(reason)
    output.silencesController = true
    output.requests.removeAll()
  }

  private mutating func restart(_ reason: ResetReason) {
    board.reset(reason)
    softDevice.reset()
    completions.removeAll()
    isSleeping = false
    processor.reset(vectorTable: program.application.vectorTable)
  }

  /// Gives the chip new RAM; flash keeps what it holds.
  private mutating func forgetRAM() {
    let cycles = processor.cycles
    guard var memory = try? RecorderBoard.memory(of: program.board, address: configuration.address.littleEndian),
      let flash = try? processor.memory.read(0, count: program.board.chip.flashSize)
    else { return }
    try? memory.load(flash, at: 0)
    processor.memory = memory
    processor.skip(to: cycles)
  }
}
