/// Executes the line programs of `.debug_line` (DWARF 2 to 5, 6.2) into a table of lines.
///
/// Whatever the section holds, an image stays usable: what cannot be read is left out, and the table says so.
struct LineProgramReader {
  /// The registers of a line program that matter here.
  private struct Registers {
    var address: UInt32 = 0
    var file: UInt64 = 1
    var line: Int64 = 1
  }

  /// Rows that are executed of all programs together; a build of the published firmware has some 200,000.
  private static let rowLimit = 1 << 22
  /// Different files that are named at most.
  private static let fileLimit = 1 << 14
  /// Octets that are taken of one name.
  private static let nameLimit = 1024
  /// The highest line that is believed.
  private static let lineLimit: Int64 = 10_000_000

  private let sections: DebugSections
  private let holds: (UInt32) -> Bool
  private var files: [String] = []
  private var numbers: [String: Int] = [:]
  private var ranges: [LineTable.Range] = []
  private var rows = 0
  private var lack: String?

  /// The lines of code for which `holds` is true; the linker leaves lines of functions that it dropped.
  static func read(_ sections: DebugSections, holds: @escaping (UInt32) -> Bool) -> LineTable {
    if sections.isCompressed { return LineTable(lack: "the lines in the ELF file are compressed") }
    guard !sections.lines.isEmpty else { return LineTable(lack: "the ELF file has no lines: build it with -g") }
    var reader = LineProgramReader(sections, holds)
    reader.readUnits()
    return LineTable(files: reader.files, ranges: reader.ranges, lack: reader.lack)
  }

  private init(_ sections: DebugSections, _ holds: @escaping (UInt32) -> Bool) {
    self.sections = sections
    self.holds = holds
  }

  private mutating func readUnits() {
    var cursor = DebugCursor(sections.lines, 0..<sections.lines.count)
    while cursor.remaining > 0, rows < Self.rowLimit {
      let start = cursor.position
      do throws(DebugCursor.Broken) {
        var length = try cursor.number(4)
        let isWide = length == 0xFFFF_FFFF
        if isWide { length = try cursor.number(8) }
        let begin = cursor.position
        try cursor.skip(length)
        var unit = DebugCursor(sections.lines, begin..<cursor.position)
        do throws(DebugCursor.Broken) { try read(&unit, isWide) } catch { note(start) }
      } catch {
        note(start)
        return
      }
    }
    if rows >= Self.rowLimit { lack = lack ?? "only the first \(Self.rowLimit) lines of the ELF file were read" }
  }

  private mutating func note(_ offset: Int) {
    lack = lack ?? "the lines in the ELF file are broken at offset 0x\(String(offset, radix: 16)) of .debug_line"
  }

  private mutating func read(_ unit: inout DebugCursor, _ isWide: Bool) throws(DebugCursor.Broken) {
    let end = unit.end
    var header = try LineProgramHeader(&unit, isWide: isWide)
    var cursor = DebugCursor(sections.lines, header.program..<end)
    var known: [UInt64: Int] = [:]
    var registers = Registers()
    /// The row before this one in the same sequence.
    var last: Registers?
    while cursor.remaining > 0, rows < Self.rowLimit {
      let opcode = Int(try cursor.octet())
      var isRow = false
      var endsSequence = false
      if opcode >= header.opcodeBase {
        let step = Int64(opcode - header.opcodeBase)
        registers.address &+= UInt32(truncatingIfNeeded: UInt64(step / header.lineRange) &* header.minimumLength)
        registers.line &+= header.lineBase + step % header.lineRange
        isRow = true
      } else if opcode == 0 {
        endsSequence = try Self.extended(&cursor, &registers, &header)
        isRow = endsSequence
      } else {
        isRow = try Self.standard(opcode, &cursor, &registers, header)
      }
      guard isRow else { continue }
      rows += 1
      if let last { append(last, until: registers.address, header, &known) }
      last = endsSequence ? nil : registers
      if endsSequence { registers = Registers() }
    }
  }

