/// Who uses a phone in a schedule.
package enum Person: String, Hashable, Sendable, CaseIterable {
  /// The first phone, whose user owns the recorder. It is always there, and at the end it must have every record.
  case owner
  /// The phone of a second owner, which is paired with the recorder too.
  case partner
  /// The phone of somebody else.
  case stranger
}
