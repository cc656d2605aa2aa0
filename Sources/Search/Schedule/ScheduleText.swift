import Text

/// A schedule as a scenario file.
package struct ScheduleText: Sendable {
  /// The stable name of the scenario, from which its seed is derived.
  package let id: String
  /// One sentence that is true when the scenario passes.
  package var title: String
  /// More about it, for readers; `nil` for nothing.
  package var description: String?
  /// The requirements that it is about, besides the one that its closing shows.
  package var requirements: [String] = []
  /// Behaviours of the published firmware that the recorder has, by their names in scenarios.
  package let published: [String]

  package init(id: String, published: [String] = []) {
    self.id = id
    self.published = published
    title = "whatever happens, every record arrives"
  }

  /// The file of a schedule.
  package func text(of schedule: Schedule) -> String {
    let closing = Closing(of: schedule).steps
    let kept = closing.prefix(schedule.closing ?? closing.count)
    let names = schedule.people.count > 1
    var lines = ["scenario: >-"] + Self.folded(title) + ["id: \(id)"]
    if let description { lines += ["description: >-"] + Self.folded(description) }
    let shown = Closing.shown(by: schedule).filter { !requirements.contains($0) }
    lines += ["verifies: [\((requirements + shown).joined(separator: ", "))]", "tags: [explored]"]
    lines += given(schedule) + ["steps:"]
    for action in schedule.actions {
      let (choice, person) = (action.step, action.declaration.person)
      lines.append("  - \(choice.step)")
      if names, let person { lines.append("    as: \(person.rawValue)") }
      if let limit = choice.limit { lines.append("    within: \(limit)") }
      if person != nil { lines.append("    may-fail: true") }
    }
    if !kept.isEmpty, !schedule.actions.isEmpty {
      lines.append("  # From here on everything is in order again, and what is owed must arrive.")
    }
    for step in kept {
      lines.append("  - \(step.lines[0])")
      if names, let person = step.person { lines.append("    as: \(person.rawValue)") }
      lines += step.lines.dropFirst().map { "    \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How many steps the file of a schedule has.
  package static func stepCount(of schedule: Schedule) -> Int {
    let closing = Closing(of: schedule).steps.count
    return schedule.actions.count + min(closing, schedule.closing ?? closing)
  }

  private func given(_ schedule: Schedule) -> [String] {
    func fields(_ subject: SettingKind.Subject) -> [String] {
      zip(SettingKind.all, schedule.settings).compactMap { kind, choice in
        kind.subject == subject ? kind.choices[choice].map { "\(kind.field): \($0)" } : nil
      }
    }
    let behaviours = published.isEmpty ? [] : ["published: [\(published.joined(separator: ", "))]"]
    let (device, owner, everybody) = (behaviours + fields(.device), fields(.owner), fields(.everybody))
    var lines: [String] = []
    if !device.isEmpty { lines.append("  device: {\(device.joined(separator: ", "))}") }
    let people = schedule.people
    if people.count > 1 {
      lines.append("  phones:")
      for person in people {
        let own: [String] =
          switch person {
          case .owner: owner
          case .partner: ["bonded: true"]
          case .stranger: []
          }
        lines.append("    - {\((["name: \(person.rawValue)"] + own + everybody).joined(separator: ", "))}")
      }
    } else if !(owner + everybody).isEmpty {
      lines.append("  phone: {\((owner + everybody).joined(separator: ", "))}")
    }
    return lines.isEmpty ? [] : ["given:"] + lines
  }

  private static let width = 110

  /// A paragraph in lines of a folded block.
  private static func folded(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append("  \(word)")
      }
    }
    return lines
  }
}
