import Testing

@testable import FirmwareImages

@Suite struct LineTables {
  private static func octets(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// A unit with one file, `src/main.c`, as each version writes it.
  private static func unit(_ version: Int, program: [UInt8], isWide: Bool = false) -> [UInt8] {
    var rest: [UInt8] = [2] + (version >= 4 ? [1] : []) + [1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
    if version == 5 {
      // Folders are texts here; a file is an offset in .debug_line_str, a folder and a digest of sixteen octets.
      rest += [1, 1, 0x08, 2] + Array("/build\0src\0".utf8)
      rest += [3, 1, 0x1F, 2, 0x0B, 5, 0x1E, 2]
      let offset = octets(4) + (isWide ? [0, 0, 0, 0] : [])
      for _ in 0..<2 { rest += offset + [1] + Array(repeating: 0xAA, count: 16) }
    } else {
      rest += Array("src\0\0main.c\0".utf8) + [1, 0, 0, 0]
    }
    var body = octets(UInt32(version), 2) + (version == 5 ? [4, 0] : [])
    body += octets(UInt32(rest.count)) + (isWide ? [0, 0, 0, 0] : []) + rest + program
    let length = octets(UInt32(body.count))
    return (isWide ? [0xFF, 0xFF, 0xFF, 0xFF] + length + [0, 0, 0, 0] : length) + body
  }

  /// Line 34 at 0x27000, line 35 from 0x27002 to 0x2700A.
  private static let program: [UInt8] = [0, 5, 2, 0x00, 0x70, 0x02, 0x00, 3, 33, 1, 33, 2, 4, 0, 1, 1]

  private static func table(_ lines: [UInt8], holds: @escaping (UInt32) -> Bool = { _ in true }) -> LineTable {
    var sections = DebugSections()
    sections.lines = lines
    sections.lineStrings = Array("xyz\0main.c\0".utf8)
    return LineProgramReader.read(sections, holds: holds)
  }

  private static func lines(_ table: LineTable, _ addresses: UInt32...) -> [Int?] {
    addresses.map { table.line(at: $0)?.number }
  }

  @Test(arguments: [(2, "src/main.c"), (3, "src/main.c"), (4, "src/main.c"), (5, "/build/src/main.c")])
  func everyVersionIsRead(version: Int, path: String) {
    for isWide in [false, true] {
      let table = Self.table(Self.unit(version, program: Self.program, isWide: isWide))
      #expect(table.lack == nil)
      #expect(table.files == [path])
      #expect(table.line(at: 0x27001) == LineTable.Line(file: path, number: 34))
      #expect(Self.lines(table, 0x26FFF, 0x27000, 0x27002, 0x27009, 0x2700A) == [nil, 34, 35, 35, nil])
    }
    #expect(LineTable.Line(file: path, number: 1).fileName == "main.c")
  }

  /// `const_add_pc` is 17 instructions here, `fixed_advance_pc` octets; discriminators and marks change nothing.
  @Test func everyOpcodeMovesOnAsItShould() {
    let opcodes: [UInt8] = [
      0, 5, 2, 0x00, 0x70, 0x02, 0x00, 1, 8, 3, 9, 0, 2, 4, 7, 5, 3, 6, 7, 10, 11, 12, 1, 1, 9, 0x10, 0x01, 3, 0x7F, 1,
      9, 4, 0, 0, 1, 1,
    ]
    let table = Self.table(Self.unit(4, program: opcodes))
    #expect(table.lack == nil)
    #expect(Self.lines(table, 0x27000, 0x27021, 0x27022, 0x27131, 0x27132, 0x27136) == [1, 1, 10, 10, 9, nil])
  }

  @Test func aFileThatTheProgramNamesIsKnown() {
    let define: [UInt8] = [0, 10, 3] + Array("new.c\0".utf8) + [1, 0, 0, 4, 2]
    let table = Self.table(Self.unit(3, program: define + Self.program))
    #expect(table.files == ["src/new.c"])
  }

  /// The linker drops functions, but not their lines.
  @Test func linesOfDroppedFunctionsAreLeftOut() {
    let dropped: [UInt8] = [0, 5, 2, 0, 0, 0, 0, 1, 2, 4, 0, 1, 1]
    let table = Self.table(Self.unit(5, program: dropped + Self.program)) { $0 >= 0x27000 }
    #expect(table.ranges.map(\.start) == [0x27000, 0x27002])
  }

  @Test func aBrokenUnitIsSkippedAndTold() {
    let good = Self.unit(5, program: Self.program)
    let bad = Self.unit(6, program: Self.program)
    let table = Self.table(bad + good)
    #expect(table.lack == "the lines in the ELF file are broken at offset 0x0 of .debug_line")
    #expect(Self.lines(table, 0x27000) == [34])
    #expect(Self.table([]).lack == "the ELF file has no lines: build it with -g")
  }

  /// All of a file, however long it becomes.
  private static let whole = 0..<Int.max

  /// An ELF of ten octets at 0x27000, their lines, and the names in these; `sections` are parts of the file by name.
  private static func elf(_ sections: (_ lines: Range<Int>, _ names: Range<Int>) -> [(String, Range<Int>)]) -> [UInt8] {
    var file: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 1, 1] + Array(repeating: 0, count: 46)
    func put(_ value: Int, at offset: Int, _ count: Int = 4) {
      file.replaceSubrange(offset..<(offset + count), with: octets(UInt32(value), count))
    }
    for word in [1, 84, 0x27000, 0x27000, 10, 10, 5, 1] { file += octets(UInt32(word)) }
    file += [0x00, 0x00, 0x04, 0x20, 0x09, 0x70, 0x02, 0x00, 0xFE, 0xE7]
    let lines = file.count..<(file.count + unit(5, program: program).count)
    file += unit(5, program: program)
    let names = file.count..<(file.count + 11)
    file += Array("xyz\0main.c\0".utf8)
    let parts = [("", file.count..<file.count)] + sections(lines, names)
    let texts = file.count
    file += parts.flatMap { Array($0.0.utf8) + [0] }
    for (offset, value) in [(18, 40), (42, 32), (44, 1), (46, 40), (48, parts.count)] { put(value, at: offset, 2) }
    put(52, at: 28)
    put(file.count, at: 32)
    let size = file.count + parts.count * 40
    var name = 0
    for part in parts {
      let place = part.0.isEmpty ? texts..<texts : part.1.clamped(to: 0..<size)
      for word in [name, 1, 0, 0, place.lowerBound, place.count, 0, 0, 1, 0] { file += octets(UInt32(word)) }
      name += part.0.utf8.count + 1
    }
    return file
  }

  private static func lines(in file: [UInt8]) throws -> LineTable {
    try FirmwareImage(file, name: "app.elf").symbols.lines
  }

  /// Thousands of headers may bear one name; only the first is read.
  @Test func aSectionIsReadOnce() throws {
    let once = try Self.lines(in: Self.elf { [(".debug_line", $0), (".debug_line_str", $1)] })
    #expect(Self.lines(once, 0x27000) == [34])
    let twice = Self.elf { [(".debug_line", $0), (".debug_line_str", $1), (".debug_line", 0..<8)] }
    #expect(try Self.lines(in: twice) == once)
  }

  /// Sections that overlap name more octets than the file has; what would go beyond that is left out.
  @Test func sectionsHoldNoMoreThanTheirFile() throws {
    let file = Self.elf { [(".debug_str", Self.whole), (".debug_line", $0), (".debug_line_str", $1)] }
    #expect(try Self.lines(in: file).lack == "the ELF file has no lines: build it with -g")
  }

  @Test func aPlaceNamesFunctionAndLine() {
    let main = SymbolTable.Symbol(address: 0x27000, size: 0x10, isFunction: true, name: "main")
    let symbols = SymbolTable([main], lines: Self.table(Self.unit(5, program: Self.program)))
    #expect(symbols.place(0x27000) == "main (main.c:34)")
    #expect(symbols.place(0x27004) == "main+0x4 (main.c:35)")
    #expect(symbols.place(0x2700C) == "main+0xc (0x2700c)")
    #expect(SymbolTable([], lines: symbols.lines).place(0x27004) == "0x27004 (main.c:35)")
  }

  /// Octets of nonsense, cut and changed in 40,000 ways: the table is always in order, and nothing traps.
  @Test(arguments: 2...5) func hostileLinesAreReadOrLeftOut(version: Int) {
    let whole = Self.unit(version, program: Self.program + Self.program)
    var state = UInt64(version)
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for count in 0..<whole.count { _ = Self.table(Array(whole.prefix(count))) }
    for _ in 0..<10_000 {
      var octets = whole
      for _ in 0...next(4) { octets[next(octets.count)] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(next(256))][next(6)] }
      if next(4) == 0 { octets.removeLast(next(octets.count)) }
      if next(4) == 0 { octets += octets }
      let table = Self.table(octets)
      let isOrdered = zip(table.ranges, table.ranges.dropFirst()).allSatisfy { $0.start <= $1.start }
      let isSound = table.ranges.allSatisfy {
        $0.start < $0.end && table.files.indices.contains($0.file) && $0.line > 0
      }
      guard isOrdered, isSound else {
        Issue.record("\(octets)")
        return
      }
    }
  }
}
