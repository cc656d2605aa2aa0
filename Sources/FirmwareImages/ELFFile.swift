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
    content.segments = try segments()
    content.symbols = SymbolTable(try symbols())
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
      guard UInt64(address) + UInt64(length) <= 1 << 32 else { throw .beyondFlash(address: 1 << 32, size: 0) }
      result.append(FirmwareImage.Segment(address: address, octets: Array(file[start..<(start + length)])))
    }
    return result
  }

  // MARK: Symbols

  private func symbols() throws(ImageFailure.Reason) -> [SymbolTable.Symbol] {
    let offset = Int(try word(32))
    let size = Int(try half(46))
    let count = Int(try half(48))
    guard offset > 0, size >= 40, count <= Self.headerLimit else { return [] }
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
    return []
  }

  private func symbols(
    from start: Int, octets: Int, names: Int, length: Int
  ) throws(ImageFailure.Reason) -> [SymbolTable.Symbol] {
    guard start <= file.count, octets <= file.count - start, names <= file.count, length <= file.count - names else {
      throw .truncated("its symbols stand beyond its end")
    }
    var result: [SymbolTable.Symbol] = []
    for index in 0..<min(octets / 16, Self.symbolLimit) {
      let entry = start + index * 16
      let kind = file[entry + 12] & 0xF
      // Functions (2) and variables (1); the rest names files and sections.
      guard kind == 1 || kind == 2, try half(entry + 14) != 0 else { continue }
      let name = Int(try word(entry))
      guard name < length else { continue }
      let text = file[(names + name)..<(names + length)].prefix { $0 != 0 }
      result.append(
        SymbolTable.Symbol(
          address: try word(entry + 4) & (kind == 2 ? ~1 : ~0), size: try word(entry + 8), isFunction: kind == 2,
          name: String(decoding: text.prefix(512), as: UTF8.self)))
    }
    return result
  }

  // MARK: Fields

  private func half(_ offset: Int) throws(ImageFailure.Reason) -> UInt16 {
    guard offset >= 0, offset + 2 <= file.count else { throw .truncated("a field at offset \(offset) is missing") }
    return UInt16(file[offset]) | UInt16(file[offset + 1]) << 8
  }

  private func word(_ offset: Int) throws(ImageFailure.Reason) -> UInt32 {
    UInt32(try half(offset)) | UInt32(try half(offset + 2)) << 16
  }
}
