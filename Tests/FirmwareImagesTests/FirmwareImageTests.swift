import Testing

@testable import FirmwareImages

@Suite struct FirmwareImageTests {
  /// An ELF of one segment: a vector table and two octets of code, loaded at 0x27000.
  private static func elf(_ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
    var file = [UInt8](repeating: 0, count: 84)
    func put(_ value: UInt32, at offset: Int, octets: Int = 4) {
      for index in 0..<octets { file[offset + index] = UInt8(truncatingIfNeeded: value >> (index * 8)) }
    }
    put(0x464C_457F, at: 0)
    file[4] = 1
    file[5] = 1
    put(40, at: 18, octets: 2)
    put(52, at: 28)
    put(32, at: 42, octets: 2)
    put(1, at: 44, octets: 2)
    put(1, at: 52)
    put(84, at: 56)
    put(0x2000_0000, at: 60)
    put(0x27000, at: 64)
    put(10, at: 68)
    file += [0x00, 0x00, 0x04, 0x20, 0x09, 0x70, 0x02, 0x00, 0xFE, 0xE7]
    change(&file)
    return file
  }

  @Test func loadsAtTheLoadAddress() throws {
    let image = try FirmwareImage(Self.elf(), name: "app.elf")
    #expect(image.vectorTable == 0x27000)
    #expect(image.segments[0].octets.count == 10)
    try image.check(start: 0x27000, flashSize: 1 << 20, ramSize: 256 << 10)
  }

  @Test func aHexFileOfTheSameOctetsHasTheSameDigest() throws {
    var record: [UInt8] = [0x0A, 0x70, 0x00, 0x00] + Self.elf()[84...]
    record.append(0 &- record.reduce(0, &+))
    let text = ":020000040002F8\r\n:" + record.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let image = try FirmwareImage(Array((text + "\r\n:00000001FF\r\n").utf8), name: "app.hex")
    #expect(image.digest == (try FirmwareImage(Self.elf(), name: "app.elf")).digest)
    #expect(image.format == .hex)
  }