  /// Performs a standard opcode; whether it appends a row.
  private static func standard(
    _ opcode: Int, _ cursor: inout DebugCursor, _ registers: inout Registers, _ header: LineProgramHeader
  ) throws(DebugCursor.Broken) -> Bool {
    switch opcode {
    case 1: return true
    case 2: registers.address &+= UInt32(truncatingIfNeeded: try cursor.unsigned() &* header.minimumLength)
    case 3: registers.line &+= try cursor.signed()
    case 4: registers.file = try cursor.unsigned()
    case 5: _ = try cursor.unsigned()
    case 6, 7, 10, 11: break
    case 8:
      let step = Int64(255 - header.opcodeBase) / header.lineRange
      registers.address &+= UInt32(truncatingIfNeeded: UInt64(step) &* header.minimumLength)
    case 9: registers.address &+= UInt32(truncatingIfNeeded: try cursor.number(2))
    default:
      // An opcode of a later version: its operands are skipped.
      for _ in 0..<header.operandCounts[opcode - 1] { _ = try cursor.unsigned() }
    }
    return false
  }

  /// Performs an extended opcode; whether it ends the sequence.
  private static func extended(
    _ cursor: inout DebugCursor, _ registers: inout Registers, _ header: inout LineProgramHeader
  ) throws(DebugCursor.Broken) -> Bool {
    let length = try cursor.unsigned()
    guard length > 0, length <= UInt64(cursor.remaining) else { throw DebugCursor.Broken() }
    let end = cursor.position + Int(length)
    let opcode = try cursor.octet()
    switch opcode {
    case 1: break
    case 2: registers.address = UInt32(truncatingIfNeeded: try cursor.number(min(8, Int(length) - 1)))
    case 3 where header.version < 5:
      let name = try cursor.text()
      header.append(try LineProgramHeader.file(named: name, &cursor))
    default: break
    }
    guard cursor.position <= end else { throw DebugCursor.Broken() }
    try cursor.skip(UInt64(end - cursor.position))
    return opcode == 1
  }

  // MARK: The table

  private mutating func append(
    _ row: Registers, until end: UInt32, _ header: LineProgramHeader, _ known: inout [UInt64: Int]
  ) {
    guard end > row.address, (1...Self.lineLimit).contains(row.line), holds(row.address) else { return }
    guard let file = known[row.file] ?? number(of: row.file, header) else { return }
    known[row.file] = file
    let line = Int(row.line)
    if let previous = ranges.last, previous.end == row.address, previous.file == file, previous.line == line {
      ranges[ranges.count - 1].end = end
    } else {
      ranges.append(LineTable.Range(start: row.address, end: end, file: file, line: line))
    }
  }

  /// The number of a file in the table, which takes it over when it is new.
  private mutating func number(of file: UInt64, _ header: LineProgramHeader) -> Int? {
    guard let named = header.file(file) else { return nil }
    let path = path(of: named, header)
    guard !path.isEmpty else { return nil }
    if let number = numbers[path] { return number }
    guard files.count < Self.fileLimit else { return nil }
    numbers[path] = files.count
    files.append(path)
    return files.count - 1
  }

  private func path(of file: LineProgramHeader.File, _ header: LineProgramHeader) -> String {
    let name = text(file.name)
    guard !name.hasPrefix("/"), let folder = header.folder(file.folder).map(text), !folder.isEmpty else { return name }
    guard !folder.hasPrefix("/"), header.version == 5, file.folder != 0, let first = header.folder(0).map(text),
      !first.isEmpty
    else { return folder + "/" + name }
    return first + "/" + folder + "/" + name
  }

  private func text(_ text: LineProgramHeader.Text) -> String {
    let (octets, start): ([UInt8], UInt64) =
      switch text {
      case .here(let offset): (sections.lines, UInt64(offset))
      case .line(let offset): (sections.lineStrings, offset)
      case .string(let offset): (sections.strings, offset)
      }
    guard start < UInt64(octets.count) else { return "" }
    return String(decoding: octets[Int(start)...].prefix(Self.nameLimit).prefix { $0 != 0 }, as: UTF8.self)
  }
}
