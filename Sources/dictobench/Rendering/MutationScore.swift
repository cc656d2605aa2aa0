import Bytes

/// How many faults were noticed, by what they are about and by requirement.
struct MutationScore {
  private struct Trial {
    let fault: String
    let subject: String
    let requirement: String?
    let scenario: String
    let isNoticed: Bool
  }

  /// A fault that makes no difference.
  private struct Equal {
    let fault: String
    let subject: String
    let reason: String
  }

  private var trials: [Trial] = []
  private var equals: [Equal] = []
  /// Requirements that no fault of the table tests.
  var untried: [String] = []

  /// The number of trials.
  var total: Int { trials.count }
  /// The number of trials that were noticed.
  var noticed: Int { trials.count(where: \.isNoticed) }

  mutating func add(fault: String, subject: String, requirement: String?, scenario: String, isNoticed: Bool) {
    trials.append(
      Trial(fault: fault, subject: subject, requirement: requirement, scenario: scenario, isNoticed: isNoticed))
  }

  /// Counts a fault that nobody can notice, for a reason that is argued.
  mutating func leaveOut(fault: String, subject: String, reason: String) {
    equals.append(Equal(fault: fault, subject: subject, reason: reason))
  }

  /// Names with the numbers of trials noticed and made, sorted by name.
  private func counts(by name: (Trial) -> String?) -> [(name: String, noticed: Int, total: Int)] {
    Array(Set(trials.compactMap(name))).sorted().map { wanted in
      let group = trials.filter { name($0) == wanted }
      return (wanted, group.count(where: \.isNoticed), group.count)
    }
  }

  /// One line for each subject and each requirement.
  var lines: [String] {
    (counts(by: \.subject) + counts(by: \.requirement)).map { "score  \($0.name)  \($0.noticed) of \($0.total)" }
  }

  /// How many faults were noticed, and how many make no difference.
  var summary: String {
    let rest = equals.isEmpty ? "" : "; \(equals.count) more make no difference"
    return "\(noticed) of \(total) faults noticed\(rest)"
  }

  var json: JSONValue {
    func object(_ counts: [(name: String, noticed: Int, total: Int)]) -> JSONValue {
      .object(counts.map { ($0.name, .object([("noticed", .integer($0.noticed)), ("total", .integer($0.total))])) })
    }
    return .object([
      ("noticed", .integer(noticed)), ("total", .integer(total)), ("subjects", object(counts(by: \.subject))),
      ("requirements", object(counts(by: \.requirement))),
      (
        "equivalent",
        .array(
          equals.map {
            .object([("fault", .string($0.fault)), ("subject", .string($0.subject)), ("reason", .string($0.reason))])
          })
      ),
      ("untried", .array(untried.map(JSONValue.string))),
      (
        "trials",
        .array(
          trials.map {
            .object([
              ("fault", .string($0.fault)), ("subject", .string($0.subject)), ("scenario", .string($0.scenario)),
              ("requirement", $0.requirement.map(JSONValue.string) ?? .null), ("noticed", .boolean($0.isNoticed)),
            ])
          })
      ),
    ])
  }
}
