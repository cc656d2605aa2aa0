import Testing

@testable import Processor

/// Copies of a processor execute the code that one of them decoded, and nobody notices.
@Suite struct SharedCodeTests {
  /// `movs r0, #value; b .`
  private static func main(_ value: UInt16) -> [UInt16] { [0x2000 | value, 0xE7FE] }

  @Test func aCopyWithOtherCodeExecutesItsOwn() throws {
    var original = try Guest(Self.main(1))
    original.step(10)
    var changed = original
    try changed.processor.memory.load([0x02, 0x20], at: Guest.main)
    for _ in 0..<3 {
      for (value, guest) in [(1, original), (2, changed)] as [(UInt32, Guest)] {
        var guest = guest
        guest.processor.reset(vectorTable: 0)
        guest.step(10)
        #expect(guest[0] == value)
      }
      original.step(10)
      changed.step(10)
    }
  }

  /// The blocks of both are counted from zero, so what one has noted says nothing about the other's.
  @Test func aCopyWithOtherCodeCoversItsOwn() throws {
    // movs r0, #1; b .; movs r0, #3; b .
    let original = try Guest([0x2001, 0xE7FE, 0x2003, 0xE7FE])
    var executed = original
    executed.step(10)
    var changed = executed
    // b over
    try changed.processor.memory.load([0x00, 0xE0], at: Guest.main)
    changed.processor.reset(vectorTable: 0)
    changed.step(10)
    #expect(executed.processor.coverage.count == 2)
    #expect(changed.processor.coverage.count == 4)
  }

  /// The other page is decoded by one copy after the other had been found to fit.
  @Test func aPageThatDiffersIsNoticedWhenItIsDecodedFirst() throws {
    // movw r1, #0x1001; bx r1
    var original = try Guest([0xF241, 0x0101, 0x4708])
    original.step()
    var copies = [original, original]
    for (index, value) in ([1, 2] as [UInt8]).enumerated() {
      try copies[index].processor.memory.load([value, 0x20, 0xFE, 0xE7], at: 0x1000)
      copies[index].step()
    }
    for index in copies.indices { copies[index].step(20) }
    #expect(copies.map { $0[0] } == [1, 2])
  }

  @Test func eachCoversWhatItExecutesItself() throws {
    // cbz r0, over; movs r1, #1; b .; over: movs r1, #2; b .
    var original = try Guest([0xB108, 0x2101, 0xE7FE, 0x2102, 0xE7FE])
    var copies = [original, original]
    original.step(10)
    for index in copies.indices {
      copies[index][0] = UInt32(index)
      copies[index].step(10)
    }
    let covered = ([original] + copies).map { guest in
      (0..<5).map { guest.processor.coverage.contains(Guest.main + $0 * 2) }
    }
    let (over, through) = ([true, false, false, true, true], [true, true, true, false, false])
    #expect(covered == [over, over, through])
  }

  @Test func codeIsUsedByOneRunAtATime() {
    let cache = CodeCache(slots: 1)
    #expect(cache.claim())
    #expect(!cache.claim())
    cache.release()
    #expect(cache.claim())
  }

  /// So a copy that is executed meanwhile decodes for itself.
  @Test func aCopyIsExecutedInTheMiddleOfARun() throws {
    // movs r1, #3; lsls r2, r1, #1; ldr r0, [r0]; adds r1, r1, r2; b .
    var original = try Guest([0x2103, 0x004A, 0x6800, 0x1889, 0xE7FE])
    original[0] = 0x4000_0000
    original.step()
    var bus = CopyingBus(copy: original.processor)
    #expect(original.processor.run(until: 100, bus: &bus) == .limit)
    #expect(original[1] == 9)
    #expect(bus.copy[register: 1] == 9)
    #expect(bus.copy.coverage == original.processor.coverage)
  }

  /// Executes a copy of whoever reads from it.
  private struct CopyingBus: PeripheralBus {
    var copy: CortexM4
    private var isCopy = false

    init(copy: CortexM4) { self.copy = copy }

    mutating func read(_ address: UInt32, _ width: AccessWidth, at cycle: UInt64) -> BusRead {
      if !isCopy {
        var bus = self
        bus.isCopy = true
        _ = copy.run(until: 100, bus: &bus)
      }
      return .value(0)
    }

    mutating func write(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, at cycle: UInt64) -> BusWrite {
      .fault
    }
  }
}
