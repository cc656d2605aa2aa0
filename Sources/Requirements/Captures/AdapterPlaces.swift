/// The adapters of a capture that are followed, in the order of their first packets.
struct AdapterPlaces {
  private var adapters: [UInt16] = []

  /// The place of an adapter, from 0; `nil` for one that is not followed.
  func place(of adapter: UInt16) -> Int? { adapters.firstIndex(of: adapter) }

  /// The places of those whose numbers are in a range.
  func places(in range: ClosedRange<UInt16>) -> [Int] { adapters.indices.filter { range.contains(adapters[$0]) } }

  /// The same, for an adapter that may be new: it gets the next place, while there is one.
  mutating func take(_ adapter: UInt16) -> Int? {
    if let known = place(of: adapter) { return known }
    guard adapters.count < CaptureJudge.adapterLimit else { return nil }
    adapters.append(adapter)
    return adapters.count - 1
  }
}
