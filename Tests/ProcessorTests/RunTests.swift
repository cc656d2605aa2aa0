import Processor
import Testing

@Suite struct RunTests {
  /// Counts in RAM for a while, then spins with pushes and pops that change nothing: what an idle task does.
  static let idle: [UInt16] = [
    0x2064,  // movs r0, #100
    0x4A08,  // ldr r2, [pc, #32]
    0x6813,  // loop: ldr r3, [r2]
    0x3301,  // adds r3, #1
    0x6013,  // str r3, [r2]
    0x3801,  // subs r0, #1
    0xD1FA,  // bne loop
    0xB41F,  // idle: push {r0-r4}
    0x6813,  // ldr r3, [r2]
    0x0018,  // movs r0, r3
    0xBC1F,  // pop {r0-r4}
    0x4280,  // cmp r0, r0
    0xD0F9,  // beq idle
    0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0x0000, 0x2000,
  ]

  @Test func skippingChangesNothing() throws {
    for limit in [1, 7, 500, 507, 508, 5000, 5001, 99_999, 1_000_003] as [UInt64] {
      var skipping = try Guest(Self.idle)
      var stepping = try Guest(Self.idle, settings: .init(skipsSpinning: false))
      #expect(skipping.processor.run(until: limit, bus: &skipping.bus) == .limit)
      #expect(stepping.processor.run(until: limit, bus: &stepping.bus) == .limit)
      #expect(skipping.processor.cycles == limit)
      stepping.processor.settings.skipsSpinning = true
      #expect(skipping.processor == stepping.processor)
      #expect(skipping.processor.coverage == stepping.processor.coverage)
    }
  }

  @Test func aSpinningLoopTakesNoTime() throws {
    var guest = try Guest(Self.idle)
    let limit: UInt64 = 1 << 50
    #expect(guest.processor.run(until: limit, bus: &guest.bus) == .limit)
    #expect(guest.processor.cycles == limit)
    #expect(guest.processor.isSpinning)
    #expect(guest.processor.executedInstructions < 10_000)
    #expect(try guest.word(0x2000_0000) == 100)
    // Known by now, the loop is seen after its first round.
    let before = guest.processor.executedInstructions
    guest.step(1 << 20)
    #expect(guest.processor.executedInstructions - before < 40)
  }

  @Test func anInterruptIsTakenInTheMiddleOfASkippedLoop() throws {
    // adds r4, #1; bx lr
    var skipping = try Guest([0xE7FE], handlers: [16: [0x3401, 0x4770]])
    var stepping = try Guest([0xE7FE], handlers: [16: [0x3401, 0x4770]], settings: .init(skipsSpinning: false))
    for count in [1, 1000, 33, 4096] as [UInt64] {
      skipping.step(count)
      stepping.step(count)
      #expect(skipping.processor.isSpinning == (count > 16))
      skipping.interrupt(0, priority: 1)
      stepping.interrupt(0, priority: 1)
    }
    stepping.processor.settings.skipsSpinning = true
    #expect(skipping.processor == stepping.processor)
    #expect(skipping[4] == 3)
  }

  @Test func aLoopThatTouchesTheOutsideIsNotSkipped() throws {
    // ldr r1, [r0]; b
    var guest = try Guest([0x6801, 0xE7FD])
    guest[0] = 0x4000_0000
    guest.step(2000)
    #expect(guest.bus.accesses.count == 1000)
    #expect(!guest.processor.isSpinning)
  }

  @Test func aRunInPiecesIsTheWholeRun() throws {
    var whole = try Guest(Self.idle)
    whole.step(700)
    for piece in 1...9 as ClosedRange<UInt64> {
      var guest = try Guest(Self.idle)
      while guest.processor.cycles < 700 { guest.step(min(piece, 700 - guest.processor.cycles)) }
      #expect(guest.processor == whole.processor)
    }
  }

