import Processor
import Testing

private let back: [UInt16] = [0x4770]
private let spin: [UInt16] = [0x3001, 0xE7FD]

@Suite struct ExceptionTests {
  @Test func anInterruptStacksEightWordsAndReturns() throws {
    var guest = try Guest(spin, handlers: [19: back])
    for register in 0..<13 { guest[register] = UInt32(register) * 3 }
    guest.processor.applicationStatus = 0xA80F_0000
    guest.interrupt(3, priority: 2)
    guest.step(0)
    let before = guest.processor
    guest.step(1)
    var entered = before
    #expect(entered.run(until: entered.cycles, bus: &guest.bus) == .limit)
    #expect(entered.exceptionNumber == 19)
    #expect(entered.programCounter == Guest.handler(19))
    #expect(entered[register: 14] == 0xFFFF_FFF9)
    let frame = Guest.stack - 32
    #expect(entered[register: 13] == frame)
    for (index, value) in [0, 3, 6, 9, 36, 0xFFFF_FFFF, Guest.main, 0xA90F_0000].enumerated() {
      #expect(try entered.memory.readWord(frame + UInt32(index) * 4) == value)
    }
    #expect(!entered.isPending(interrupt: 3))
    guest.step(0)
    #expect(guest.processor.exceptionNumber == 0)
    #expect(guest[13] == Guest.stack)
    #expect(guest[14] == 0xFFFF_FFFF)
    #expect(guest.processor.programStatus == 0xA90F_0000)
    #expect(guest.processor.cycles == 1)
  }

  @Test func aFrameIsAlignedToEightAndRemembersIt() throws {
    var guest = try Guest(spin, handlers: [16: back])
    guest[13] = Guest.stack - 4
    guest.interrupt(0, priority: 1)
    guest.step(0)
    #expect(guest[13] == Guest.stack - 40)
    #expect(try guest.word(guest[13] + 28) & 0x200 != 0)
    guest.step(1)
    guest.step(0)
    #expect(guest[13] == Guest.stack - 4)
    #expect(guest.processor.programStatus & 0x200 == 0)
  }

  @Test func threadsOnTheProcessStackComeBackToIt() throws {
    // msr psp, r0; movs r1, #2; msr control, r1; spin
    var guest = try Guest([0xF380, 0x8809, 0x2102, 0xF381, 0x8814] + spin, handlers: [16: back])
    guest[0] = 0x2000_0800
    guest.step(3)
    #expect(guest[13] == 0x2000_0800)
    #expect(guest.processor.mainStack == Guest.stack)
    guest.interrupt(0, priority: 1)
    guest.step(0)
    #expect(guest[14] == 0xFFFF_FFFD)
    #expect(guest[13] == Guest.stack)
    #expect(guest.processor.processStack == 0x2000_0800 - 32)
    guest.step(1)
    guest.step(0)
    #expect(guest[13] == 0x2000_0800)
    #expect(guest.processor.control == 2)
  }

  @Test(arguments: [0xFFFF_FFE9, 0xFFFF_FFED] as [UInt32]) func floatingPointContextsTake26Words(_ link: UInt32) throws
  {
    // vmov.f32 s0, #1.0; spin; the handler writes s0 and s15 and returns
    let onProcessStack = link & 4 != 0
    let start: [UInt16] = [0xF380, 0x8809, 0xF381, 0x8814, 0xEEB7, 0x0A00]
    let handler: [UInt16] = [0xEEB0, 0x0A00, 0xEEF0, 0x7A00, 0x4770]
    var guest = try Guest(start + spin, handlers: [16: handler])
    guest.processor.enableFloatingPoint()
    guest[0] = 0x2000_0800
    guest[1] = onProcessStack ? 2 : 0
    guest.processor[single: 15] = 0x1234_5678
    guest.processor.floatingPointStatus = 0x3000_0001
    guest.step(3)
    #expect(guest.processor.control == (onProcessStack ? 6 : 4))
    let old = guest[13]
    guest.processor.floatingPointStatus = 0x3000_0001
    guest.interrupt(0, priority: 1)
    guest.step(0)
    #expect(guest[14] == link)
    #expect(guest.processor.control == 0)
    let frame = old - 0x68
    #expect(try guest.word(frame + 32) == 0x3F80_0000)
    #expect(try guest.word(frame + 32 + 60) == 0x1234_5678)
    #expect(try guest.word(frame + 96) == 0x3000_0001)
    guest.step(2)
    #expect(guest.processor.control == 4)
    #expect(guest.processor[single: 0] != 0x3F80_0000)
    guest.step(1)
    guest.step(0)
    #expect(guest.processor.control == (onProcessStack ? 6 : 4))
    #expect(guest.processor[single: 0] == 0x3F80_0000)
    #expect(guest.processor[single: 15] == 0x1234_5678)
    #expect(guest.processor.floatingPointStatus == 0x3000_0001)
    #expect(guest[13] == old)
  }

