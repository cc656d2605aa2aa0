import Processor
import Testing

@testable import SoftDevice

@Suite struct General {
  @Test("what needs an enabled SoftDevice, and what needs its Bluetooth, says so before")
  func order() throws {
    var image = try Image()
    #expect(image.call(0x4B, image.room(4)) == 2)
    #expect(image.call(0x61, 0, image.room(4)) == 0x3001)
    #expect(image.call(0x10, 0, 0) == 16)
    #expect(image.call(0x10, 0, 0x2_8121) == 0)
    #expect(image.call(0x10, 0, 0x2_8121) == 8)
    #expect(image.call(0x69, 0x23, image.put(words: [0x16_0001, 0, 0]), 0) == 7)
    #expect(image.call(0x60, image.put(words: [0x2000_5978])) == 0)
    #expect(image.call(0x60, image.put(words: [0x2000_5978])) == 8)
    #expect(image.configure(0x23, [1, 0, 247, 0]) == 8)
    #expect(image.processor.priority(ofInterrupt: 22) == 6)
    let enabled = image.room(1)
    #expect(image.call(0x12, enabled) == 0)
    #expect(image.octets(enabled, 1) == [1])
    #expect(image.call(0x11) == 0)
    #expect(image.call(0x12, enabled) == 0)
    #expect(image.octets(enabled, 1) == [0])
    #expect(image.device.callCounts[0x10] == 3)
  }

  @Test("a priority of the SoftDevice's own is a finding, or an error", arguments: [false, true])
  func priorities(_ refused: Bool) throws {
    var image = try Image { if refused { $0.illegalPriority = .refused } }
    image.processor.setEnabled(true, interrupt: 4)
    image.processor.setPriority(1, ofInterrupt: 4)
    #expect(image.call(0x10, 0, 0x2_8121) == (refused ? 0x1001 : 0))
    #expect(image.device.findings.isEmpty == refused)
  }

  @Test("a number of which nothing is known is answered 6, once in the findings") func unknown() throws {
    var image = try Image.enabled()
    #expect(image.call(0xFE) == 6)
    #expect(image.call(0xFE) == 6)
    #expect(image.output.findings == [.unknownCall(0xFE)])
    #expect(image.output.findings[0].description == "supervisor call 0xfe is not known: answered 6")
  }

  @Test("UUIDs: bases are numbered from 2 on, known ones keep theirs, the eleventh finds no room") func uuids() throws {
    var image = try Image.enabled()
    let number = image.room(1)
    let base = (0..<16).map { UInt8($0) }
    #expect(image.call(0x62, image.put(base), number) == 0)
    #expect(image.octets(number, 1) == [2])
    for index in 1..<10 {
      #expect(image.call(0x62, image.put([UInt8(100 + index)] + base.dropFirst()), number) == 0)
      #expect(image.octets(number, 1) == [UInt8(2 + index)])
    }
    #expect(image.call(0x62, image.put([99] + base.dropFirst()), number) == 4)
    #expect(image.call(0x62, image.put(base), number) == 0)
    #expect(image.octets(number, 1) == [2])
    let (length, buffer) = (image.room(1), image.room(16))
    #expect(image.call(0x64, image.uuid(0x1234, base: 2), length, 0) == 0)
    #expect(image.octets(length, 1) == [16])
    #expect(image.call(0x64, image.uuid(0x1234, base: 2), length, buffer) == 0)
    var full = base
    full[12] = 0x34
    full[13] = 0x12
    #expect(image.octets(buffer, 16) == full)
    let uuid = image.room(4)
    #expect(image.call(0x63, 16, buffer, uuid) == 0)
    #expect(image.octets(uuid, 3) == [0x34, 0x12, 2])
    #expect(image.call(0x63, 2, buffer, uuid) == 0)
    #expect(image.octets(uuid, 3) == [0, 1, 1])
    #expect(image.call(0x63, 7, buffer, uuid) == 9)
    #expect(image.call(0x64, image.uuid(0x1234, base: 77), length, 0) == 7)
    #expect(image.call(0x6A, image.put([2])) == 0)
    #expect(image.call(0x64, image.uuid(0x1234, base: 2), length, 0) == 7)
  }

