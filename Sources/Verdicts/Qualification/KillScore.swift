/// How many planted faults a suite noticed, as `mutate --format json` tells it.
package struct KillScore: Hashable, Sendable, Codable {
  /// Faults of one subject.
  package struct Subject: Hashable, Sendable, Codable {
    /// Whose faults they are: `recorder`, `phone`, `air` and so on.
    package var name: String
    /// Faults that a scenario noticed.
    package var noticed: Int
    /// Faults that were planted.
    package var total: Int

    package init(name: String, noticed: Int, total: Int) {
      self.name = name
      self.noticed = noticed
      self.total = total
    }
  }

  /// The faults by subject, in order of the names.
  package var subjects: [Subject]
  /// Faults that a scenario noticed.
  package var noticed: Int
  /// Faults that were planted.
  package var total: Int

  package init(noticed: Int, total: Int, subjects: [Subject]) {
    self.noticed = noticed
    self.total = total
    self.subjects = subjects
  }

  /// The score in one sentence.
  package var sentence: String { "The suite noticed \(noticed) of \(total) planted faults." }
}
