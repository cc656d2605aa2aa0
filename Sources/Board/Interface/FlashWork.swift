/// Something that is done to the chip's flash, or to the registers beside it that are flash as well.
package enum FlashWork: Hashable, Sendable {
  /// The page that begins at an address is erased.
  case erase(UInt32)
  /// A word is written; bits can only become 0.
  case word(UInt32, at: UInt32)

  /// Where.
  package var address: UInt32 {
    switch self {
    case .erase(let address), .word(_, let address): address
    }
  }
}
