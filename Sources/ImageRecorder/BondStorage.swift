import Processor

/// The bonds in the pages of the chip's flash that the firmware's flash storage keeps (nRF5 SDK, `fds` and `peer_manager`).
///
/// Each page begins with two words that say what it is for. Records follow: a word of key and length in words, a word of
/// file and checksum, a word of number, then the content. A key of 0 marks a record that was deleted.
enum BondStorage {
  /// Pages that it takes.
  static let pageCount: UInt32 = 3
  private static let pageSize: UInt32 = 4096
  private static let magic: UInt32 = 0xDEAD_C0DE
  private static let dataPage: UInt32 = 0xF11E_01FE
  private static let headerWords: UInt32 = 3
  /// The record of a peer in which its keys stand (`PM_PEER_DATA_ID_BONDING`).
  private static let bondingKey: UInt32 = 0xC007

  /// How many peers have keys in the pages from an address on; `nil` where they do not hold what they should.
  static func count(_ memory: Memory, from start: UInt32) -> Int? {
    var count = 0
    var isThere = false
    for page in 0..<pageCount {
      let base = start + page * pageSize
      guard (try? memory.readWord(base)) == magic, (try? memory.readWord(base + 4)) == dataPage else { continue }
      isThere = true
      guard let inPage = countBonds(memory, base) else { return nil }
      count += inPage
    }
    return isThere ? count : nil
  }

  private static func countBonds(_ memory: Memory, _ base: UInt32) -> Int? {
    var count = 0
    var offset: UInt32 = 8
    while offset + headerWords * 4 <= pageSize {
      guard let word = try? memory.readWord(base + offset) else { return nil }
      if word == .max { break }
      let length = word >> 16
      guard offset + (headerWords + length) * 4 <= pageSize else { return nil }
      if word & 0xFFFF == bondingKey { count += 1 }
      offset += (headerWords + length) * 4
    }
    return count
  }
}
