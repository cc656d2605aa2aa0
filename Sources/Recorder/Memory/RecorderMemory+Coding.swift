import Bytes
import Crypto
import DictofunProtocol
import HostStack
import SecureDFU
import Timeline

/// A recorder's memory as it is written: a table, and the contents that the table names by their SHA-256.
///
/// The table begins with ``magic`` and a version, and ends with the SHA-256 of all that stands before. Numbers are least
/// significant octet first.
package struct EncodedMemory: Sendable {
  /// What every table begins with.
  package static let magic = Array("DICTOMEM".utf8)
  /// The version that is written, and the newest that is read.
  package static let version: UInt16 = 1

  /// The table.
  package let table: [UInt8]
  /// Contents and their digests, each once.
  package let contents: [(digest: [UInt8], octets: [UInt8])]
}

/// Why a memory cannot be read.
package enum MemoryRefusal: Error, Hashable, Sendable {
  /// It was written by a newer version of this program.
  case newer(version: UInt16)
  /// Its octets are not those that were written.
  case damaged
}

/// Writes memories. It remembers the digests of what it wrote last, because most records and pages do not change.
package struct MemoryEncoder: Sendable {
  private var known: [(octets: [UInt8], digest: [UInt8])] = []

  package init() {}

  /// Encodes the memory as it is at `instant`, which is `wall` nanoseconds since 1970 on the wall clock.
  package mutating func encode(_ memory: RecorderMemory, at instant: Instant, wall: Int64) -> EncodedMemory {
    let contents = memory.contents
    // Octets that were not changed are the same buffer, which is seen at once.
    known = contents.enumerated().map { index, octets in
      if known.indices.contains(index), known[index].octets == octets { return known[index] }
      return known.first { $0.octets.count == octets.count && $0.octets == octets } ?? (octets, SHA256.digest(octets))
    }
    var digests = known[...].map(\.digest)
    var writer = ByteWriter(capacity: 1024)
    writer.write(EncodedMemory.magic)
    writer.write(EncodedMemory.version)
    writer.write(memory.address)
    writer.writeText(memory.profile)
    writer.writeText(memory.board)
    writer.write(memory.clock, at: instant, wall: wall)
    writer.write(UInt8(memory.hasTakenTime ? 1 : 0) | UInt8(memory.hasBeenConnected ? 2 : 0))
    writer.writeOptional(memory.bootloaderName) { writer, name in writer.writeField(name) }
    writer.write(memory.storage, &digests)
    writer.writeList(memory.bonds) { writer, bond in writer.write(bond) }
    writer.writeOptional(memory.chip.settings) { writer, settings in writer.write(settings) }
    writer.writeOptional(memory.chip.backup) { writer, settings in writer.write(settings) }
    writer.writeList(memory.chip.pages) { writer, page in
      writer.writeOptional(page.isEmpty ? nil : digests.removeFirst()) { writer, digest in writer.write(digest) }
    }
    var written: [(digest: [UInt8], octets: [UInt8])] = []
    for entry in known where !written.contains(where: { $0.digest == entry.digest }) {
      written.append((entry.digest, entry.octets))
    }
    return EncodedMemory(table: writer.bytes + SHA256.digest(writer.bytes), contents: written)
  }
}

extension RecorderMemory {
  /// Reads a table; `content` gives the octets with a digest, where there are any. The clock has run on since, by the
  /// time that has passed on the wall clock, and stands at time zero.
  package init(
    decoding table: [UInt8], wall: Int64, content: ([UInt8]) -> [UInt8]?
  ) throws(MemoryRefusal) {
    let digestLength = SHA256.digestLength
    guard table.starts(with: EncodedMemory.magic), table.count > EncodedMemory.magic.count + digestLength + 2 else {
      throw .damaged
    }
    let version = UInt16(table[8]) | UInt16(table[9]) << 8
    guard version <= EncodedMemory.version else { throw .newer(version: version) }
    let octets = Array(table.dropLast(digestLength))
    guard version > 0, SHA256.digest(octets) == Array(table.suffix(digestLength)) else { throw .damaged }
    do {
      var reader = ByteReader(octets.span)
      _ = try reader.readBytes(EncodedMemory.magic.count + 2, "beginning")
      self = try reader.readMemory(wall: wall) { digest in
        guard let octets = content(digest), SHA256.digest(octets) == digest else { return nil }
        return octets
      }
      try reader.expectEnd("end")
    } catch { throw .damaged }
  }
}
