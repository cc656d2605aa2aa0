import Processor
import Testing

@testable import SoftDevice

@Suite struct Chip {
  @Test("a page is erased in 85 ms, then an event comes; meanwhile flash is busy") func erase() throws {
    var image = try Image.enabled()
    try image.processor.memory.load([1, 2, 3], at: 0xF_D000)
    #expect(image.call(0x28, 0xFD) == 0)
    #expect(image.call(0x28, 0xFC) == 17)
    #expect(image.call(0x29, 0xF_D000, image.put(words: [1]), 1) == 17)
    #expect(image.output.completions.map(\.due) == [1_000 + 5_440_000])
    #expect(image.octets(0xF_D000, 3) == [1, 2, 3])
    let event = image.room(4)
    #expect(image.call(0x4B, event) == 5)
    image.complete()
    #expect(image.octets(0xF_D000, 3) == [255, 255, 255])
    #expect(image.output.interrupts == [22])
    #expect(image.call(0x4B, event) == 0)
    #expect(image.word(event) == 2)
    #expect(image.call(0x4B, event) == 5)
  }

  @Test("writes clear bits and set none; 41 microseconds a word") func write() throws {
    var image = try Image.enabled()
    try image.processor.memory.load([0x0F, 0xFF, 0x00, 0xAA], at: 0x3_0000)
    #expect(image.call(0x29, 0x3_0000, image.put([0xFE, 0x12, 0xFF, 0xFF, 9, 8, 7, 6]), 2) == 0)
    #expect(image.output.completions.map(\.due) == [1_000 + 2 * 2_624])
    image.complete()
    #expect(image.octets(0x3_0000, 8) == [0x0E, 0x12, 0x00, 0xAA, 9, 8, 7, 6])
  }

  @Test(
    "nobody erases or writes the SoftDevice, the master boot record, or what is not there",
    arguments: [SoftDeviceSettings.Variant.s132, .s140])
  func protection(_ variant: SoftDeviceSettings.Variant) throws {
    var image = try Image.enabled(variant)
    let source = image.put(words: [1])
    let start = variant.applicationStart
    #expect(image.call(0x28, 0) == 15)
    #expect(image.call(0x28, start / 4096 - 1) == 15)
    #expect(image.call(0x28, variant.flashSize / 4096) == 16)
    #expect(image.call(0x28, .max) == 16)
    #expect(image.call(0x29, start - 4, source, 1) == 15)
    #expect(image.call(0x29, 0xFF8, source, 1) == 15)
    #expect(image.call(0x29, variant.flashSize - 4, source, 2) == 16)
    #expect(image.call(0x29, 0xFFFF_FFFC, source, 1) == 16)
    #expect(image.call(0x29, Image.ram, source, 1) == 16)
    #expect(image.call(0x29, start + 2, source, 1) == 16)
    #expect(image.call(0x29, start, source + 1, 1) == 16)
    #expect(image.call(0x29, start, source, 0) == 9)
    #expect(image.call(0x29, start, source, 1_025) == 9)
    #expect(image.call(0x29, start, 0x3000_0000, 1) == 16)
    #expect(image.device.flashOperation == nil)
    #expect(image.call(0x28, start / 4096) == 0)
  }

  @Test("a source that changes while it is written is a finding", arguments: [false, true])
  func source(_ late: Bool) throws {
    var image = try Image.enabled { $0.flashSource = late ? .atCompletion : .atCall }
    let source = image.put(words: [0x1111_1111])
    #expect(image.call(0x29, 0x3_0000, source, 1) == 0)
    try image.processor.memory.writeWord(0x2222_2222, at: source)
    image.complete()
    #expect(image.word(0x3_0000) == (late ? 0x2222_2222 : 0x1111_1111))
    #expect(image.output.findings == [.flashSourceChanged(address: source)])
  }

  @Test("power that fails leaves the words that were written") func powerFailure() throws {
    var image = try Image.enabled()
    #expect(image.call(0x29, 0x3_0000, image.put(words: [1, 2, 3]), 3) == 0)
    image.device.losePower(&image.processor, at: 1_000 + 2 * 2_624 + 5)
    #expect([0, 4, 8].map { image.word(0x3_0000 + $0) } == [1, 2, 0xFFFF_FFFF])
    image.device.reset()
    image.complete()
    #expect(image.word(0x3_0008) == 0xFFFF_FFFF)
    for policy in [SoftDevicePolicies.InterruptedErasure.untouched, .erased] {
      var other = try Image.enabled { $0.interruptedErasure = policy }
      try other.processor.memory.load([5], at: 0x3_0000)
      #expect(other.call(0x28, 0x30) == 0)
      other.device.losePower(&other.processor, at: 2_000)
      #expect(other.octets(0x3_0000, 1) == (policy == .erased ? [255] : [5]))
    }
  }

  @Test("without an enabled SoftDevice flash is written at once") func withoutSoftDevice() throws {
    var image = try Image()
    #expect(image.call(0x29, 0x3_0000, image.put(words: [7]), 1) == 0)
    #expect(image.word(0x3_0000) == 7)
    #expect(image.output.completions.isEmpty)
  }

