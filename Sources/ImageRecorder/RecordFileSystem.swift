import Board
import DictofunProtocol
import Recorder

/// The file system of the published firmware on the flash for records, as who looks at the flash from outside finds it: a
/// directory of fixed entries, and contents in whole pages behind it (firmware, `myfs.h`).
struct RecordFileSystem {
  private static let magic: [UInt8] = [0x1F, 0x3D, 0x7B, 0x2A, 0x00, 0x01, 0x00, 0x00]
  private static let entryMagic: [UInt8] = [0xA7, 0x64, 0xC8, 0xE9]
  private static let entryLength = 32
  private static let entryCount = 255

  /// A file as its directory entry says.
  struct Entry: Hashable {
    var identifier: RecordIdentifier
    /// `nil` until the record is finished.
    var size: Int?
    var start: Int
  }

  /// The entries of a directory, in order.
  static func entries(_ flash: NORFlash) -> [Entry] {
    guard flash.octets(at: 0, count: 4) == Array(magic.prefix(4)) else { return [] }
    var result: [Entry] = []
    for index in 1...entryCount {
      let octets = flash.octets(at: index * entryLength, count: entryLength)
      guard Array(octets.prefix(4)) == entryMagic else { break }
      let size = word(octets, 16)
      var pairs: [UInt8] = []
      for pair in octets[8..<16] {
        pairs.append(UInt8(ascii: "0") + pair / 10 % 10)
        pairs.append(UInt8(ascii: "0") + pair % 10)
      }
      guard let identifier = RecordIdentifier(pairs) else { break }
      result.append(
        Entry(
          identifier: identifier, size: size == 0xFFFF_FFFF ? nil : Int(size), start: Int(word(octets, 4))))
    }
    return result
  }

  /// The finished records. An entry whose content does not fit behind those before it is not believed: no file system
  /// writes one, and a guest may write any.
  static func records(_ flash: NORFlash) -> [PlacedRecord] {
    var left = NORFlash.size
    return entries(flash).compactMap { entry in
      guard let size = entry.size, size <= left, size <= NORFlash.size - min(entry.start, NORFlash.size) else {
        return nil
      }
      left -= size
      return PlacedRecord(identifier: entry.identifier, content: flash.octets(at: entry.start, count: size))
    }
  }

  /// Puts a formatted directory with these records on a flash.
  static func format(_ flash: inout NORFlash, with records: [PlacedRecord]) {
    flash.eraseAll()
    flash.store(magic, at: 0)
    for record in records { _ = place(record, on: &flash) }
  }

  /// Puts a finished record behind those that are there; whether there was room.
  static func place(_ record: PlacedRecord, on flash: inout NORFlash) -> Bool {
    let entries = entries(flash)
    let start = end(of: entries)
    guard entries.count < FileSystemGeometry.maximumFiles,
      start + record.content.count <= FileSystemGeometry.capacityBytes
    else { return false }
    if flash.octets(at: 0, count: 4) != Array(magic.prefix(4)) { flash.store(magic, at: 0) }
    let digits = Array(record.identifier.description.utf8).map { $0 &- UInt8(ascii: "0") }
    guard digits.count == 16, digits.allSatisfy({ $0 < 10 }) else { return false }
    let identifier: [UInt8] = (0..<8).map { index in
      let (tens, ones) = (digits[2 * index], digits[2 * index + 1])
      return tens * 10 + ones
    }
    var entry = entryMagic
    entry += octets(UInt32(start))
    entry += identifier
    entry += octets(UInt32(record.content.count))
    flash.store(entry, at: (entries.count + 1) * entryLength)
    flash.store(record.content, at: start)
    return true
  }

  /// Whether a record more can be made, of a page at least.
  static func hasRoom(_ flash: NORFlash) -> Bool {
    let entries = entries(flash)
    guard entries.count < FileSystemGeometry.maximumFiles else { return false }
    return end(of: entries) + 2 * FileSystemGeometry.pageBytes <= FileSystemGeometry.capacityBytes
  }

  /// Where the next content would stand.
  private static func end(of entries: [Entry]) -> Int {
    entries.last.map { $0.start + FileSystemGeometry.extent(ofFileSize: $0.size ?? 0) } ?? FileSystemGeometry.tableBytes
  }

  private static func word(_ octets: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(octets[offset + $1]) << UInt32($1 * 8) }
  }

  private static func octets(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
