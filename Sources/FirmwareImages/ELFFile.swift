/// ELF for Arm, 32 bits, little-endian (System V ABI, 4; ELF for the Arm Architecture): what goes into flash, by load
/// address, and its symbols. Every offset comes from a stranger and is checked.
struct ELFFile {
  static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
  private static let machineArm: UInt16 = 40
  private static let headerLimit = 4096
  private static let symbolLimit = 1 << 20

  private let file: [UInt8]

  init(_ file: [UInt8]) throws(ImageFailure.Reason) {
    self.file = file
    guard file.count >= 52 else { throw .truncated("an ELF header has 52 octets, the file \(file.count)") }
    guard file[4] == 1 else { throw .foreign("a 64-bit ELF file") }
    guard file[5] == 1 else { throw .foreign("a big-endian ELF file") }
    let machine = try half(18)
    guard machine == Self.machineArm else { throw .foreign("an ELF file for machine \(machine)") }
  }

  func content() throws(ImageFailure.Reason) -> ImageContent {
    var content = ImageContent()
    content.segments = try segments().sorted { $0.address < $1.address }
    let (symbols, boundaries) = try symbols()
    let segments = content.segments
    let lines = LineProgramReader.read(debugSections) { segments.holding($0) != nil }
    content.symbols = SymbolTable(symbols, boundaries: boundaries, lines: lines)
    return content
  }

  // MARK: What goes into flash

  private func segments() throws(ImageFailure.Reason) -> [FirmwareImage.Segment] {
    let offset = try word(28)
    let size = Int(try half(42))
    let count = Int(try half(44))
    guard count == 0 || size >= 32, count <= Self.headerLimit else {
      throw .foreign("\(count) program headers of \(size) octets")
    }
    var result: [FirmwareImage.Segment] = []
    var total = 0
    for index in 0..<count {
      let header = Int(offset) + index * size
      let isLoaded = try word(header) == 1
      let length = Int(try word(header + 16))
      guard isLoaded, length > 0 else { continue }
      let start = Int(try word(header + 4))
      let address = try word(header + 12)
      guard start <= file.count, length <= file.count - start else {
        throw .truncated("segment \(index) has \(length) octets from \(start) on, the file \(file.count)")
      }
      guard UInt64(address) + UInt64(length) <= 1 << 32 else {
        throw .foreign("segment \(index) ends beyond the address space")
      }
      total += length
      guard total <= file.count else {
        throw .foreign("its segments hold \(total) octets up to segment \(index), the file \(file.count)")
      }
      result.append(FirmwareImage.Segment(address: address, octets: Array(file[start..<(start + length)])))
    }
    return result
  }

  // MARK: Symbols

  /// Symbols, and the marks between code and data.
  private typealias Symbols = (symbols: [SymbolTable.Symbol], boundaries: [SymbolTable.Boundary])

  private func symbols() throws(ImageFailure.Reason) -> Symbols {
    let offset = Int(try word(32))
    let size = Int(try half(46))
    let count = Int(try half(48))
    guard offset > 0, size >= 40, count <= Self.headerLimit else { return ([], []) }
    for index in 0..<count {
      let header = offset + index * size
      guard try word(header + 4) == 2 else { continue }
      let link = Int(try word(header + 24))
      guard link < count else { throw .truncated("the symbol table names section \(link) of \(count)") }
      let strings = offset + link * size
      return try symbols(
        from: Int(try word(header + 16)), octets: Int(try word(header + 20)),
        names: Int(try word(strings + 16)), length: Int(try word(strings + 20)))
    }
    return ([], [])
  }

