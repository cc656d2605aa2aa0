/// Which requests a scenario wrote: the next one of a phone, on the link that it has, each time the phone was told what to write.
struct DictatedRequests {
  private var counts: [UInt16: Int] = [:]

  /// Follows an event, and says whether it is a request that a scenario wrote.
  mutating func wrote(_ event: ProductEvent) -> Bool {
    if case .oracle(.update(.improvised(let phone))) = event.happening {
      counts[phone, default: 0] += 1
      return false
    }
    // Most events come where nothing is dictated.
    guard !counts.isEmpty, event.source.part == .phone, let count = counts[event.source.index] else { return false }
    switch event.happening {
    case .fileTransfer(.requested):
      counts[event.source.index] = count > 1 ? count - 1 : nil
      return true
    case .linkUp, .linkDown: counts[event.source.index] = nil
    default: break
    }
    return false
  }
}
