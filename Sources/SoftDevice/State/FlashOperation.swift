/// One operation on the chip's flash.
package struct FlashOperation: Hashable, Sendable {
  /// What is done.
  package enum Kind: Hashable, Sendable {
    /// The page at the address is erased.
    case erase
    /// These words are written from the address on; bits can only become 0.
    case write(words: Int)
  }

  /// What is done.
  package var kind: Kind
  /// The first address, in octets.
  package var address: UInt32
  /// When it began, in cycles.
  package var begin: UInt64
  /// Octets to be written, as they were at the beginning.
  var octets: [UInt8] = []
  /// Where they came from.
  var source: UInt32 = 0
  /// Tells it from those before.
  var number: UInt32 = 0
}