  @Test func aCopyGoesOnAsTheOriginalWouldHave() throws {
    var original = try Guest(Self.idle)
    original.step(150)
    var copy = original
    let kept = original.processor
    original.step(333)
    #expect(copy.processor == kept)
    #expect(original.processor != kept)
    copy.step(333)
    #expect(copy.processor == original.processor)
    #expect(try kept.memory.readWord(0x2000_0000) != original.word(0x2000_0000))
  }

  @Test func storesGoToRAMThatWasCleared() throws {
    // adds r1, #1; str r1, [r0]; str r1, [r0, #4]; b main
    var guest = try Guest([0x3101, 0x6001, 0x6041, 0xE7FB])
    guest[0] = 0x2000_0000
    guest.step(5)
    guest.processor.memory.clearRAM()
    #expect(try guest.word(0x2000_0004) == 0)
    guest.step(1)
    #expect(try [guest.word(0x2000_0000), guest.word(0x2000_0004)] == [2, 0])
  }

  @Test func codeThatTheHostWritesIsExecuted() throws {
    var guest = try Guest([0x2001, 0xE7FD])
    guest.step(10)
    #expect(guest[0] == 1)
    try guest.processor.memory.load([0x02, 0x20], at: Guest.main)
    guest.step(10)
    #expect(guest[0] == 2)
    var fresh = try Guest([0x2002, 0xE7FD])
    fresh.step(10)
    #expect(guest.processor.memory == fresh.processor.memory || guest[0] == fresh[0])
  }

  @Test func coverageHoldsWhatWasExecutedAndNothingElse() throws {
    // b over; nop; over: bl f; b .; f: bx lr; nop
    var guest = try Guest([0xE000, 0xBF00, 0xF000, 0xF801, 0xE7FE, 0x4770, 0xBF00])
    guest.step(20)
    let covered = (0..<7).map { guest.processor.coverage.contains(Guest.main + $0 * 2) }
    #expect(covered == [true, false, true, true, true, true, false])
    #expect(guest.processor.coverage.count == 5)
  }

  @Test func readsOfUnwrittenRAMAreNotedOnce() throws {
    // ldr r1, [r0]; str r1, [r0]; ldr r1, [r0]; b .
    var guest = try Guest([0x6801, 0x6001, 0x6801, 0xE7FE])
    guest.processor.watchesUnwrittenReads = true
    guest[0] = 0x2000_0010
    guest.step(9)
    #expect(guest.processor.unwrittenReads.map(\.programCounter) == [Guest.main])
    #expect(guest.processor.unwrittenReads.map(\.address) == [0x2000_0010])
  }

  /// Random octets as code, in flash and in RAM: whatever they do, nothing but a stop comes of it.
  @Test(arguments: 0..<24) func randomOctetsNeverTrap(_ seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func draw() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    var guest = try Guest([])
    let octets = (0..<0x8000).map { _ in UInt8(truncatingIfNeeded: draw() >> 20) }
    try guest.processor.memory.load(octets, at: 0x1000)
    try guest.processor.memory.write(Array(octets.prefix(0x2000)), at: 0x2000_0000)
    guest.processor.enableFloatingPoint()
    for _ in 0..<400 {
      for register in 0..<15 {
        let place = UInt32(truncatingIfNeeded: draw())
        guest[register] =
          [place, place & 0x3FFF | 0x2000_0000, place & 0x7FFF, place & 0xFFF | 0xE000_E000][Int(draw() & 3)]
      }
      guest.processor.programCounter = UInt32(draw() & 0x7FFE) + (draw() & 7 == 0 ? 0x2000_0000 : 0x1000)
      for _ in 0..<4 {
        if case .fault = guest.step(200) { guest.processor.deliverFault() }
      }
      if draw() & 7 == 0 { guest.processor.setPending(interrupt: Int(draw() & 127) - 10) }
      if guest.step(0) == .lockup { guest.processor.reset(vectorTable: 0) }
    }
    #expect(guest.processor.cycles > 400)
  }
}
