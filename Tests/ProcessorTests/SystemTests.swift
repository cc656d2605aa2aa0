import Processor
import Testing

private let spin: [UInt16] = [0xE7FE]

@Suite struct SystemTests {
  /// Code that starts in main, registers to set, and the fault that must follow with the address it names.
  static let faults: [(code: [UInt16], registers: [Int: UInt32], kind: ProcessorFault.Kind, address: UInt32?)] = [
    ([0x6801], [0: 0x3000_0000], .readUnmapped, 0x3000_0000),
    ([0x6001], [0: 0x3000_0000], .writeUnmapped, 0x3000_0000),
    ([0x6001], [0: 0x44], .writeReadOnly, 0x44),
    ([0x6801], [0: 0x4000_0002], .unaligned, 0x4000_0002),
    ([0xE850, 0x1F00], [0: 0x2000_0002], .unaligned, 0x2000_0002),
    ([0xE9D0, 0x1200], [0: 0x2000_0002], .unaligned, 0x2000_0002),
    ([0x4700], [0: 0x3000_0001], .executeUnmapped, 0x3000_0000),
    ([0x4700], [0: 0x4000_0001], .executeNever, 0x4000_0000),
    ([0x4700], [0: 0x100], .invalidState, 0x100),
    ([0xDE00], [:], .undefined, 0xDE00),
    ([0xBF18, 0xBF18], [:], .unpredictable, 0xBF18),
    ([0xEEB7, 0x0A00], [:], .noCoprocessor, nil),
    ([0xEE00, 0x0000], [:], .noCoprocessor, nil),
  ]

  @Test(arguments: faults.indices) func whatTheArchitectureForbidsIsATypedStop(_ index: Int) throws {
    let (code, registers, kind, address) = Self.faults[index]
    var guest = try Guest(code + spin)
    for register in 0..<13 { guest[register] = registers[register] ?? 0 }
    let stop = guest.step(4)
    guard case .fault(let fault) = stop else {
      Issue.record("\(stop)")
      return
    }
    #expect(fault.kind == kind)
    #expect(fault.address == address)
    #expect(guest.step(4) == stop)
  }

  @Test func deliveredFaultsReachHardFaultAndThenLockUp() throws {
    // udf, and a hard fault handler that does the same
    var guest = try Guest([0xBF00, 0xDE00], handlers: [3: [0xDE01]])
    #expect(guest.step(5) == .fault(ProcessorFault(.undefined, programCounter: Guest.main + 2, address: 0xDE00)))
    guest.processor.deliverFault()
    #expect(guest.step(0) == .limit)
    #expect(guest.processor.exceptionNumber == 3)
    #expect(try guest.word(guest[13] + 24) == Guest.main + 2)
    #expect(guest.step(5) == .fault(ProcessorFault(.undefined, programCounter: Guest.handler(3), address: 0xDE01)))
    guest.processor.deliverFault()
    #expect(guest.step(5) == .lockup)
    #expect(guest.step(5) == .lockup)
  }

  @Test func sleepLastsUntilThereIsAReason() throws {
    // wfe; sev; wfe; wfi; adds r0, #1
    var guest = try Guest([0xBF20, 0xBF40, 0xBF20, 0xBF30, 0x3001] + spin, handlers: [16: [0x4770]])
    #expect(guest.step(9) == .waitForEvent)
    #expect(guest.processor.cycles == 1)
    #expect(guest.step(9) == .waitForEvent)
    #expect(guest.processor.endsSleep == false)
    guest.processor.setEvent()
    #expect(guest.processor.endsSleep == true)
    #expect(guest.step(9) == .waitForInterrupt)
    #expect(guest.processor.cycles == 4)
    guest.processor.skip(to: 1000)
    #expect(guest.step(9) == .waitForInterrupt)
    guest.processor.setPending(interrupt: 0)
    #expect(guest.processor.endsSleep == false)
    guest.interrupt(0, priority: 4)
    #expect(guest.processor.endsSleep == true)
    #expect(guest.step(2) == .limit)
    #expect(guest.processor.endsSleep == nil)
    #expect(guest[0] == 1)
    #expect(guest.processor.cycles == 1002)
  }

  @Test func sysTickComesAfterItsReloadValue() throws {
    // str r1, [r0, #4] (reload); str r2, [r0, #8] (value); str r3, [r0] (control); spin. The handler counts in r7.
    var guest = try Guest([0x6041, 0x6082, 0x6003] + spin, handlers: [15: [0x3701, 0x4770]])
    (guest[0], guest[1], guest[3], guest[7]) = (0xE000_E010, 99, 7, 0)
    guest.step(3)
    let due = try #require(guest.processor.nextDue)
    #expect(due == 2 + 100)
    #expect(guest.processor.run(until: 2 + 100 * 10 + 5, bus: &guest.bus) == .limit)
    #expect(guest[7] == 10)
  }