  private func symbols(
    from start: Int, octets: Int, names: Int, length: Int
  ) throws(ImageFailure.Reason) -> Symbols {
    guard start <= file.count, octets <= file.count - start, names <= file.count, length <= file.count - names else {
      throw .truncated("its symbols stand beyond its end")
    }
    var result: Symbols = ([], [])
    for index in 0..<min(octets / 16, Self.symbolLimit) {
      let entry = start + index * 16
      let kind = file[entry + 12] & 0xF
      // Functions (2), variables (1), and marks without a kind (0); the rest names files and sections.
      guard kind <= 2, try half(entry + 14) != 0 else { continue }
      let name = Int(try word(entry))
      guard name < length else { continue }
      // Cut first: without an end, the rest of the table would be read for every symbol.
      let text = file[(names + name)..<(names + length)].prefix(512).prefix { $0 != 0 }
      if kind == 0 {
        guard let boundary = Self.boundary(text, at: try word(entry + 4)) else { continue }
        result.boundaries.append(boundary)
        continue
      }
      result.symbols.append(
        SymbolTable.Symbol(
          address: try word(entry + 4) & (kind == 2 ? ~1 : ~0), size: try word(entry + 8), isFunction: kind == 2,
          name: String(decoding: text, as: UTF8.self)))
    }
    return result
  }

  /// What a symbol without a kind marks: `$t` code, `$d` data, both with an optional `.any`; `nil` for anything else.
  private static func boundary(_ name: ArraySlice<UInt8>, at address: UInt32) -> SymbolTable.Boundary? {
    let letters = Array(name.prefix(3))
    guard letters.count >= 2, letters[0] == UInt8(ascii: "$"), letters.count == 2 || letters[2] == UInt8(ascii: ".")
    else { return nil }
    switch letters[1] {
    case UInt8(ascii: "t"): return SymbolTable.Boundary(address: address, isCode: true)
    case UInt8(ascii: "d"): return SymbolTable.Boundary(address: address, isCode: false)
    default: return nil
    }
  }

  // MARK: Sections for debuggers

  /// The sections from which lines are read, the first of each name; what is missing or stands beyond the file is empty.
  /// Headers can name the same octets as often as they like, so those taken together never exceed the file.
  private var debugSections: DebugSections {
    var sections = DebugSections()
    var total = 0
    func take(_ octets: Range<Int>, into section: inout [UInt8]) {
      guard section.isEmpty, octets.count <= file.count - total else { return }
      total += octets.count
      section = Array(file[octets])
    }
    guard let offset = try? word(32), let size = try? half(46), let count = try? half(48), let names = try? half(50),
      size >= 40, offset > 0, names < count
    else { return sections }
    for index in 0..<Int(count) {
      guard let (name, octets, isCompressed) = section(Int(offset), Int(size), index, names: Int(names)) else {
        continue
      }
      if name == ".zdebug_line" || (name == ".debug_line" && isCompressed) { sections.isCompressed = true }
      guard !isCompressed else { continue }
      switch name {
      case ".debug_line": take(octets, into: &sections.lines)
      case ".debug_line_str": take(octets, into: &sections.lineStrings)
      case ".debug_str": take(octets, into: &sections.strings)
      default: break
      }
    }
    return sections
  }

  /// Name, place and whether it is compressed of a section that a debugger reads; `nil` for any other.
  private func section(
    _ offset: Int, _ size: Int, _ index: Int, names: Int
  ) -> (name: String, octets: Range<Int>, isCompressed: Bool)? {
    let header = offset + index * size
    let strings = offset + names * size
    guard let name = try? word(header), let texts = try? word(strings + 16), let flags = try? word(header + 8),
      let start = try? word(header + 16), let length = try? word(header + 20),
      Int(texts) + Int(name) < file.count, Int(start) + Int(length) <= file.count
    else { return nil }
    let text = String(decoding: file[(Int(texts) + Int(name))...].prefix(24).prefix { $0 != 0 }, as: UTF8.self)
    guard text.hasPrefix(".debug_") || text == ".zdebug_line" else { return nil }
    return (text, Int(start)..<(Int(start) + Int(length)), flags & Self.compressed != 0)
  }

  /// SHF_COMPRESSED.
  private static let compressed: UInt32 = 0x800

  // MARK: Fields

  private func half(_ offset: Int) throws(ImageFailure.Reason) -> UInt16 {
    guard offset >= 0, offset + 2 <= file.count else { throw .truncated("a field at offset \(offset) is missing") }
    return UInt16(file[offset]) | UInt16(file[offset + 1]) << 8
  }

  private func word(_ offset: Int) throws(ImageFailure.Reason) -> UInt32 {
    UInt32(try half(offset)) | UInt32(try half(offset + 2)) << 16
  }
}
