import Board
import Bytes
import DictofunProtocol
import FirmwareImages
import HostStack
import Processor
import Recorder
import Testing
import Timeline

@testable import ImageRecorder

/// A guest of a few instructions behind a vector table, as an Intel HEX file for the board with S140.
private struct Guest {
  /// Thumb instructions from the reset vector on.
  var code: [UInt16]

  private static let start: UInt32 = 0x27000
  private static let tableLength = 64

  var image: FirmwareImage {
    get throws {
      var octets: [UInt8] = []
      func put(_ word: UInt32) { octets += (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      put(0x2004_0000)
      // Reset and every fault begin at the same place.
      for _ in 1..<(Self.tableLength / 4) { put(Self.start + UInt32(Self.tableLength) | 1) }
      for instruction in code { octets += [UInt8(truncatingIfNeeded: instruction), UInt8(instruction >> 8)] }
      var lines = [Self.record(4, 0, [0, 2])]
      for offset in stride(from: 0, to: octets.count, by: 16) {
        lines.append(Self.record(0, UInt16(0x7000 + offset), Array(octets[offset..<min(offset + 16, octets.count)])))
      }
      return try FirmwareImage(Array((lines + [":00000001FF"]).joined(separator: "\n").utf8), name: "guest.hex")
    }
  }

  private static func record(_ kind: UInt8, _ address: UInt16, _ data: [UInt8]) -> String {
    var octets = [UInt8(data.count), UInt8(address >> 8), UInt8(truncatingIfNeeded: address), kind] + data
    octets.append(0 &- octets.reduce(0, &+))
    return ":" + Hexadecimal.string(octets)
  }
}

/// A recorder whose timers are let run out, with what came of it.
private struct Watched {
  var recorder: ExecutedRecorder
  var steps = 0
  var outputs: [RecorderOutput] = []
  private var due: Instant?

  init(_ recorder: ExecutedRecorder) { self.recorder = recorder }

  mutating func take(_ control: RecorderControl, at instant: Instant) {
    while let next = due, next < instant {
      due = nil
      steps += 1
      recorder.timerFired(0, at: next)
      settle(at: next)
    }
    recorder.take(control, at: instant)
    settle(at: instant)
  }

  private mutating func settle(at instant: Instant) {
    var output = RecorderOutput()
    recorder.drain(&output)
    if output != RecorderOutput() { outputs.append(output) }
    var timers: [RecorderTimer] = []
    recorder.arm(&timers, at: instant)
    for timer in timers { due = timer.due }
  }
}

@Suite struct ExecutedRecorderTests {
  private static func recorder(_ code: [UInt16]) throws -> ExecutedRecorder {
    let program = try ImageProgram(try Guest(code: code).image, on: .s140)
    return ExecutedRecorder(program, RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random)))
  }

  /// Presses the button, and lets as much time pass.
  private static func run(_ recorder: inout ExecutedRecorder, milliseconds: UInt64) -> RecorderOutput {
    recorder.take(.pressButton, at: .zero)
    recorder.timerFired(0, at: Instant(nanoseconds: milliseconds * 1_000_000))
    var output = RecorderOutput()
    recorder.drain(&output)
    return output
  }

  @Test func aGuestWithoutTheLatchLosesItsPowerWithTheButton() throws {
    var recorder = try Self.recorder([0xE7FE])
    #expect(Self.run(&recorder, milliseconds: 5).events == [.poweredOn(.button), .executionBegan])
    recorder.take(.releaseButton, at: Instant(nanoseconds: 6_000_000))
    var output = RecorderOutput()
    recorder.drain(&output)
    #expect(output.events == [.poweredOff(.switchedOff)])
    #expect(output.silencesController)
    #expect(!recorder.isOn)
  }

  /// `movs r0, #0; str r0, [r0]`: the address of a null pointer is in flash.
  @Test func aWriteThroughANullPointerIsNamed() throws {
    var recorder = try Self.recorder([0x2000, 0x6000, 0xE7FE])
    _ = Self.run(&recorder, milliseconds: 1)
    guard case .fault(let fault) = recorder.findings.first else {
      Issue.record("\(recorder.findings)")
      return
    }
    #expect(fault.kind == .writeReadOnly)
    #expect(fault.address == 0)
    #expect(fault.programCounter == 0x27042)
  }

