import Processor
import Testing

/// Programs that nobody thought of: whatever they are, how they are run changes nothing.
@Suite struct RandomProgramTests {
  private static let length: UInt64 = 2000

  /// In steps of one cycle, in steps of any size, at once, with and without skipping, and by a copy taken on the way.
  @Test(arguments: 0..<24) func howAProgramIsRunChangesNothing(_ seed: UInt64) throws {
    let program = RandomProgram(seed)
    let whole = try program.run { Self.length }
    #expect(whole.processor.cycles == Self.length)

    #expect(try program.run { 1 } == whole, "steps of one cycle")
    var draw = Draw(seed &+ 1)
    #expect(try program.run { UInt64(draw.below(97) + 1) } == whole, "steps of any size")
    #expect(try program.run(skips: false) { Self.length } == whole, "without skipping")
    #expect(try program.run(skips: false) { 1 } == whole, "without skipping, steps of one cycle")

    var original = try program.guest()
    original.step(UInt64(draw.below(Int(Self.length))))
    var copy = original
    copy.step(Self.length - copy.processor.cycles)
    original.step(Self.length - original.processor.cycles)
    #expect(Outcome(copy) == whole, "a copy")
    #expect(Outcome(original) == whole, "a copied one")
  }

  /// A third of the programs end in a loop that changes nothing; skipping has to be seen at work.
  @Test func someOfTheProgramsAreSkipped() throws {
    let executed = try (0..<24).map { seed in
      try RandomProgram(seed).run(until: 1_000_000) { 1_000_000 }.processor.executedInstructions
    }
    #expect(executed.contains { $0 < 100_000 })
  }
}

/// What must not depend on how a program was run.
private struct Outcome: Equatable {
  var processor: CortexM4
  var bus: RecordingBus

  init(_ guest: Guest) {
    processor = guest.processor
    processor.settings.skipsSpinning = true
    bus = guest.bus
  }

  static func == (one: Outcome, other: Outcome) -> Bool {
    one.processor == other.processor && one.processor.coverage == other.processor.coverage && one.bus == other.bus
  }
}

/// A series of numbers that is always the same.
private struct Draw {
  private var state: UInt64

  init(_ seed: UInt64) { state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int((state >> 24) % UInt64(limit))
  }
}

/// Straight lines, loops, IT blocks, calls and accesses to RAM and to the bus, drawn from a seed. R0 to R3 are worked on, R4
/// counts rounds, R5 is the bus, R6 the RAM.
private struct RandomProgram {
  private var code: [UInt16] = []
  private var draw: Draw

  init(_ seed: UInt64) {
    draw = Draw(seed)
    // movs r6, #0x20; lsls r6, r6, #24; movs r5, #0x40; lsls r5, r5, #24
    code = [0x2620, 0x0636, 0x2540, 0x062D]
    for _ in 0..<(4 + draw.below(8)) { part() }
    end()
  }

  func guest(skips: Bool = true) throws -> Guest {
    // Exception 3, so that the function stands at 0x1300: push {r0, r4, lr}; adds r0, r0, #7; pop {r0, r4, pc}
    try Guest(code, handlers: [3: [0xB511, 0x1DC0, 0xBD11]], settings: .init(skipsSpinning: skips))
  }

  /// Runs it up to a cycle in steps as long as `step` says.
  func run(until end: UInt64 = 2000, skips: Bool = true, step: () -> UInt64) throws -> Outcome {
    var guest = try guest(skips: skips)
    while guest.processor.cycles < end { guest.step(min(step(), end - guest.processor.cycles)) }
    return Outcome(guest)
  }

  private mutating func part() {
    switch draw.below(6) {
    case 0: loop()
    case 1: conditionals()
    case 2: call()
    case 3:
      // A branch over as many instructions, by one of fourteen conditions.
      let count = 1 + draw.below(5)
      code.append(0xD000 | UInt16(draw.below(14)) << 8 | UInt16(count - 1))
      for _ in 0..<count { plain() }
    default: for _ in 0..<(1 + draw.below(50)) { plain() }
    }
  }

  /// movs r4, #rounds; …; subs r4, #1; bne
  private mutating func loop() {
    code.append(0x2401 + UInt16(draw.below(20)))
    let start = code.count
    for _ in 0..<(1 + draw.below(12)) { plain() }
    code += [0x3C01, 0xD100 | UInt16(truncatingIfNeeded: start - (code.count + 1) - 2) & 0xFF]
  }

  /// An IT block of one to four instructions.
  private mutating func conditionals() {
    let count = 1 + draw.below(4)
    let then = UInt16(draw.below(16))
    let mark = UInt16(1) << UInt16(4 - count)
    let condition = UInt16(draw.below(14))
    code.append(0xBF00 | condition << 4 | then & ~(2 * mark - 1) & 0xF | mark)
    for _ in 0..<count { plain(touches: false) }
  }

  /// bl 0x1300
  private mutating func call() {
    let offset = 0x1300 - (Int(Guest.main) + 2 * code.count + 4)
    code += [0xF000 | UInt16(offset >> 12 & 0x3FF), 0xF800 | UInt16(offset >> 1 & 0x7FF)]
  }

  private mutating func plain(touches: Bool = true) {
    func low() -> UInt16 { UInt16(draw.below(4)) }
    switch draw.below(touches ? 24 : 20) {
    case 0..<4: code.append(0x1800 | UInt16(draw.below(4)) << 9 | low() << 6 | low() << 3 | low())
    case 4..<7: code.append(0x2000 | UInt16(draw.below(4)) << 11 | low() << 8 | UInt16(draw.below(256)))
    case 7..<10: code.append(UInt16(draw.below(3)) << 11 | UInt16(draw.below(32)) << 6 | low() << 3 | low())
    case 10..<14: code.append(0x4000 | UInt16(draw.below(16)) << 6 | low() << 3 | low())
    // Loads and stores of words, half-words and octets, at R6.
    case 14..<18:
      let kind = [0x6000, 0x6800, 0x7000, 0x7800, 0x8000, 0x8800][draw.below(6)]
      code.append(UInt16(kind) | UInt16(draw.below(32)) << 6 | 6 << 3 | low())
    // add.w, sub.w, eor.w
    case 18: code += [[0xEB00, 0xEBA0, 0xEA80][draw.below(3)] | low(), low() << 8 | low()]
    case 19: code += [0xFB00 | low(), 0xF000 | low() << 8 | low()]
    case 20: code.append(draw.below(2) == 0 ? 0x6828 : 0x6068)
    default: code.append(0xBF00)
    }
  }

  /// Ends with what turns round for ever: an empty loop, one that stores what is there already, one that counts, one that
  /// asks the bus.
  private mutating func end() {
    switch draw.below(5) {
    case 0: code.append(0xE7FE)
    // push {r0-r3}; str r0, [r6]; ldr r1, [r6]; pop {r0-r3}; b
    case 1: code += [0xB40F, 0x6030, 0x6831, 0xBC0F, 0xE7FA]
    // movs r3, #9; subs r3, #1; bne; b
    case 2: code += [0x2309, 0x3B01, 0xD1FD, 0xE7FB]
    // adds r0, #1; str r0, [r6]; b
    case 3: code += [0x3001, 0x6030, 0xE7FC]
    // ldr r0, [r5]; b
    default: code += [0x6828, 0xE7FD]
    }
  }
}
