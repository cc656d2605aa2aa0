/// The sections of an ELF file from which lines are read.
struct DebugSections {
  var lines: [UInt8] = []
  var lineStrings: [UInt8] = []
  var strings: [UInt8] = []
  /// Whether the lines are there, but compressed.
  var isCompressed = false
}

/// The header of a line program: how its opcodes are read, and which files it names (DWARF 5, 6.2.4; DWARF 2 to 4 in the
/// same place).
struct LineProgramHeader {
  /// Where a text stands.
  enum Text: Hashable {
    /// In the header itself.
    case here(Int)
    /// In `.debug_line_str`.
    case line(UInt64)
    /// In `.debug_str`.
    case string(UInt64)
  }

  /// A file as it is named: its text, and the index of its folder.
  struct File: Hashable {
    var name: Text
    var folder: UInt64
  }

  let version: Int
  let minimumLength: UInt64
  let lineBase: Int64
  let lineRange: Int64
  let opcodeBase: Int
  /// Operands of each standard opcode, from opcode 1 on.
  let operandCounts: [UInt8]
  private(set) var folders: [Text] = []
  private(set) var files: [File] = []
  /// Where the program begins.
  let program: Int

  /// Files and folders that are read of one header.
  private static let entryLimit = 1 << 16

  /// Reads a header after its length; `isWide` for the 64-bit format.
  init(_ cursor: inout DebugCursor, isWide: Bool) throws(DebugCursor.Broken) {
    version = Int(try cursor.number(2))
    guard (2...5).contains(version) else { throw DebugCursor.Broken() }
    // Sizes of addresses and segment selectors: an address is read with the length that its opcode states.
    if version == 5 { try cursor.skip(2) }
    let length = try cursor.number(isWide ? 8 : 4)
    guard length <= UInt64(cursor.remaining) else { throw DebugCursor.Broken() }
    program = cursor.position + Int(length)
    minimumLength = UInt64(try cursor.octet())
    if version >= 4 { try cursor.skip(1) }
    try cursor.skip(1)
    lineBase = Int64(Int8(bitPattern: try cursor.octet()))
    lineRange = Int64(try cursor.octet())
    opcodeBase = Int(try cursor.octet())
    guard lineRange > 0, opcodeBase > 0 else { throw DebugCursor.Broken() }
    var counts: [UInt8] = []
    for _ in 1..<max(1, opcodeBase) { counts.append(try cursor.octet()) }
    operandCounts = counts
    if version == 5 { try readTables(&cursor, isWide: isWide) } else { try readLists(&cursor) }
  }

  /// The file with a number; `nil` where the header names none.
  func file(_ number: UInt64) -> File? {
    let index = version == 5 ? number : number &- 1
    return index < UInt64(files.count) ? files[Int(index)] : nil
  }

  /// The folder with a number; `nil` for that of the compilation, which headers before version 5 do not name.
  func folder(_ number: UInt64) -> Text? {
    let index = version == 5 ? number : number &- 1
    return index < UInt64(folders.count) ? folders[Int(index)] : nil
  }

  /// Takes a file that the program itself names.
  mutating func append(_ file: File) {
    if files.count < Self.entryLimit { files.append(file) }
  }

  // MARK: Versions 2 to 4

  private mutating func readLists(_ cursor: inout DebugCursor) throws(DebugCursor.Broken) {
    while folders.count < Self.entryLimit {
      let start = try cursor.text()
      guard cursor.position - start > 1 else { break }
      folders.append(.here(start))
    }
    while files.count < Self.entryLimit {
      let start = try cursor.text()
      guard cursor.position - start > 1 else { break }
      append(try Self.file(named: start, &cursor))
    }
  }

  /// A file of the old form, after its name: folder, time, size.
  static func file(named start: Int, _ cursor: inout DebugCursor) throws(DebugCursor.Broken) -> File {
    let folder = try cursor.unsigned()
    _ = try cursor.unsigned()
    _ = try cursor.unsigned()
    return File(name: .here(start), folder: folder)
  }

  // MARK: Version 5

  private mutating func readTables(_ cursor: inout DebugCursor, isWide: Bool) throws(DebugCursor.Broken) {
    for entry in try Self.table(&cursor, isWide) { folders.append(entry.name) }
    for entry in try Self.table(&cursor, isWide) { append(entry) }
  }

  private static func table(_ cursor: inout DebugCursor, _ isWide: Bool) throws(DebugCursor.Broken) -> [File] {
    var formats: [(content: UInt64, form: UInt64)] = []
    for _ in 0..<(try cursor.octet()) { formats.append((try cursor.unsigned(), try cursor.unsigned())) }
    let count = try cursor.unsigned()
    guard count == 0 || !formats.isEmpty, count <= UInt64(min(cursor.remaining, entryLimit)) else {
      throw DebugCursor.Broken()
    }
    var entries: [File] = []
    for _ in 0..<count {
      var file = File(name: .line(.max), folder: 0)
      for format in formats {
        switch format.content {
        case 1: file.name = try text(format.form, &cursor, isWide)
        case 2: file.folder = try number(format.form, &cursor)
        default: try skip(format.form, &cursor, isWide)
        }
      }
      entries.append(file)
    }
    return entries
  }

  private static func text(
    _ form: UInt64, _ cursor: inout DebugCursor, _ isWide: Bool
  ) throws(DebugCursor.Broken) -> Text {
    switch form {
    case 0x08: return .here(try cursor.text())
    case 0x0E: return .string(try cursor.number(isWide ? 8 : 4))
    case 0x1F: return .line(try cursor.number(isWide ? 8 : 4))
    default: throw DebugCursor.Broken()
    }
  }

  private static func number(_ form: UInt64, _ cursor: inout DebugCursor) throws(DebugCursor.Broken) -> UInt64 {
    switch form {
    case 0x0B: return try cursor.number(1)
    case 0x05: return try cursor.number(2)
    case 0x06: return try cursor.number(4)
    case 0x07: return try cursor.number(8)
    case 0x0F: return try cursor.unsigned()
    default: throw DebugCursor.Broken()
    }
  }

  /// Skips a value that is not needed: a time, a size, a digest.
  private static func skip(_ form: UInt64, _ cursor: inout DebugCursor, _ isWide: Bool) throws(DebugCursor.Broken) {
    switch form {
    case 0x08, 0x0E, 0x1F: _ = try text(form, &cursor, isWide)
    case 0x1E: try cursor.skip(16)
    case 0x09: try cursor.skip(try cursor.unsigned())
    case 0x0A: try cursor.skip(try cursor.number(1))
    default: _ = try number(form, &cursor)
    }
  }
}