  @Test func theCycleCounterCountsWhereItIsEnabled() throws {
    // ldr r4, [r0]; orr: str r1, [r3] (DEMCR); str r2, [r0, #-4] (CTRL); nop; ldr r5, [r0]; ldr r6, [r0]
    let code: [UInt16] = [0x6804, 0x6019, 0xF840, 0x2C04, 0xBF00, 0x6805, 0x6806] + spin
    var guest = try Guest(code)
    (guest[0], guest[1], guest[2], guest[3]) = (0xE000_1004, 1 << 24, 1, 0xE000_EDFC)
    guest.step(6)
    #expect(guest[4] == 0)
    #expect(guest[5] == 2)
    #expect(guest[6] == 3)
  }

  @Test func anExceptionClearsTheExclusiveMonitor() throws {
    // ldrex r1, [r0]; strex r2, r1, [r0]; strex r3, r1, [r0]
    let code: [UInt16] = [0xE850, 0x1F00, 0xE840, 0x1200, 0xE840, 0x1300] + spin
    for isInterrupted in [false, true] {
      var guest = try Guest(code, handlers: [16: [0x4770]])
      guest[0] = 0x2000_0000
      guest.step(1)
      if isInterrupted { guest.interrupt(0, priority: 1) }
      guest.step(4)
      #expect(guest[2] == (isInterrupted ? 1 : 0))
      #expect(guest[3] == 1)
    }
  }

  @Test func anInterruptInsideAnITBlockComesBackIntoIt() throws {
    // cmp r0, r0; ittte eq; adds r1, #1; adds r2, #1; adds r3, #1; adds r4, #1
    let code: [UInt16] = [0x4280, 0xBF03, 0x3101, 0x3201, 0x3301, 0x3401] + spin
    for pause in 1...7 as ClosedRange<UInt64> {
      var guest = try Guest(code, handlers: [16: [0x4289, 0x4770]])
      for register in 1...4 { guest[register] = 0 }
      guest.step(pause)
      guest.interrupt(0, priority: 1)
      guest.step(12)
      #expect((1...4).map { guest[$0] } == [1, 1, 1, 0])
    }
  }

  @Test func theBusSeesCyclesAndMayAskForAttention() throws {
    // nop; str r1, [r0]; ldrb r2, [r0, #7]; strh r1, [r0, #4]; adds r3, #1
    var guest = try Guest([0xBF00, 0x6001, 0x79C2, 0x8081, 0x3301] + spin)
    (guest[0], guest[1], guest[3]) = (0x4000_0000, 0x1234_5678, 0)
    guest.bus.attentionAddress = 0x4000_0004
    #expect(guest.step(50) == .attention)
    #expect(guest.processor.cycles == 4)
    #expect(guest[3] == 0)
    #expect(guest[2] == 7)
    #expect(
      guest.bus.accesses == [
        .init(address: 0x4000_0000, width: .word, value: 0x1234_5678, cycle: 1),
        .init(address: 0x4000_0007, width: .byte, value: nil, cycle: 2),
        .init(address: 0x4000_0004, width: .halfword, value: 0x5678, cycle: 3),
      ])
  }

  /// `str r1, [r0]` to STIR.
  @Test func anInterruptIsTriggeredThroughSTIR() throws {
    var guest = try Guest([0x6001] + spin)
    (guest[0], guest[1]) = (0xE000_EF00, 20)
    guest.step(1)
    #expect(guest.processor.isPending(interrupt: 20))
  }

  /// `str r1, [r0]` to MPU_CTRL and ITM, to VTOR and DHCSR: the bus is told of registers that are not modelled.
  @Test(
    arguments: [(0xE000_ED94, true), (0xE000_0000, true), (0xE000_ED08, false), (0xE000_EDF0, false)]
      as [(UInt32, Bool)])
  func theBusIsToldOfRegistersThatAreNotThere(_ address: UInt32, isTold: Bool) throws {
    var guest = try Guest([0x6001] + spin)
    (guest[0], guest[1]) = (address, 0)
    #expect(guest.step(2) == .limit)
    #expect(guest.bus.refused == (isTold ? [address] : []))
  }

  @Test func aResetIsAskedForThroughAIRCR() throws {
    var guest = try Guest([0x6001] + spin)
    (guest[0], guest[1]) = (0xE000_ED0C, 0x05FA_0004)
    #expect(guest.step(5) == .systemReset)
  }

  @Test func nonsenseInTheVectorTableEndsTheFirstRun() throws {
    var guest = try Guest(spin)
    guest.processor.reset(vectorTable: 0x3000_0000)
    guard case .fault(let fault) = guest.step() else {
      Issue.record("no fault")
      return
    }
    #expect(fault.kind == .vector)
  }

  @Test func executingDataIsReportedAndMayBeAFault() throws {
    for stops in [false, true] {
      var guest = try Guest([0x4700], settings: .init(stopsAtDataExecution: stops))
      guest[0] = 0x2000_0101
      try guest.processor.memory.write([0x01, 0x31, 0xFE, 0xE7], at: 0x2000_0100)
      guest[1] = 0
      let stop = guest.step(4)
      if stops {
        #expect(stop == .fault(ProcessorFault(.executeData, programCounter: 0x2000_0100, address: 0x2000_0100)))
      } else {
        #expect(stop == .limit)
        #expect(guest[1] == 1)
        #expect(guest.processor.firstDataExecution == 0x2000_0100)
      }
    }
  }
}