  /// `svc #0xfe`: no SoftDevice has such a call.
  @Test func anUnknownCallIsALimitationThatIsTold() throws {
    var recorder = try Self.recorder([0xDFFE, 0xE7FE])
    _ = Self.run(&recorder, milliseconds: 1)
    #expect(recorder.findings == [.softDevice(.unknownCall(0xFE), address: 0x27042)])
    #expect(recorder.findings.allSatisfy { $0.isLimitation })
  }

  /// `ldr r0, =0x40010000; movs r1, #0x20; str r1, [r0, #0x504]; movs r1, #1; str r1, [r0]; b .`: the watchdog starts with a
  /// millisecond and is never fed.
  @Test func aWatchdogThatIsNotFedResets() throws {
    var recorder = try Self.recorder([
      0x4803, 0x2120, 0xF8C0, 0x1504, 0x2101, 0x6001, 0xE7FE, 0x0000, 0x0000, 0x4001,
    ])
    let output = Self.run(&recorder, milliseconds: 3_000)
    #expect(recorder.findings.contains { if case .watchdog = $0 { true } else { false } })
    #expect(output.silencesController)
  }

  /// `b .`, without a watchdog.
  @Test func anImageThatRunsInCirclesIsHalted() throws {
    var recorder = try Self.recorder([0xE7FE])
    _ = Self.run(&recorder, milliseconds: 9_900)
    #expect(recorder.findings.isEmpty)
    recorder.timerFired(0, at: Instant(nanoseconds: 10_100_000_000))
    #expect(recorder.findings == [.stuck(address: 0x27040)])
    var timers: [RecorderTimer] = []
    recorder.arm(&timers, at: Instant(nanoseconds: 10_100_000_000))
    #expect(timers.allSatisfy { $0.due == nil })
    // Power off and on starts it again.
    recorder.take(.releaseButton, at: Instant(nanoseconds: 10_200_000_000))
    recorder.take(.pressButton, at: Instant(nanoseconds: 10_300_000_000))
    recorder.arm(&timers, at: Instant(nanoseconds: 10_300_000_000))
    #expect(timers.contains { $0.due != nil })
  }

  /// `mrs r0, ipsr; cbnz r0, .+4; bkpt #7; b .`: without a debugger a breakpoint is a hard fault, and no reset.
  @Test func aBreakpointIsToldAndGoesToTheHandlerOfHardFault() throws {
    var recorder = try Self.recorder([0xF3EF, 0x8005, 0xB900, 0xBE07, 0xE7FE])
    _ = Self.run(&recorder, milliseconds: 10)
    #expect(recorder.findings == [.breakpoint(7, address: 0x27046)])
    #expect(recorder.processor.exceptionNumber == 3)
  }

  /// `movs r0, #0; ldr r1, =0x27000; svc #0x10; movs r0, #0x40; msr basepri, r0; svc #0x4B`: an enabled SoftDevice cannot
  /// be called where BASEPRI holds its priority back, as in a critical section of FreeRTOS.
  @Test func aCallInACriticalSectionIsAFault() throws {
    var recorder = try Self.recorder([
      0x2000, 0x4903, 0xDF10, 0x2040, 0xF380, 0x8811, 0xDF4B, 0xE7FE, 0x7000, 0x0002,
    ])
    _ = Self.run(&recorder, milliseconds: 1)
    let fault = ProcessorFault(.supervisorCallEscalated, programCounter: 0x2704C, address: 0x4B)
    #expect(recorder.findings.first == .fault(fault))
  }

