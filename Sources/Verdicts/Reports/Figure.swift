/// A number that a scenario measured besides its verdict.
package struct Figure: Hashable, Sendable, Codable {
  /// What was measured, such as `throughput`.
  package var name: String
  /// The number.
  package var value: Int64
  /// Its unit, such as `ms`.
  package var unit: String

  package init(_ name: String, _ value: Int64, _ unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }
}

/// What one measurement came to in all scenarios on one target.
package struct MeasuredFigure: Hashable, Sendable, Codable {
  /// What was measured.
  package var name: String
  /// The unit of the numbers.
  package var unit: String
  /// The target.
  package var target: String
  /// The number of each scenario that measured it, smallest first; never empty where this program wrote it.
  package var values: [Int64]

  package init(name: String, unit: String, target: String, values: [Int64]) {
    self.name = name
    self.unit = unit
    self.target = target
    self.values = values
  }

  /// The figures of one target, in order of their names.
  package static func of(_ figures: [Figure], on target: String) -> [MeasuredFigure] {
    let names = Array(Set(figures.map(\.name))).sorted()
    return names.compactMap { name in
      let same = figures.filter { $0.name == name }
      guard let unit = same.first?.unit else { return nil }
      return MeasuredFigure(
        name: name, unit: unit, target: target, values: same.filter { $0.unit == unit }.map(\.value).sorted())
    }
  }

  /// The smallest, the middle and the greatest number; `nil` for a document without any.
  package var spread: (smallest: Int64, middle: Int64, greatest: Int64)? {
    let sorted = values.sorted()
    guard let smallest = sorted.first, let greatest = sorted.last else { return nil }
    return (smallest, sorted[sorted.count / 2], greatest)
  }
}