  @Test(arguments: [false, true]) func nestedHandlersReturnToTheirHandler(_ hasFloats: Bool) throws {
    let slow: [UInt16] = hasFloats ? [0xEEB7, 0x0A00, 0xBF00, 0x4770] : [0xBF00, 0xBF00, 0x4770]
    var guest = try Guest(spin, handlers: [16: slow, 17: back, 18: back])
    guest.processor.enableFloatingPoint()
    guest.interrupt(0, priority: 3)
    guest.step(1)
    #expect(guest.processor.exceptionNumber == 16)
    guest.interrupt(2, priority: 3)
    guest.interrupt(1, priority: 1)
    guest.step(0)
    #expect(guest.processor.exceptionNumber == 17)
    #expect(guest[14] == (hasFloats ? 0xFFFF_FFE1 : 0xFFFF_FFF1))
    guest.step(1)
    guest.step(0)
    // Equal priority does not preempt: interrupt 2 waits until 0 is done, and then follows without an instruction between.
    #expect(guest.processor.exceptionNumber == 16)
    guest.step(2)
    guest.step(0)
    #expect(guest.processor.exceptionNumber == 18)
    guest.step(1)
    guest.step(0)
    #expect(guest.processor.exceptionNumber == 0)
    #expect(guest[13] == Guest.stack)
    #expect(guest[0] == 0)
  }

  @Test func masksHoldInterruptsBack() throws {
    // msr basepri, r0; msr basepri_max, r1; msr basepri_max, r2; cpsid i; cpsie i; spin
    let code: [UInt16] = [0xF380, 0x8811, 0xF381, 0x8812, 0xF382, 0x8812, 0xB672, 0xB662] + spin
    var guest = try Guest(code, handlers: [16: back])
    (guest[0], guest[1], guest[2]) = (0x80, 0xA0, 0x60)
    guest.step(1)
    #expect(guest.processor.basepri == 0x80)
    guest.step(1)
    #expect(guest.processor.basepri == 0x80)
    guest.step(1)
    #expect(guest.processor.basepri == 0x60)
    guest.interrupt(0, priority: 3)
    guest.step(0)
    #expect(guest.processor.exceptionNumber == 0)
    guest.processor.setPriority(2, ofInterrupt: 0)
    guest.processor.clearPending(interrupt: 0)
    guest.step(1)
    guest.processor.setPending(interrupt: 0)
    guest.step(0)
    #expect(guest.processor.primask == 1)
    #expect(guest.processor.exceptionNumber == 0)
    guest.step(1)
    #expect(guest.processor.exceptionNumber == 16)
  }

  @Test func pendSVIsTakenRightBehindTheWriteThatLetsItIn() throws {
    // str r1, [r0]; adds r2, #1; then the same with BASEPRI and with PRIMASK in between
    let write: [UInt16] = [0x6001, 0x3201]
    let basepri: [UInt16] = [0xF383, 0x8811, 0x6001, 0x3201, 0xF384, 0x8811, 0x3201]
    let primask: [UInt16] = [0xB672, 0x6001, 0x3201, 0xB662, 0x3201]
    for (code, expected) in [(write, 0), (basepri, 1), (primask, 1)] as [([UInt16], UInt32)] {
      // The handler copies r2 to r5.
      var guest = try Guest(code + spin, handlers: [14: [0x0015, 0x4770]])
      (guest[0], guest[1], guest[3], guest[4], guest[5]) = (0xE000_ED04, 1 << 28, 0x20, 0, 99)
      guest.setHandlerPriority(14, 7)
      guest.step(20)
      #expect(guest[5] == expected)
    }
  }

  @Test func supervisorCallsBelowTheHostsGoToTheGuest() throws {
    var guest = try Guest([0xDF00, 0xDF41] + spin, handlers: [11: back])
    guest.step(1)
    #expect(guest.step(0) == .limit)
    #expect(guest.processor.exceptionNumber == 11)
    #expect(guest.step(10) == .supervisorCall(0x41))
    #expect(guest.processor.programCounter == Guest.main + 4)
    #expect(guest.processor.cycles == 3)
    guest[0] = 7
    #expect(guest.step(1) == .limit)
    #expect(guest[0] == 8)
  }

