import Crypto

/// A program for a recorder's chip as its build left it: what stands where in flash, and where there are symbols, what
/// its functions are called.
package struct FirmwareImage: Hashable, Sendable {
  /// Octets that stand together.
  package struct Segment: Hashable, Sendable {
    /// The address of the first octet.
    package var address: UInt32
    /// The octets.
    package var octets: [UInt8]
    /// The address behind the last octet; 64 bits wide, since a segment may end with the address space.
    var end: UInt64 { UInt64(address) + UInt64(octets.count) }
  }

  /// The format it was read from.
  package enum Format: String, Hashable, Sendable {
    /// Intel HEX.
    case hex = "Intel HEX"
    /// ELF for Arm, 32 bits.
    case elf = "ELF"
  }

  /// What the file is called.
  package let name: String
  /// The format it was read from.
  package let format: Format
  /// What stands in flash, in the order of addresses, without overlaps.
  package let segments: [Segment]
  /// Functions and variables; empty for a format without symbols.
  package let symbols: SymbolTable
  /// SHA-256 over address, length and octets of every segment: equal for an ELF and the HEX file made of it.
  package let digest: [UInt8]

  /// Largest file that is read, in octets.
  package static let largestFile = 64 << 20

  /// Reads an image. Throws what is wrong with it, with the place.
  package init(_ file: [UInt8], name: String) throws(ImageFailure) {
    guard file.count <= Self.largestFile else {
      throw ImageFailure(name, .tooLarge(octets: file.count, limit: Self.largestFile))
    }
    let content: ImageContent
    do throws(ImageFailure.Reason) {
      if file.starts(with: ELFFile.magic) {
        format = .elf
        content = try ELFFile(file).content()
      } else if file.first == UInt8(ascii: ":") {
        format = .hex
        content = try IntelHex.read(file)
      } else {
        throw .unknownFormat(first: Array(file.prefix(4)))
      }
      segments = try Self.joined(content.segments)
    } catch {
      throw ImageFailure(name, error)
    }
    self.name = name
    symbols = content.symbols
    digest = Self.digest(of: segments)
  }

  /// The address of its vector table, where its first octet stands.
  package var vectorTable: UInt32 { segments[0].address }

  /// What goes into flash, without the user registers beside it.
  package var flashSegments: [Segment] { segments.filter { !Self.userRegisters.contains($0.address) } }

  /// The same in one piece, as a raw image has it: from its first octet to its last, with gaps as erased flash reads. It is as
  /// long as the segments are apart, so an image that nobody checked is looked at first.
  package var flashOctets: [UInt8] {
    var octets: [UInt8] = []
    guard let start = flashSegments.first?.address else { return octets }
    for segment in flashSegments {
      octets += [UInt8](repeating: 0xFF, count: Int(segment.address - start) - octets.count) + segment.octets
    }
    return octets
  }

  /// The registers beside the flash that a build may write as well (UICR).
  private static let userRegisters: Range<UInt32> = 0x1000_1000..<0x1000_2000
  /// The user register that says where a bootloader begins, which the chip then starts.
  private static let startRegister: UInt32 = 0x1000_1014

  /// Checks that it can be the program of a chip: from `start` on within a flash of `flashSize` octets, with a stack
  /// pointer in a RAM of `ramSize` octets and a reset vector within itself. `start` is where the SoftDevice ends, which is
  /// where the chip starts an application unless a bootloader starts it. User registers may be written too, except the
  /// one with which a bootloader is started.
  package func check(
    start: UInt32, hasBootloader: Bool = false, flashSize: Int, ramSize: Int
  ) throws(ImageFailure) {
    for segment in flashSegments {
      if segment.address < start {
        throw ImageFailure(name, .overlapsSoftDevice(address: segment.address, start: start))
      }
    }
    try checkEnds(flashSize: flashSize)
    guard vectorTable < UInt32(clamping: flashSize) else {
      throw ImageFailure(name, .noVectorTable(octets: 0))
    }
    if let other = word(at: Self.startRegister), other != .max {
      throw ImageFailure(name, .namesBootloader(at: other, register: Self.startRegister))
    }
    try checkVectorTable(ramSize: ramSize)
    guard hasBootloader || vectorTable == start else {
      throw ImageFailure(name, .aboveStart(address: vectorTable, start: start))
    }
  }

  /// Checks that it can be the bootloader above an application: in a flash of `flashSize` octets, behind the last octet of
  /// the application, with a vector table that makes sense. Above the flash it may write user registers only, and one of
  /// them must say where it begins.
  package func checkBootloader(
    above application: FirmwareImage, flashSize: Int, ramSize: Int
  ) throws(ImageFailure) {
    try checkEnds(flashSize: flashSize)
    for segment in flashSegments {
      for other in application.segments where segment.end > UInt64(other.address) {
        guard UInt64(segment.address) < other.end else { continue }
        throw ImageFailure(name, .overlapsApplication(address: segment.address, end: other.end))
      }
    }
    guard vectorTable < UInt32(clamping: flashSize) else {
      throw ImageFailure(name, .noVectorTable(octets: 0))
    }
    try checkVectorTable(ramSize: ramSize)
    guard let start = word(at: Self.startRegister) else {
      throw ImageFailure(name, .noStart(register: Self.startRegister))
    }
    guard start == vectorTable else {
      throw ImageFailure(name, .badStart(start, register: Self.startRegister, expected: vectorTable))
    }
    guard vectorTable >= application.vectorTable else {
      throw ImageFailure(name, .belowApplication(address: vectorTable, start: application.vectorTable))
    }
  }

  /// Checks that what begins in the user registers ends in them, and everything else in the flash.
  private func checkEnds(flashSize: Int) throws(ImageFailure) {
    for segment in segments {
      if Self.userRegisters.contains(segment.address) {
        guard segment.end <= UInt64(Self.userRegisters.upperBound) else {
          throw ImageFailure(name, .beyondUserRegisters(address: segment.end, end: Self.userRegisters.upperBound))
        }
      } else if segment.end > UInt64(flashSize) {
        throw ImageFailure(name, .beyondFlash(address: segment.end, size: flashSize))
      }
    }
  }

  /// The word at an address; `nil` where the image puts none.
  private func word(at address: UInt32) -> UInt32? {
    guard let low = halfWord(at: address), let high = halfWord(at: address &+ 2) else { return nil }
    return UInt32(low) | UInt32(high) << 16
  }

  private func checkVectorTable(ramSize: Int) throws(ImageFailure) {
    let table = segments[0].octets
    guard table.count >= 8 else { throw ImageFailure(name, .noVectorTable(octets: table.count)) }
    let stack = Self.word(table, 0)
    let reset = Self.word(table, 4)
    let ram = UInt64(0x2000_0000)...UInt64(0x2000_0000 + ramSize)
    guard ram.contains(UInt64(stack)), stack != 0x2000_0000, stack % 4 == 0 else {
      throw ImageFailure(name, .badStackPointer(stack))
    }
    guard reset & 1 == 1, holds(reset & ~1) else { throw ImageFailure(name, .badResetVector(reset)) }
  }

  /// Whether an octet of it stands at an address.
  package func holds(_ address: UInt32) -> Bool { segments.holding(address) != nil }

  /// The half-word at an address, as the processor fetches instructions; `nil` outside the image.
  package func halfWord(at address: UInt32) -> UInt16? {
    guard let segment = segments.holding(address), UInt64(address) + 2 <= segment.end else { return nil }
    let offset = Int(address - segment.address)
    return UInt16(segment.octets[offset]) | UInt16(segment.octets[offset + 1]) << 8
  }

  private static func word(_ octets: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(octets[offset + $1]) << UInt32($1 * 8) }
  }

  /// Segments in order; those that touch become one.
  private static func joined(_ segments: [Segment]) throws(ImageFailure.Reason) -> [Segment] {
    var result: [Segment] = []
    for segment in segments.filter({ !$0.octets.isEmpty }).sorted(by: { $0.address < $1.address }) {
      guard let last = result.last else {
        result.append(segment)
        continue
      }
      guard last.end <= UInt64(segment.address) else { throw .overlap(address: segment.address) }
      if last.end == UInt64(segment.address) {
        result[result.count - 1].octets += segment.octets
      } else {
        result.append(segment)
      }
    }
    guard !result.isEmpty else { throw .empty }
    return result
  }

  private static func digest(of segments: [Segment]) -> [UInt8] {
    let hasher = SHA256Hasher()
    for segment in segments {
      hasher.update((0..<4).map { UInt8(truncatingIfNeeded: segment.address >> ($0 * 8)) })
      hasher.update((0..<4).map { UInt8(truncatingIfNeeded: segment.octets.count >> ($0 * 8)) })
      hasher.update(segment.octets)
    }
    return hasher.finish()
  }
}

extension [FirmwareImage.Segment] {
  /// The segment in which an address stands; `nil` for none. They are in the order of addresses and do not overlap.
  func holding(_ address: UInt32) -> FirmwareImage.Segment? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 && UInt64(address) < self[low - 1].end ? self[low - 1] : nil
  }
}

/// What a reader of a format found in a file.
struct ImageContent {
  var segments: [FirmwareImage.Segment] = []
  var symbols = SymbolTable([])
}
