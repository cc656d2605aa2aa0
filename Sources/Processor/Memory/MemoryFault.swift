/// Why memory could not be read, written or laid out.
package struct MemoryFault: Error, Equatable, Sendable {
  /// What was wrong.
  package enum Reason: Equatable, Sendable {
    /// No region holds the address.
    case unmapped
    /// The region may be changed by ``Memory/load(_:at:)`` only.
    case readOnly
    /// A region is empty, overlaps another one, is not a multiple of the page size, or crosses a 256 MiB boundary.
    case layout
  }

  /// What was wrong.
  package let reason: Reason
  /// The first octet that could not be accessed, or the base of the region that does not fit.
  package let address: UInt32

  /// Describes a fault at an address.
  package init(_ reason: Reason, at address: UInt32) {
    self.reason = reason
    self.address = address
  }
}
