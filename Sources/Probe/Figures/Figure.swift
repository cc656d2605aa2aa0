/// A figure that was measured: the true one is expected within `spread` of `value`.
package struct Figure: Hashable, Sendable {
  /// The figure, in small units of ``unit``.
  package var value: Int64
  /// How far the true figure may be away, in the same units.
  package var spread: Int64
  /// What it counts.
  package var unit: MeasuredUnit
  /// How many samples it was made of.
  package var samples: Int
  /// How it was obtained, in one phrase.
  package var method: String

  package init(value: Int64, spread: Int64, unit: MeasuredUnit, samples: Int, method: String) {
    self.value = value
    self.spread = spread
    self.unit = unit
    self.samples = samples
    self.method = method
  }

  /// Whether another figure lies beyond the spread.
  package func excludes(_ other: Int64) -> Bool { (value - other).magnitude > spread.magnitude }
}
