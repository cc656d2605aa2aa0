/// Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002): the smallest part
/// of a list that still has a property, as far as leaving out parts of it can tell.
package enum DeltaDebugging {
  /// A part of `elements`, in their order, for which `holds` is true and of which no element can be left out alone.
  ///
  /// `holds` is asked about parts of the list only, never about the whole, for which it must be true.
  package static func minimum<Element>(of elements: [Element], where holds: ([Element]) -> Bool) -> [Element] {
    var current = elements
    var parts = 2
    while current.count > 0 {
      let size = max(1, (current.count + parts - 1) / parts)
      if let smaller = smaller(current, by: size, holds) {
        current = smaller
        parts = max(2, parts - 1)
      } else if size == 1 {
        break
      } else {
        parts = min(current.count, parts * 2)
      }
    }
    return current
  }

  /// The list without one of its parts of `size` elements; `nil` where each of them is needed.
  private static func smaller<Element>(
    _ elements: [Element], by size: Int, _ holds: ([Element]) -> Bool
  ) -> [Element]? {
    for start in stride(from: 0, to: elements.count, by: size) {
      let rest = Array(elements[..<start] + elements[min(start + size, elements.count)...])
      if holds(rest) { return rest }
    }
    return nil
  }
}