  /// `cpsid i` or `cpsid f`, then `svc #0x41`: the call would have to be an exception.
  @Test(arguments: [0xB672, 0xB671] as [UInt16]) func noCallGetsThroughWithInterruptsOff(_ mask: UInt16) throws {
    var guest = try Guest([mask, 0xDF41] + spin)
    guest.step(1)
    #expect(
      guest.step(1) == .fault(ProcessorFault(.supervisorCallEscalated, programCounter: Guest.main + 2, address: 0x41)))
  }

  /// With SVCall at priority 4, as an enabled SoftDevice has it, no call gets through where BASEPRI holds 4 back.
  @Test(arguments: [0x20, 0x40, 0x80, 0xA0, 0xE0] as [UInt32])
  func noCallGetsThroughBesideWhatHoldsItBack(_ basepri: UInt32) throws {
    // msr basepri, r0; svc #0x41
    var guest = try Guest([0xF380, 0x8811, 0xDF41] + spin)
    guest[0] = basepri
    guest.processor.supervisorCallPriority = 4
    guest.step(1)
    let fault = ProcessorFault(.supervisorCallEscalated, programCounter: Guest.main + 4, address: 0x41)
    #expect(guest.step(1) == (basepri <= 0x80 ? .fault(fault) : .supervisorCall(0x41)))
  }

  /// `svc #0x41` in an interrupt of this priority, and SVCall at priority 4.
  @Test(arguments: [2, 3, 4, 5, 7] as [UInt8]) func anUrgentInterruptCanMakeNoCall(_ priority: UInt8) throws {
    var guest = try Guest(spin, handlers: [16: [0xDF41, 0x4770]])
    guest.processor.supervisorCallPriority = 4
    guest.interrupt(0, priority: priority)
    let fault = ProcessorFault(.supervisorCallEscalated, programCounter: Guest.handler(16), address: 0x41)
    #expect(guest.step(1) == (priority <= 4 ? .fault(fault) : .supervisorCall(0x41)))
  }

  /// What HFSR says: FORCED for a call that was escalated, DEBUGEVT for a breakpoint without a debugger.
  @Test(arguments: [([0xB672, 0xDF00], 1 << 30), ([0xBF00, 0xBE07], 1 << 31)] as [([UInt16], UInt32)])
  func hardFaultSaysWhyItCame(_ code: [UInt16], _ status: UInt32) throws {
    // ldr r1, [r0]
    var guest = try Guest(code + spin, handlers: [3: [0x6801] + spin])
    guest[0] = 0xE000_ED2C
    if case .breakpoint = guest.step(2) {
      guest.processor.deliverBreakpoint()
    } else {
      guest.processor.deliverFault()
    }
    guest.step(1)
    #expect(guest.processor.exceptionNumber == 3)
    #expect(guest[1] == status)
    #expect(try guest.word(guest[13] + 24) == Guest.main + 2)
  }

  @Test func aBreakpointInTheHandlerOfHardFaultLocksUp() throws {
    var guest = try Guest([0xBE00], handlers: [3: [0xBE01]])
    for number in 0...1 as ClosedRange<UInt8> {
      #expect(guest.step(1) == .breakpoint(number))
      guest.processor.deliverBreakpoint()
    }
    #expect(guest.step(1) == .lockup)
  }

  /// The handler counts in r7 and leaves the line as it is: the program below it stands still.
  @Test func aLineThatStaysHighEntersItsHandlerAgain() throws {
    var guest = try Guest(spin, handlers: [16: [0x3701, 0x4770]])
    (guest[0], guest[7]) = (0, 0)
    guest.bus.interruptLines = 1
    guest.interrupt(0, priority: 1)
    guest.step(10)
    #expect(guest[7] == 5)
    #expect(guest[0] == 0)
    guest.bus.interruptLines = 0
    guest.step(10)
    #expect(guest.processor.exceptionNumber == 0)
    #expect(guest[0] > 0)
  }

  /// `str r1, [r2]` to ICPR.
  @Test(arguments: [0, 1] as [UInt64]) func aHighLineKeepsItsInterruptPending(_ lines: UInt64) throws {
    var guest = try Guest([0x6011] + spin)
    (guest[1], guest[2]) = (1, 0xE000_E280)
    guest.processor.setPending(interrupt: 0)
    guest.bus.interruptLines = lines
    guest.step(1)
    #expect(guest.processor.isPending(interrupt: 0) == (lines == 1))
  }

  @Test func aReturnThatFitsNothingIsAFault() throws {
    // The handler branches to 0xFFFFFFF5.
    var guest = try Guest(spin, handlers: [16: [0x4700]])
    guest[0] = 0xFFFF_FFF5
    guest.interrupt(0, priority: 1)
    guard case .fault(let fault) = guest.step(5) else {
      Issue.record("no fault")
      return
    }
    #expect(fault.kind == .invalidReturn)
    #expect(fault.address == 0xFFFF_FFF5)
  }

  @Test func aStackOutsideOfMemoryIsNamedWhenAnExceptionComes() throws {
    var guest = try Guest(spin, handlers: [16: back, 3: back])
    guest[13] = 0x2000_0010
    guest.interrupt(0, priority: 1)
    guard case .fault(let fault) = guest.step(5) else {
      Issue.record("no fault")
      return
    }
    #expect(fault.kind == .stacking)
    guest.processor.deliverFault()
    #expect(guest.step(0) == .limit)
    #expect(guest.processor.exceptionNumber == 3)
  }
}

extension Guest {
  /// Sets the priority of a system handler through SHPR, by a store of its own.
  mutating func setHandlerPriority(_ exception: Int, _ priority: UInt32) {
    var helper = processor
    helper.programCounter = 0x8000
    try? helper.memory.load([0x01, 0x70], at: 0x8000)  // strb r1, [r0]
    helper[register: 0] = 0xE000_ED18 + UInt32(exception - 4)
    helper[register: 1] = priority << 5
    var bus = bus
    _ = helper.run(until: helper.cycles + 1, bus: &bus)
    for register in [0, 1, 15] { helper[register: register] = processor[register: register] }
    processor = helper
  }
}