  @Test(arguments: [
    ("", "the file is empty"), ("PK", "begins with 504b"), (":00000001FE", "line 1: its checksum is wrong"),
    (":0200000400", "states 2 octets of data, has 0"), (":0G", "pairs of hexadecimal digits"),
    (":020000040002F8", "there is no end-of-file record"), (":00000001FF", "nothing in the file goes into flash"),
    (":00000001FF\n:00000001FF", "behind the end of the file"),
    (":00000006FA\n:00000001FF", "record type 6 is unknown"),
    (":02000004FFFFFC\n:02FFFF0061623D", "line 2: ends beyond the address space"),
    (":020000040002F8\r\n\r\n\n:00000001FE", "line 4: its checksum is wrong"),
  ]) func saysWhatIsWrongWithAFile(text: String, message: String) {
    #expect {
      try FirmwareImage(Array(text.utf8), name: "x")
    } throws: {
      "\($0)".contains(message)
    }
  }

  /// A file can name the same octets in thousands of segments, and one name without an end in a million symbols.
  @Test func whatAFileHoldsIsCountedOnce() {
    let file = Self.elf { file in
      file[44] = 2
      file.insert(contentsOf: file[52..<84], at: 84)
      file += [UInt8](repeating: 0, count: 500)
      // Both begin behind the headers and have 400 octets; the second goes to another address.
      (file[56], file[88]) = (116, 116)
      file.replaceSubrange(68..<70, with: [0x90, 0x01])
      file.replaceSubrange(100..<102, with: [0x90, 0x01])
      file[97] = 0x80
    }
    #expect {
      try FirmwareImage(file, name: "x")
    } throws: {
      "\($0)".contains("its segments hold 800 octets up to segment 1, the file 626")
    }
  }

  @Test func overlapsAreRefused() {
    let twice = ":020000000102FB\n:020001000102FA\n:00000001FF"
    #expect {
      try FirmwareImage(Array(twice.utf8), name: "x")
    } throws: {
      "\($0)".contains("two parts of the file go to address 0x1")
    }
  }

  @Test func anImageOfAnotherBoardIsRefused() throws {
    let image = try FirmwareImage(Self.elf(), name: "app.elf")
    func message(_ start: UInt32, _ flash: Int, _ ram: Int) -> String {
      do {
        try image.check(start: start, flashSize: flash, ramSize: ram)
        return ""
      } catch { return error.description }
    }
    #expect(message(0x28000, 1 << 20, 256 << 10).contains("inside the SoftDevice"))
    #expect(message(0x26000, 0x27008, 256 << 10).contains("beyond the 156 KiB"))
    #expect(message(0x26000, 1 << 20, 64 << 10).contains("stack pointer is 0x20040000"))
  }

  /// Without a bootloader the chip starts where the SoftDevice ends, and nothing is there.
  @Test func anApplicationThatNothingStartsIsRefused() throws {
    let image = try FirmwareImage(Self.elf(), name: "app.elf")
    #expect {
      try image.check(start: 0x26000, flashSize: 1 << 20, ramSize: 256 << 10)
    } throws: {
      "\($0)".contains("begins at 0x27000, but without a bootloader the chip starts at 0x26000")
    }
    try image.check(start: 0x26000, hasBootloader: true, flashSize: 1 << 20, ramSize: 256 << 10)
  }

  /// An application as HEX, with a further record.
  private static func hex(_ record: String) throws -> FirmwareImage {
    var program: [UInt8] = [0x0A, 0x70, 0x00, 0x00] + elf()[84...]
    program.append(0 &- program.reduce(0, &+))
    let digits = program.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let text = ":020000040002F8\n:\(digits)\n:020000041000EA\n\(record)\n:00000001FF\n"
    return try FirmwareImage(Array(text.utf8), name: "app.hex")
  }

  /// A build may choose what the pins of NFC are; the program in flash is the same.
  @Test func anApplicationMayWriteUserRegisters() throws {
    let image = try Self.hex(":04120C00FEFFFFFFE3")
    try image.check(start: 0x27000, flashSize: 1 << 20, ramSize: 256 << 10)
    #expect(image.flashSegments.map(\.address) == [0x27000])
  }

  /// The last word that the chip has may be written, the one behind it not: nothing would stand there.
  @Test func userRegistersThatTheChipDoesNotHaveAreRefused() throws {
    let whole = try Self.hex(":041FFC00FFFFFFFFE5")
    try whole.check(start: 0x27000, flashSize: 1 << 20, ramSize: 256 << 10)
    let image = try Self.hex(":081FFC00FFFFFFFFFFFFFFFFE5")
    let message = "writes user registers up to 0x10002004, but the chip's end at 0x10002000"
    #expect {
      try image.check(start: 0x27000, flashSize: 1 << 20, ramSize: 256 << 10)
    } throws: {
      "\($0)".contains(message)
    }
    #expect {
      try image.checkBootloader(above: image, flashSize: 1 << 20, ramSize: 256 << 10)
    } throws: {
      "\($0)".contains(message)
    }
  }

  @Test func anApplicationThatNamesABootloaderIsRefused() throws {
    let image = try Self.hex(":0410140000000F00C9")
    #expect {
      try image.check(start: 0x27000, flashSize: 1 << 20, ramSize: 256 << 10)
    } throws: {
      "\($0)".contains("writes 0xf0000 into the user register at 0x10001014, where a bootloader begins")
    }
  }

  @Test func aSegmentIsFoundByHalves() {
    let segments = (0..<5).map { FirmwareImage.Segment(address: $0 * 16, octets: [1, 2, 3, 4]) }
    for address in 0..<80 as Range<UInt32> {
      #expect(segments.holding(address)?.address == (address % 16 < 4 ? address / 16 * 16 : nil))
    }
    #expect([FirmwareImage.Segment]().holding(0) == nil)
  }

  @Test func resetVectorsOfNonsenseAreRefused() throws {
    let image = try FirmwareImage(Self.elf { $0[88] = 0x08 }, name: "app.elf")
    #expect(throws: ImageFailure.self) { try image.check(start: 0x27000, flashSize: 1 << 20, ramSize: 256 << 10) }
  }

  /// Every file that is cut or has one octet changed is read or refused; none traps.
  @Test func hostileFilesAreReadOrRefused() {
    let whole = Self.elf()
    for count in 0..<whole.count { _ = try? FirmwareImage(Array(whole.prefix(count)), name: "x") }
    for index in whole.indices {
      for value: UInt8 in [0x00, 0x7F, 0x80, 0xFF] { _ = try? FirmwareImage(Self.elf { $0[index] = value }, name: "x") }
    }
  }

  @Test func addressesBecomePlaces() {
    let table = SymbolTable([
      .init(address: 0x100, size: 8, isFunction: true, name: "main"),
      .init(address: 0x110, size: 0, isFunction: true, name: "end"),
      .init(address: 0x2000_0000, size: 4, isFunction: false, name: "count"),
    ])
    #expect(table.place(0x104) == "main+0x4 (0x104)")
    #expect(table.place(0x108) == "0x108")
    #expect(table.place(0x120) == "end+0x10 (0x120)")
    #expect(table.place(0x10) == "0x10")
  }
}