  @Test("retention registers go to the board") func retention() throws {
    var image = try Image.enabled()
    #expect(image.call(0x3C, 0, 0xB1) == 0)
    #expect(image.call(0x3D, 0, 0x01) == 0)
    #expect(
      image.output.registerWrites == [
        RegisterWrite(address: 0x4000_051C, value: 0xB1), RegisterWrite(address: 0x4000_051C, value: 0xB0),
      ])
    let value = image.room(4)
    #expect(image.call(0x3E, 0, value) == 0)
    #expect(image.word(value) == 0xB0)
    #expect(image.call(0x3C, 2, 1) == 7)
    image.device.resetReason = 5
    #expect(image.call(0x35, 4) == 0)
    #expect(image.call(0x34, value) == 0)
    #expect(image.word(value) == 1)
  }

  @Test("FIPS 197, appendix B; the cipher text lies behind key and clear text") func encryption() throws {
    var image = try Image.enabled()
    let key: [UInt8] = [
      0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C,
    ]
    let clear: [UInt8] = [
      0x32, 0x43, 0xF6, 0xA8, 0x88, 0x5A, 0x30, 0x8D, 0x31, 0x31, 0x98, 0xA2, 0xE0, 0x37, 0x07, 0x34,
    ]
    let cipher: [UInt8] = [
      0x39, 0x25, 0x84, 0x1D, 0x02, 0xDC, 0x09, 0xFB, 0xDC, 0x11, 0x85, 0x97, 0x19, 0x6A, 0x0B, 0x32,
    ]
    let block = image.put(key + clear + Array(repeating: 0, count: 16))
    #expect(image.call(0x46, block) == 0)
    #expect(image.octets(block + 32, 16) == cipher)
    let target = image.room(16)
    let list = image.put(words: [block, block + 16, target])
    #expect(image.call(0x47, 1, list) == 0)
    #expect(image.octets(target, 16) == cipher)
  }

  @Test("random octets differ, and are the same for the same key") func chance() throws {
    var (one, other) = (try Image.enabled(), try Image.enabled())
    let (first, second) = (one.room(20), one.room(20))
    #expect(one.call(0x31, first, 20) == 0)
    #expect(one.call(0x31, second, 20) == 0)
    #expect(one.octets(first, 20) != one.octets(second, 20))
    let same = other.room(20)
    #expect(other.call(0x31, same, 20) == 0)
    #expect(other.octets(same, 20) == one.octets(first, 20))
    #expect(one.call(0x31, first, 65) == 0x2007)
  }

  @Test("clock, temperature, mutex, sleep, off") func rest() throws {
    var image = try Image.enabled()
    let value = image.room(4)
    #expect(image.call(0x42) == 0)
    #expect(image.call(0x44, value) == 0)
    #expect(image.word(value) == 0)
    image.complete()
    #expect(image.call(0x4B, value) == 0)
    #expect(image.word(value) == 0)
    #expect(image.call(0x44, value) == 0)
    #expect(image.word(value) == 1)
    #expect(image.call(0x43) == 0)
    #expect(image.call(0x44, value) == 0)
    #expect(image.word(value) == 0)
    image.device.temperature = -4
    #expect(image.call(0x4C, value) == 0)
    #expect(image.word(value) == 0xFFFF_FFFC)
    #expect(image.call(0x2C, value) == 0)
    #expect(image.call(0x2D, value) == 0)
    #expect(image.call(0x2D, value) == 0x2000)
    #expect(image.call(0x2E, value) == 0)
    #expect(image.call(0x2D, value) == 0)
    #expect(!image.output.sleeps)
    #expect(image.call(0x41) == 0)
    #expect(image.output.sleeps)
    #expect(!image.output.isSystemOff)
    #expect(image.call(0x33) == 0)
    #expect(image.output.isSystemOff)
  }

  @Test("channels and groups of the interconnect; the SoftDevice's own are refused") func interconnect() throws {
    var image = try Image.enabled()
    #expect(image.call(0x23, 3, 0x4000_1140, 0x4000_E000) == 0)
    #expect(image.call(0x21, 0x8) == 0)
    #expect(
      image.output.registerWrites.map(\.address) == [0x4001_F528, 0x4001_F52C, 0x4001_F504])
    let value = image.room(4)
    #expect(image.call(0x20, value) == 0)
    #expect(image.word(value) == 8)
    #expect(image.call(0x26, 1, 0x30) == 0)
    #expect(image.call(0x24, 1) == 0)
    #expect(image.call(0x27, 1, value) == 0)
    #expect(image.word(value) == 0x30)
    #expect(image.call(0x20, value) == 0)
    #expect(image.word(value) == 0x38)
    #expect(image.call(0x25, 1) == 0)
    #expect(image.call(0x22, 8) == 0)
    #expect(image.call(0x20, value) == 0)
    #expect(image.word(value) == 0)
    #expect(image.call(0x21, 1 << 17) == 0x2008)
    #expect(image.call(0x23, 17, 0, 0) == 0x2008)
    #expect(image.call(0x24, 4) == 0x2009)
  }
}
