import Timeline

/// The charge that recorders took from their batteries, as far as data sheets tell: an interval, part by part.
package struct ChargeEstimate: Hashable, Sendable, Codable {
  /// One part of a recorder.
  package struct Part: Hashable, Sendable, Codable {
    /// Its name.
    package var name: String
    /// The least charge, in nanoampere-hours.
    package var leastNanoampereHours: Int64
    /// The most charge, in nanoampere-hours.
    package var mostNanoampereHours: Int64

    package init(_ name: String, least: Int64, most: Int64) {
      self.name = name
      leastNanoampereHours = least
      mostNanoampereHours = most
    }
  }

  /// Time with power, in nanoseconds, of all recorders together.
  package var poweredNanoseconds: Int64
  /// The parts, in their order.
  package var parts: [Part]
  /// What takes charge too and is not in it: no source tells it, or nothing measures it.
  package var notCounted: [String]

  package init(powered: Duration, parts: [Part], notCounted: [String]) {
    poweredNanoseconds = powered.wholeNanoseconds
    self.parts = parts
    self.notCounted = notCounted
  }

  /// The least charge of all parts, in nanoampere-hours.
  package var least: Int64 { parts.reduce(0) { $0.addingClamped($1.leastNanoampereHours) } }
  /// The most charge of all parts, in nanoampere-hours.
  package var most: Int64 { parts.reduce(0) { $0.addingClamped($1.mostNanoampereHours) } }

  /// Several estimates together; `nil` of none.
  package static func sum(of estimates: [ChargeEstimate]) -> ChargeEstimate? {
    guard var total = estimates.first else { return nil }
    for estimate in estimates.dropFirst() {
      total.poweredNanoseconds = total.poweredNanoseconds.addingClamped(estimate.poweredNanoseconds)
      for part in estimate.parts {
        if let index = total.parts.firstIndex(where: { $0.name == part.name }) {
          total.parts[index].leastNanoampereHours =
            total.parts[index].leastNanoampereHours.addingClamped(part.leastNanoampereHours)
          total.parts[index].mostNanoampereHours =
            total.parts[index].mostNanoampereHours.addingClamped(part.mostNanoampereHours)
        } else {
          total.parts.append(part)
        }
      }
      total.notCounted += estimate.notCounted.filter { !total.notCounted.contains($0) }
    }
    return total
  }
}

extension Int64 {
  /// The sum, or the nearest number there is: what reports hold is not to be trusted.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other > 0 ? .max : .min) : sum
  }
}
