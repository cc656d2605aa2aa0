/// What a monitor keeps for each recorder or each phone, by its number in the scenario.
protocol NumberedState {
  var index: UInt16 { get }
}

extension Array where Element: NumberedState {
  /// Where the state with the number of this one stands; this one is added where there is none.
  mutating func place(of new: Element) -> Int {
    if let known = firstIndex(where: { $0.index == new.index }) { return known }
    append(new)
    return count - 1
  }
}
