import Testing

@testable import Board

/// The flash for records, command by command as its data sheet has them.
@Suite struct NORFlashTests {
  private var flash = NORFlash()

  /// One command from selecting to releasing; what it brought about, and what was read.
  private mutating func send(_ octets: [UInt8], at cycle: UInt64 = 0) -> (effect: NORFlash.Effect?, read: [UInt8]) {
    let before = flash.select(true, at: cycle)
    #expect(before == nil)
    let read = flash.exchange(octets, at: cycle)
    return (flash.select(false, at: cycle), read)
  }

  private mutating func enableWriting(at cycle: UInt64 = 0) {
    let answer = send([0x06], at: cycle)
    #expect(answer.effect == nil)
  }

  @Test mutating func itTellsWhichChipItIs() {
    let answer = send([0x9F, 0, 0, 0])
    #expect(answer.read == [0, 0xEF, 0x60, 0x18])
    #expect(answer.effect == nil)
  }

  @Test mutating func programmingClearsBitsAndGoesRoundInItsPage() {
    flash.store([0xF0], at: 0x1FF)
    enableWriting()
    let answer = send([0x02, 0x00, 0x01, 0xFF, 0x3C, 0x11])
    #expect(answer.effect == .began(.program))
    #expect(flash.octets(at: 0x1FF, count: 1) == [0x30])
    #expect(flash.octets(at: 0x100, count: 1) == [0x11])
    #expect(flash.octets(at: 0x200, count: 1) == [0xFF])
  }

  @Test mutating func anOperationTakesItsTime() {
    enableWriting()
    let writing = send([0x05, 0])
    #expect(writing.read == [0, 2])
    let began = send([0x02, 0, 0, 0, 0xAA])
    #expect(began.effect == .began(.program))
    let busy = send([0x05, 0], at: 44_799)
    #expect(busy.read == [0, 1])
    let early = send([0x06], at: 44_799)
    #expect(early.effect == .refused(command: 0x06, .busy))
    let ready = send([0x05, 0], at: 44_800)
    #expect(ready.read == [0, 0])
    let read = send([0x03, 0, 0, 0, 0], at: 44_800)
    #expect(read.read == [0, 0, 0, 0, 0xAA])
  }

  @Test(arguments: [
    ([0x20, 0x00, 0x1F, 0xFF] as [UInt8], 4_096, 0x1000), ([0x52, 0x00, 0x80, 0x10], 32_768, 0xFFFF),
    ([0xD8, 0x01, 0x80, 0x00], 65_536, 0x1_0000),
    ([0xC7], 1 << 24, 0x80_0000),
  ]) mutating func erasingSetsAllBits(_ command: [UInt8], _ size: Int, _ place: Int) {
    flash.store([0], at: place)
    enableWriting()
    let answer = send(command)
    #expect(answer.effect == .began(.erase(size)))
    #expect(flash.isErased)
  }

  @Test(
    arguments: [
      ([0x02, 0, 0, 0, 1], .writingDisabled), ([0x20, 0, 0, 0], .writingDisabled), ([0xC7], .writingDisabled),
      ([0x77], .notModelled), ([0x8A], .unknown),
    ] as [([UInt8], NORFlash.Refusal)])
  mutating func whatIsNotAllowedIsRefused(_ command: [UInt8], _ reason: NORFlash.Refusal) {
    let answer = send(command)
    #expect(answer.effect == .refused(command: command[0], reason))
    #expect(flash.isErased)
    #expect(flash.operationCount == 0)
  }

  @Test(arguments: [[0x02, 0, 0, 0], [0x20, 0, 0], [0xD8, 0, 0, 0, 0]] as [[UInt8]])
  mutating func anOperationNeedsItsOctets(_ command: [UInt8]) {
    enableWriting()
    let answer = send(command)
    #expect(answer.effect == .refused(command: command[0], .badLength))
  }

  /// What drivers ask at their start (data sheet, "Instruction Set").
  @Test(
    arguments: [
      ([0x0B, 0, 0, 0x10, 0, 0, 0], [0, 0, 0, 0, 0, 0x12, 0x34]), ([0x35, 0], [0, 2]), ([0x15, 0], [0, 0x60]),
      ([0x90, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0xEF, 0x17]), ([0x90, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0x17, 0xEF]),
      ([0xAB, 0, 0, 0, 0], [0, 0, 0, 0, 0x17]), ([0x4B, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0xD1, 0xC7]),
    ] as [([UInt8], [UInt8])])
  mutating func whatItCanTellItTells(_ command: [UInt8], _ expected: [UInt8]) {
    flash.store([0x12, 0x34], at: 0x10)
    let answer = send(command)
    #expect(answer.read == expected)
    #expect(answer.effect == nil)
  }

  /// A read that begins while an operation goes on is ignored, even if it ends after it.
  @Test(arguments: [0x03, 0x0B, 0x9F] as [UInt8]) mutating func aReadOfABusyFlashIsRefused(_ code: UInt8) {
    flash.store([0xAA], at: 0x10)
    enableWriting()
    let began = send([0x02, 0, 0, 0, 1])
    #expect(began.effect == .began(.program))
    _ = flash.select(true, at: 44_799)
    let read = flash.exchange([code, 0, 0, 0x10, 0, 0], at: 44_799)
    #expect(read.allSatisfy { $0 == 0 })
    #expect(flash.select(false, at: 50_000) == .refused(command: code, .busy))
  }

  @Test mutating func poweredDownItOnlyWakes() {
    let asleep = send([0xB9])
    #expect(asleep.effect == nil)
    let read = send([0x9F, 0, 0, 0])
    #expect(read.read == [0, 0, 0, 0])
    #expect(read.effect == .refused(command: 0x9F, .poweredDown))
    let status = send([0x05, 0])
    #expect(status.effect == .refused(command: 0x05, .poweredDown))
    let woken = send([0xAB])
    #expect(woken.effect == nil)
    let again = send([0x9F, 0, 0, 0])
    #expect(again.read == [0, 0xEF, 0x60, 0x18])
  }

  @Test mutating func powerCanFailAtAnOperation() {
    flash.operationsBeforePowerFails = 1
    enableWriting()
    let first = send([0x02, 0, 0, 0, 1])
    #expect(first.effect == .began(.program))
    enableWriting(at: 50_000)
    let second = send([0x02, 0, 1, 0, 2], at: 50_000)
    #expect(second.effect == nil)
    #expect(flash.hasPowerFailed)
    #expect(flash.octets(at: 0x100, count: 1) == [0xFF])
    flash.losePower()
    #expect(!flash.hasPowerFailed)
    #expect(flash.octets(at: 0, count: 1) == [1])
  }
}
