/// The words that stores changed since a loop was last seen at its head, with what they held before.
struct StoreLog {
  /// More stores than this make a loop not worth watching.
  static let limit = 96

  private(set) var isOn = false
  private(set) var hasOverflowed = false
  private(set) var words: [(address: UInt32, value: UInt32)] = []

  mutating func start() {
    isOn = true
    hasOverflowed = false
    words.removeAll(keepingCapacity: true)
  }

  mutating func end() { isOn = false }

  /// Notes what a word held before its first change.
  mutating func note(_ address: UInt32, _ value: UInt32) {
    for word in words where word.address == address { return }
    if words.count == Self.limit { hasOverflowed = true } else { words.append((address, value)) }
  }
}
