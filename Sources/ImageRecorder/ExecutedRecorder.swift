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
/// The processor never runs ahead of the world: it is executed up to the instant of each input, and a timer brings it on at
/// multiples of ``awakeStep``. What it asks for within a step is asked at the step's end. Steps in which it sleeps, or goes
/// round in a loop that changes nothing, are left out, so that leaving them out changes nothing.
package struct ExecutedRecorder: RecorderApplicationMachine {
  let configuration: RecorderConfiguration
  let program: ImageProgram
  var processor: CortexM4
  var board: RecorderBoard
  var softDevice: SoftDeviceHost
  var clock: CycleClock
  package internal(set) var isOn = false
  /// Whether the image waits for an interrupt.
  private var isSleeping = false {
    didSet { if isSleeping != oldValue { board.processorSleeps(isSleeping, at: processor.cycles) } }
  }
  /// Whether the image goes round in a loop that only something from outside ends.
  private var isSpinning = false
  private var completions: [TimedCompletion] = []
  /// Cuts the power of copies while it is executed; `nil` for none.
  var sweep: PowerCutSweep?
  /// Cycles in which it had power and waited for an interrupt.
  private(set) var sleptCycles: UInt64 = 0
  /// Cycles in which it had power, up to the last switching off.
  private(set) var poweredCycles: UInt64 = 0
  /// The cycle at which power came last.
  private var poweredSince: UInt64 = 0
  /// Operations on the chip's own flash since the recorder was made.
  private(set) var chipOperationCount = 0
  /// The operation on a flash, of either, at which power fails, counted since the recorder was made.
  private var failingOperation: Int?
  /// The cycle at which power fails, in the middle of an operation on the chip's own flash.
  private var powerFailure: UInt64?
  private var softDeviceOutput = SoftDeviceOutput()
  var output = RecorderOutput()
  /// The directory as it was when it was looked at last.
  var knownEntries: [RecordFileSystem.Entry] = []
  private var alarm: Instant?
  /// What was found since the recorder was made, each once, in order.
  package private(set) var findings: [ImageFinding] = []
  private var stackWatch: StackWatch
  /// Looks at the bootloader's stack; `nil` without one.
  private var bootloaderStackWatch: StackWatch?
  /// Findings of the processor that were looked at.
  private var seenUnwrittenReads = 0
  /// The cycle up to which reads of unwritten RAM are watched; `nil` while they are not.
  private var watchEnd: UInt64?
  /// The cycle at which the image last paused, called or had an interrupt served: a sign that it is not stuck.
  private var lastSign: UInt64 = 0
  /// Resets since the image last did one of these.
  private var idleResets = 0
  /// Whether the image is not executed any more, because nothing would come of it.
  private var isHalted = false
  /// Which program runs.
  var stage = ChipStage()
  /// The beginning of what the firmware wrote to its console.
  var console: [UInt8] = []
  var consoleLog = ConsoleLines()

  /// How long the processor runs at a time while it is awake.
  package static let awakeStep = Duration.microseconds(100)
  private static let stepNanoseconds = UInt64(awakeStep.wholeNanoseconds)
  private static let alarmTimer: UInt8 = 0
  private static let findingLimit = 256
  /// Cycles without a sign of life after which an image counts as stuck: 10 s.
  private static let patience: UInt64 = 640_000_000
  /// Cycles after power on in which reads of unwritten RAM are watched: 2 s. Watching costs speed, and what a program
  /// forgot to set shows when it starts.
  private static let watchTime: UInt64 = 128_000_000
  /// The priority at which an enabled SoftDevice takes calls.
  private static let callPriority: UInt8 = 4
  /// Resets without a sign of life after which a chip is not started again.
  private static let resetLimit = 100

  /// A recorder that is off, with this image in its flash. Its processor is a copy of one that the program has made.
  package init(_ program: ImageProgram, _ configuration: RecorderConfiguration, on processor: CortexM4? = nil) {
    self.program = program
    self.configuration = configuration
    let address = configuration.address.littleEndian
    self.processor = processor ?? program.processor()
    try? RecorderBoard.setAddress(address, in: &self.processor.memory)
    board = RecorderBoard(program.board)
    let variant: SoftDeviceSettings.Variant = program.board.chip.part == 0x52832 ? .s132 : .s140
    softDevice = SoftDeviceHost(
      SoftDeviceSettings(
        variant, address: configuration.address, identityResolvingKey: Self.key(1, address),
        randomKey: Self.key(2, address), eraseCycles: program.board.chip.eraseCycles,
        wordCycles: program.board.chip.wordCycles))
    clock = CycleClock(partsPerBillion: configuration.tickErrorPartsPerBillion, at: .zero, cycle: 0)
    stackWatch = StackWatch(
      program.application.symbols, ramSize: program.board.chip.ramSize, top: program.stackTop)
    bootloaderStackWatch = program.bootloader.map {
      StackWatch($0.symbols, ramSize: program.board.chip.ramSize, top: ImageProgram.stackTop(of: $0))
    }
    prepare()
  }

  /// Sixteen octets that belong to a chip, as the factory's do.
  private static func key(_ purpose: UInt8, _ address: [UInt8]) -> [UInt8] {
    (0..<16).map { address[$0 % address.count] ^ (UInt8($0) &* 29 &+ purpose &* 101) }
  }

  // MARK: Inputs

  package mutating func take(_ control: RecorderControl, at instant: Instant) {
    run(until: clock.cycle(at: instant))
    isSpinning = false
    perform(control, at: instant)
  }

  package mutating func take(_ event: HostEvent, at instant: Instant) {
    guard isOn else { return }
    run(until: clock.cycle(at: instant))
    isSpinning = false
    softDevice.take(event, &processor, at: processor.cycles)
    drainSoftDevice()
  }

  package mutating func timerFired(_ kind: UInt8, at instant: Instant) {
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
    guard isOn, !isHalted else { return nil }
    let following = Self.endOfStep(Instant(nanoseconds: instant.nanoseconds + 1))
    if !isSpinning, board.haltedUntil == nil, !isSleeping || endsSleep { return following }
    return nextLook.map { max(Self.endOfStep(clock.instant(of: $0)), following) }
  }

  /// The end of the step that an instant lies in; the ends of steps belong to the steps before them.
  private static func endOfStep(_ instant: Instant) -> Instant {
    Instant(nanoseconds: (instant.nanoseconds + stepNanoseconds - 1) / stepNanoseconds * stepNanoseconds)
  }

  // MARK: Execution

  /// Whether an image that sleeps has a reason to wake. In the SoftDevice's wait any pending interrupt is one, enabled or
  /// not (`sd_app_evt_wait`); in a wait of its own the processor decides.
  private var endsSleep: Bool { processor.endsSleep ?? processor.isAnyInterruptPending }

  /// The next cycle at which something happens by itself, or at which an image in circles has had its time.
  private var nextLook: UInt64? {
    guard isSpinning else { return nextDue }
    return min(nextDue ?? .max, lastSign + Self.patience + 1)
  }

  /// The next cycle at which something happens by itself.
  @inline(always) private var nextDue: UInt64? {
    let due = min(nextCompletion, min(board.nextDue ?? .max, processor.nextDue ?? .max))
    return due == .max ? nil : due
  }

  /// The next cycle at which something of neither board nor processor is complete.
  @inline(always) private var nextCompletion: UInt64 { min(completions.first?.due ?? .max, powerFailure ?? .max) }

  /// The next cycle, `target` at the latest, at which a waiting processor is looked at.
  @inline(always) private func nextPause(before target: UInt64) -> UInt64 {
    min(target, min(nextDue ?? .max, nextCut ?? .max))
  }

  /// Executes up to a cycle, or until power is gone.
  private mutating func run(until target: UInt64) {
    while isOn, !isHalted {
      performDue()
      guard isOn, !isHalted else { return }
      if sweep != nil { cutCopies() }
      if let halted = board.haltedUntil {
        let next = min(halted, nextPause(before: target))
        guard next > processor.cycles else { return }
        processor.skip(to: next)
      } else if isSleeping {
        if endsSleep {
          isSleeping = false
          continue
        }
        let next = nextPause(before: target)
        guard next > processor.cycles else { return }
        sleptCycles += next - processor.cycles
        processor.skip(to: next)
      } else {
        guard processor.cycles < target else { return }
        let limit = board.prepareRun(until: min(target, min(nextCompletion, nextCut ?? .max)))
        guard limit > processor.cycles else { continue }
        let hadInterrupt = processor.isAnyInterruptPending
        let stop = processor.run(until: limit, bus: &board)
        isSpinning = processor.isSpinning
        handle(stop)
        lookInside(hadInterrupt: hadInterrupt)
      }
    }
    // Time passes for a halted chip too.
    if isOn { processor.skip(to: target) }
  }

  /// Notes what only the processor's inside tells, and halts an image that does nothing any more.
  private mutating func lookInside(hadInterrupt: Bool) {
    if isSleeping || hadInterrupt && !processor.isAnyInterruptPending { noteSign() }
    if processor.cycles - lastSign > Self.patience, nothingWillEndIt {
      note(.stuck(address: processor.programCounter))
      isHalted = true
    }
    if processor.executedInstructions >= program.instructionLimit {
      note(.outOfTime(address: processor.programCounter))
      isHalted = true
    }
    // RAM above the main stack is what a program keeps over its resets, and checks before it believes it.
    for read in processor.unwrittenReads.dropFirst(seenUnwrittenReads) where read.address < program.stackTop {
      note(.unwrittenRead(address: read.address, by: read.programCounter))
    }
    seenUnwrittenReads = processor.unwrittenReads.count
    if let end = watchEnd, processor.cycles > end {
      processor.watchesUnwrittenReads = false
      watchEnd = nil
    }
    observeStage()
    let overrun = stage.isBootloader ? bootloaderStackWatch?.look(at: processor) : stackWatch.look(at: processor)
    if let overrun { note(.stack(overrun)) }
  }

  /// Whether no interrupt is planned that would get through.
  private var nothingWillEndIt: Bool {
    nextDue == nil || processor.primask != 0 || processor.exceptionNumber != 0
  }

  private mutating func noteSign() {
    lastSign = processor.cycles
    idleResets = 0
  }

  private mutating func performDue() {
    if let due = nextDue, due <= processor.cycles { isSpinning = false }
    board.advance(&processor)
    while let first = completions.first, first.due <= processor.cycles {
      completions.removeFirst()
      softDevice.complete(first.completion, &processor, at: processor.cycles)
      drainSoftDevice()
    }
    for event in board.takeEvents() { handle(event) }
    if stage.bootRecordWork != nil, continueBootRecord() { reset(.software) }
    if let powerFailure, powerFailure <= processor.cycles { switchOff(.cut) }
  }

  /// Lets power fail at an operation on a flash, of either, counted since the recorder was made.
  mutating func failPower(atFlashOperation number: Int) {
    failingOperation = number
    armPowerFailure()
  }

  /// Tells the flash for records how many of its operations are left when none of the chip's own comes between.
  private mutating func armPowerFailure() {
    board.failPower(afterStorageOperations: failingOperation.map { max(0, $0 - flashOperationCount) })
  }

  /// Counts an operation of the chip's own flash that was begun, and plans the failure of power in its middle.
  private mutating func countChipOperation(_ completion: TimedCompletion) {
    guard case .flash = completion.completion else { return }
    countChipOperation(until: completion.due)
  }

  private mutating func countChipOperation(until due: UInt64) {
    if failingOperation == flashOperationCount {
      powerFailure = processor.cycles + (due - min(due, processor.cycles)) / 2
    }
    chipOperationCount += 1
    armPowerFailure()
  }

  private mutating func handle(_ stop: Stop) {
    switch stop {
    case .limit, .attention: break
    case .waitForEvent, .waitForInterrupt: isSleeping = true
    case .supervisorCall(let number):
      softDevice.retention = board.retained
      softDevice.resetReason = board.resetReason
      if SoftDeviceHost.flashCalls.contains(number) { shareProtection() }
      let wasEnabled = softDevice.isEnabled
      softDevice.call(number, &processor, at: processor.cycles)
      // An enabled SoftDevice takes calls at a priority of its own: more urgent interrupts, and code that holds them back,
      // can make none (SoftDevice specification, "Interrupt model").
      if softDevice.isEnabled != wasEnabled { processor.supervisorCallPriority = wasEnabled ? 0 : Self.callPriority }
      drainSoftDevice(calledFrom: processor.programCounter)
      noteSign()
    case .systemReset: reset(.software)
    case .breakpoint(let number):
      note(.breakpoint(number, address: processor.programCounter))
      processor.deliverBreakpoint()
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
    case .console(let octets): take(console: octets)
    case .watchdogTimeout: note(.watchdog(address: processor.programCounter))
    case .watchdog: reset(.watchdog)
    case .systemOff: switchItselfOff()
    case .latchReleased:
      output.events.append(.executionSwitchedOff)
      if configuration.staysAwake { note(.fellAsleep) }
      if !board.holdsPower { switchOff(.switchedOff) }
    case .storageOperation: observeStorage()
    case .storageRefused(let command, let reason): note(.storage(command: command, reason))
    case .bufferUnreachable(let buffer): note(.buffer(buffer))
    case .flashOperationBegan(let end):
      countChipOperation(until: end)
      noteSign()
    case .flashProtected(let address): note(.protectedFlash(address: address, by: processor.programCounter))
    case .notModelled(let address, let isWrite): note(.register(address: address, isWrite: isWrite))
    }
    if board.hasPowerFailed { switchOff(.cut) }
  }

  private mutating func note(_ finding: ImageFinding) {
    guard findings.count < Self.findingLimit, !findings.contains(finding) else { return }
    findings.append(finding)
    let symbols = program.symbols
    let trace = finding.isInCode ? CallTrace(processor, symbols).text : ""
    output.events.append(.executionFound(ProgramFinding(finding.kind, finding.text(symbols) + trace)))
  }

  private mutating func drainSoftDevice(calledFrom address: UInt32? = nil) {
    softDevice.drain(&softDeviceOutput)
    output.requests += softDeviceOutput.requests
    for interrupt in softDeviceOutput.interrupts { processor.setPending(interrupt: interrupt) }
    for write in softDeviceOutput.registerWrites {
      _ = board.write(write.address, .word, write.value, at: processor.cycles)
    }
    for completion in softDeviceOutput.completions {
      countChipOperation(completion)
      // What it overtakes would do nothing: an image that starts advertising again and again leaves one end behind.
      completions.removeAll { $0.completion.isOvertaken(by: completion.completion) }
      let index = completions.firstIndex { $0.due > completion.due } ?? completions.count
      completions.insert(completion, at: index)
    }
    for finding in softDeviceOutput.findings { note(.softDevice(finding, address: address)) }
    if let table = softDeviceOutput.vectorTable { processor.vectorTable = table }
    if softDeviceOutput.sleeps { isSleeping = true }
    let bootRecordWork = softDeviceOutput.bootRecordWork
    let isSystemOff = softDeviceOutput.isSystemOff
    softDeviceOutput = SoftDeviceOutput()
    if isSystemOff { switchItselfOff() }
    if let bootRecordWork { begin(bootRecordWork) }
  }

  /// Cycles with power until an instant, and those of them in which the image waited. The time since it was executed last
  /// goes on as it was then.
  func cycles(until instant: Instant) -> (powered: UInt64, slept: UInt64) {
    guard isOn else { return (poweredCycles, sleptCycles) }
    let now = max(clock.cycle(at: instant), processor.cycles)
    let rest = isSleeping ? now - processor.cycles : 0
    return (poweredCycles + (now - poweredSince), sleptCycles + rest)
  }

  // MARK: Power

  /// Power has come: RAM holds nothing, the image starts at its vector table.
  mutating func switchOn(_ reason: BootReason, at instant: Instant) {
    isOn = true
    processor.skip(to: clock.cycle(at: instant))
    poweredSince = processor.cycles
    forgetRAM()
    stackWatch.reset()
    bootloaderStackWatch?.reset()
    noteSign()
    restart(.powerOn)
    output.events += [.poweredOn(reason), .executionBegan]
  }

  /// The chip went to System OFF, from which only power wakes it.
  private mutating func switchItselfOff() {
    output.events.append(.executionSwitchedOff)
    switchOff(.switchedOff)
  }

  /// Power is gone.
  mutating func switchOff(_ reason: PowerOffReason) {
    guard isOn else { return }
    noteAnnounced()
    isOn = false
    isHalted = false
    poweredCycles += processor.cycles - poweredSince
    softDevice.losePower(&processor, at: processor.cycles)
    loseFlashWork()
    failingOperation = nil
    powerFailure = nil
    endConsoleLine()
    board.losePower()
    board.failPower(afterStorageOperations: nil)
    completions.removeAll()
    softDevice.reset()
    output.silencesController = true
    output.requests.removeAll()
    output.events.append(.poweredOff(reason))
  }

  /// The chip resets: RAM stays as it is, everything else begins anew.
  mutating func reset(_ reason: ResetReason) {
    noteAnnounced()
    restart(reason)
    output.silencesController = true
    output.requests.removeAll()
    idleResets += 1
    guard idleResets >= Self.resetLimit else { return }
    note(.resetsForEver)
    isHalted = true
  }

  private mutating func restart(_ reason: ResetReason) {
    board.reset(reason)
    softDevice.reset()
    completions.removeAll()
    isSleeping = false
    startProcessor()
  }

  /// Gives the chip new RAM; flash keeps what it holds.
  private mutating func forgetRAM() {
    processor.memory.clearRAM()
    processor.watchesUnwrittenReads = true
    seenUnwrittenReads = 0
    watchEnd = processor.cycles + Self.watchTime
  }
}