  @Test func bootRecord() throws {
    var image = try Image()
    #expect(image.call(0x18, image.put(words: [2])) == 0)
    #expect(image.call(0x18, image.put(words: [6, 0xF_0000])) == 0)
    #expect(image.output.vectorTable == 0xF_0000)
    #expect(image.call(0x13, 0x2_7000) == 0)
    #expect(image.output.vectorTable == 0x2_7000)
    let (one, other) = (image.put(words: [1, 2]), image.put(words: [1, 3]))
    #expect(image.call(0x18, image.put(words: [3, one, other, 1])) == 0)
    #expect(image.call(0x18, image.put(words: [3, one, other, 2])) == 14)
    #expect(image.call(0x18, image.put(words: [3, one, other, .max])) == 9)
    #expect(image.call(0x18, image.put(words: [5])) == 6)
  }

  /// `COPY_BL` and `VECTOR_TABLE_BASE_SET` need the addresses that a bootloader's build leaves in the user registers.
  @Test func bootRecordNeedsItsAddresses() throws {
    var image = try Image()
    let copy = image.put(words: [0, 0x5_0000, 0x400])
    let start = image.put(words: [4, 0xE_0000])
    #expect(image.call(0x18, copy) == 15)
    #expect(image.call(0x18, start) == 4)
    try image.processor.memory.load([0, 0, 0x0F, 0], at: 0x1000_1014)
    #expect(image.call(0x18, copy) == 4)
    try image.processor.memory.load([0, 0xE0, 0x0F, 0], at: 0x1000_1018)
    #expect(image.call(0x18, copy) == 0)
    let work = try #require(image.output.bootRecordWork)
    #expect(work.resets)
    #expect(work.steps.contains(.copy(from: 0x5_0000, to: 0xF_0000, words: 0x400)))
    #expect(image.call(0x18, image.put(words: [0, 0x5_0000, .max])) == 9)
    #expect(image.call(0x18, image.put(words: [0, 0xFFFF_FFFC, 0x400])) == 9)
    #expect(image.call(0x18, start) == 0)
    #expect(image.call(0x18, image.put(words: [4, 0x10_0000])) == 16)
  }

  /// A guest can write the page of the stored command itself.
  @Test func aStoredCopyThatDoesNotFitIsNotContinued() throws {
    var image = try Image()
    try image.processor.memory.load([0, 0, 0x0F, 0], at: 0x1000_1014)
    try image.processor.memory.load([0, 0xE0, 0x0F, 0], at: 0x1000_1018)
    #expect(image.call(0x18, image.put(words: [0, 0x5_0000, 0x400])) == 0)
    guard case .write(let stored, let page)? = image.output.bootRecordWork?.steps.dropFirst().first else {
      Issue.record("the command is not stored")
      return
    }
    for (count, fits) in [(UInt32(0x400), true), (0xFFFF_FFFF, false), (0x4000_0400, false), (0x1_0001, false)] {
      var words = Array(stored[..<4])
      words[3] = count
      words.append(words.reduce(0, ^))
      let octets = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      try image.processor.memory.load(octets, at: page)
      let copy = BootRecord.interruptedCopy(image.processor.memory, flashSize: 1 << 20)
      #expect((copy != nil) == fits, "\(count) words")
    }
  }

  @Test func bootRecordCopiesWholePagesAfterErasingThem() throws {
    var image = try Image()
    #expect(image.call(0x18, image.put(words: [1, 0x6_0000, 0x5_0000, 0x401])) == 0)
    let work = try #require(image.output.bootRecordWork)
    #expect(!work.resets)
    #expect(
      work.steps == [
        .erase(0x5_0000), .erase(0x5_1000), .copy(from: 0x6_0000, to: 0x5_0000, words: 0x401),
      ])
  }

  @Test func versions() throws {
    for variant in [SoftDeviceSettings.Variant.s132, .s140] {
      var image = try Image.enabled(variant)
      let version = image.room(6)
      #expect(image.call(0x65, version) == 0)
      #expect(image.octets(version, 6) == [10, 0, 0x59, 0, variant == .s132 ? 1 : 0, 1])
    }
  }

  @Test("every name and argument of the table is told") func table() {
    #expect(CallTable.name(of: 0xAE) == "sd_ble_gatts_hvx")
    #expect(CallTable.arguments(of: 0xAE) == [.connection, .pointer])
    #expect(CallTable.name(of: 0x01) == nil)
    #expect(CallTable.arguments(of: 0xFF) == nil)
    #expect(CallTable.entries.compactMap { $0 }.allSatisfy { $0.arguments.count <= 4 })
    #expect(CallTable.entries.enumerated().allSatisfy { $1 == nil || $1!.number == UInt8($0) })
  }
}