  /// The watchdog is started for a millisecond, to pause while the processor sleeps, and `wfi` follows.
  @Test func aWatchdogThatPausesLetsTheProcessorSleep() throws {
    var recorder = try Self.recorder([
      0x4805, 0x2100, 0xF8C0, 0x150C, 0x2120, 0xF8C0, 0x1504, 0x2101, 0x6001, 0xBF30, 0xE7FD, 0x0000, 0x0000, 0x4001,
    ])
    _ = Self.run(&recorder, milliseconds: 100)
    #expect(recorder.findings == [])
  }

  /// `udf #0`, at which every handler begins too.
  @Test func aChipThatIsResetForEverIsHalted() throws {
    var recorder = try Self.recorder([0xDE00])
    let output = Self.run(&recorder, milliseconds: 10)
    #expect(recorder.findings.contains(.lockup))
    #expect(recorder.findings.last == .resetsForEver)
    #expect(output.silencesController)
    let told = output.events.compactMap { event -> ProgramFinding.Kind? in
      if case .executionFound(let finding) = event { finding.kind } else { nil }
    }
    #expect(told == [.wildExecution, .lockup, .stuck])
  }

  /// `movs r0, #0x80; lsls r0, r0, #12; adr r1, ...; movs r2, #1; svc #0x29; b .`: a word is written to 0x80000 while no
  /// SoftDevice is enabled, which takes no time.
  @Test func whatTheImageWritesOutlivesItsPower() throws {
    var recorder = try Self.recorder([0x2080, 0x0300, 0x4901, 0x2201, 0xDF29, 0xE7FE, 0x7000, 0x0002])
    _ = Self.run(&recorder, milliseconds: 1)
    recorder.take(.releaseButton, at: Instant(nanoseconds: 2_000_000))
    let flash = try #require(recorder.chipFlash)
    #expect(Array(flash[0x80000..<0x80004]) == [0x00, 0x00, 0x04, 0x20])
    var configuration = RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random))
    configuration.chipFlash = flash
    let program = try ImageProgram(try Guest(code: [0xE7FE]).image, on: .s140)
    #expect(ExecutedRecorder(program, configuration).chipFlash == flash)
  }

  /// The same with the SoftDevice enabled, which writes when the radio leaves it time: power fails in the middle.
  @Test func powerFailsInTheMiddleOfAWriteToTheChipsFlash() throws {
    let code: [UInt16] = [
      0x2000, 0x4903, 0xDF10, 0x2080, 0x0300, 0x4902, 0x2201, 0xDF29, 0xE7FE, 0x0000, 0x7000, 0x0002,
    ]
    var recorder = try Self.recorder(code)
    recorder.failPower(atFlashOperation: 0)
    let output = Self.run(&recorder, milliseconds: 10)
    #expect(output.events.last == .poweredOff(.cut))
    #expect(recorder.flashOperationCount == 1)
    #expect(try #require(recorder.chipFlash)[0x80000..<0x80004].allSatisfy { $0 == 0xFF })
    var spared = try Self.recorder(code)
    spared.failPower(atFlashOperation: 1)
    _ = Self.run(&spared, milliseconds: 10)
    #expect(spared.isOn)
    #expect(try #require(spared.chipFlash)[0x80000..<0x80004].elementsEqual([0x00, 0x00, 0x04, 0x20]))
  }

  /// `ldr r0, =0xE000E200; movs r1, #1; str r1, [r0]; wfi; b .`: an interrupt that is pending, but not enabled, wakes nobody.
  @Test func aDisabledInterruptWakesNobody() throws {
    var guest = Watched(try Self.recorder([0x4801, 0x2101, 0x6001, 0xBF30, 0xE200, 0xE000]))
    guest.take(.pressButton, at: .zero)
    guest.take(.holdRail, at: Instant(nanoseconds: 60_000_000_000))
    #expect(guest.steps < 3)
    #expect(guest.recorder.processor[register: 15] == 0x27048)
  }

  /// Without its flash a covered recorder could not be paired before a scenario begins.
  @Test func aCoveredRecorderTellsWhatItsChipHolds() throws {
    let program = try ImageProgram(try Guest(code: [0xE7FE]).image, on: .s140)
    let covered = program.recorderProgram(named: "guest", telling: CoverageLedger())
    let configuration = RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random))
    #expect(covered.machine(configuration).chipFlash == ExecutedRecorder(program, configuration).chipFlash)
    #expect(covered.machine(configuration).chipFlash?.count == 1 << 20)
  }

  /// The same inputs lead to the same machine, in one step or in many.
  @Test func stepsDoNotMatter() throws {
    var whole = try Self.recorder([0x3001, 0xE7FD])
    var pieces = whole
    _ = Self.run(&whole, milliseconds: 20)
    pieces.take(.pressButton, at: .zero)
    for millisecond in UInt64(1)...20 { pieces.timerFired(0, at: Instant(nanoseconds: millisecond * 1_000_000)) }
    #expect(whole.processor == pieces.processor)
    #expect(whole.processor[register: 0] > 100_000)
  }

  /// Counts the ticks of RTC1 in an interrupt (PRESCALER 31, vector 33), works longer after each tick, sends the count
  /// through UARTE0, and spins until the next tick.
  private static let ticking: [UInt16] = [
    0x4819, 0x221F, 0xF8C0, 0x2508, 0x2101, 0xF8C0, 0x1304, 0x4B17, 0x044A, 0x601A, 0x2420, 0x0624, 0x2600, 0x6026,
    0x4F14, 0xF8C7, 0x4544, 0x2204, 0xF8C7, 0x2548, 0x6001, 0xE00D, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00,
    0xBF00, 0xBF00, 0xBF00, 0xBF00, 0x0000, 0x0000, 0x709B, 0x0002, 0x6825, 0x42B5, 0xD0FC, 0x462E, 0x01EA, 0x3A01,
    0xD5FD, 0x60B9, 0xE7F6, 0x2300, 0xF8C0, 0x3100, 0x6823, 0x3301, 0x6023, 0x4770, 0x1000, 0x4001, 0xE100, 0xE000,
    0x2000, 0x4000,
  ]

  /// An idle image is left alone, and nobody can tell.
  @Test func stepsThatAreLeftOutChangeNothing() throws {
    var skipping = Watched(try Self.recorder(Self.ticking))
    var stepping = skipping
    stepping.recorder.processor.settings.skipsSpinning = false
    for microseconds in [1, 777, 20_000, 20_050, 61_234, 150_000] as [UInt64] {
      let control = RecorderControl.setBattery(millivolts: 3000 + Int(microseconds % 1000))
      for control in microseconds == 1 ? [.holdRail, control] : [control] {
        skipping.take(control, at: Instant(nanoseconds: microseconds * 1000))
        stepping.take(control, at: Instant(nanoseconds: microseconds * 1000))
      }
      var processor = stepping.recorder.processor
      processor.settings.skipsSpinning = true
      #expect(skipping.recorder.processor == processor)
      #expect(skipping.recorder.board == stepping.recorder.board)
      #expect(skipping.recorder.console == stepping.recorder.console)
      #expect(skipping.outputs == stepping.outputs)
    }
    #expect(skipping.recorder.console.count > 400)
    #expect(skipping.recorder.findings == [])
    #expect(stepping.steps > 1400)
    #expect(skipping.steps < 900)
  }

  @Test func placedRecordsAreFoundAgain() throws {
    var recorder = try Self.recorder([0xE7FE])
    let records = try (1...3).map { number in
      PlacedRecord(
        identifier: try #require(RecordIdentifier("000024010112000\(number)")),
        content: Array(repeating: UInt8(number), count: 300 * number))
    }
    for record in records { recorder.take(.placeRecord(record), at: .zero) }
    #expect(recorder.inspect(at: .zero).records == records)
    recorder.take(.eraseRecords, at: .zero)
    #expect(recorder.inspect(at: .zero).records == [])
  }

  @Test func anImageOfAnotherBoardIsRefused() throws {
    let image = try Guest(code: [0xE7FE]).image
    #expect(throws: ImageFailure.self) { try ImageProgram(image, on: .s132) }
    #expect(ImageProgram.board(for: image) == .s140)
  }
}
