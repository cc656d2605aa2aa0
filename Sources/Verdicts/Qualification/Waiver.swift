/// The decision of a person to ship although a requirement is violated.
package struct Waiver: Hashable, Sendable, Codable {
  /// Id of the requirement.
  package var requirement: String
  /// Who decided.
  package var grantedBy: String
  /// The last day on which it holds, as `2026-12-31`.
  package var until: String
  /// Why, in the words of the plan.
  package var reason: String
  /// Where it is written, as `file:line`.
  package var place: String

  package init(requirement: String, grantedBy: String, until: String, reason: String, place: String) {
    self.requirement = requirement
    self.grantedBy = grantedBy
    self.until = until
    self.reason = reason
    self.place = place
  }

  /// Whether it no longer holds on a day, written like ``until``. An expired waiver waives nothing.
  package func isExpired(on today: String) -> Bool { until < today }

  /// Who waived what until when, and why, in one sentence.
  package var sentence: String { "waived by \(grantedBy) until \(until) (\(place)): \(reason)" }
}
