/// One contiguous piece of the address space that is backed by memory.
package struct MemoryRegion: Equatable, Sendable {
  /// Who may write a region.
  package enum Kind: Equatable, Sendable {
    /// Flash and factory registers: a guest's store is a fault, only ``Memory/load(_:at:)`` writes.
    case readOnly
    /// RAM.
    case readWrite
  }

  /// The first address, in octets: a multiple of ``Memory/pageSize``.
  package let base: UInt32
  /// The size in octets: a multiple of ``Memory/pageSize``.
  package let size: Int
  /// Whether the guest may write.
  package let kind: Kind
  /// What reports call this region.
  package let name: String
  /// The octet that fills the region before anything is written: 0xFF in erased flash.
  package let fill: UInt8

  /// Describes a region. Without `fill`, read-only regions hold 0xFF and others 0.
  package init(base: UInt32, size: Int, kind: Kind, name: String, fill: UInt8? = nil) {
    self.base = base
    self.size = size
    self.kind = kind
    self.name = name
    self.fill = fill ?? (kind == .readOnly ? 0xFF : 0)
  }

  /// Whether an address lies in this region.
  package func contains(_ address: UInt32) -> Bool {
    address >= base && Int(address - base) < size
  }
}
