import Text

/// What the reference says of one verb, section or event; help and the Markdown page are two ways to write it.
struct ReferenceEntry {
  /// A line of a table.
  struct Row {
    let name: String
    let type: String
    let presence: String
    let documentation: String
    /// The words of a choice.
    var choices: [ValueType.Choice] = []

    /// What stands in brackets behind it.
    var remarks: String {
      let remarks = [type, presence].filter { !$0.isEmpty }.joined(separator: "; ")
      return remarks.isEmpty ? "" : " (\(remarks))"
    }
  }

  /// A table with its heading.
  struct Table {
    let heading: String
    /// What each of its rows is, with an article.
    let role: String
    let rows: [Row]
  }

  /// What it is called in headings and by `explain`: `phone: sync`, `given: device`, `link`.
  let title: String
  let summary: String
  let details: String
  let tables: [Table]
  /// Facts on one line each.
  let facts: [String]
  let example: String

  init(_ verb: VerbDeclaration) {
    title = "\(verb.actor.rawValue): \(verb.name)"
    summary = verb.summary
    details = verb.details
    let failures = verb.failures.map { Row(name: $0.name, type: "", presence: "", documentation: $0.documentation) }
    tables = [
      Table(heading: "Fields", role: "a field", rows: Self.rows(verb.group)),
      Table(
        heading: "Outcome, for `expect:`", role: "a field of the outcome",
        rows: verb.results.fields.map { Self.row($0, presence: "") }),
      Table(heading: "Failures, for `fails:`", role: "a failure", rows: failures),
    ].filter { !$0.rows.isEmpty }
    facts =
      Self.facts(needs: verb.needs) + [
        "Must finish within \(Value.quantity(.duration, verb.deadline.baseUnits)) unless `within:` sets another limit."
      ]
    example = verb.example
  }

  init(_ given: GivenDeclaration) {
    title = "given: \(given.name)"
    summary = given.summary
    details =
      given.plural.map {
        """
        For several, write a list under `\($0)`, each with a `name` and optionally a `count`: `{name: other, count: 2}` \
        makes `other-1` and `other-2`.
        """
      } ?? ""
    tables = [Table(heading: "Fields", role: "a field", rows: Self.rows(given.group))]
    facts = []
    example = "given:\n  " + given.example.split(separator: "\n").joined(separator: "\n  ")
  }

  init(_ observation: ObservationDeclaration) {
    title = observation.name
    summary = observation.summary
    details = ""
    let rows = observation.group.fields.map { field in
      Self.row(field, presence: observation.group.shorthand == field ? "may stand alone" : "")
    }
    tables = rows.isEmpty ? [] : [Table(heading: "Fields", role: "a field", rows: rows)]
    let subjects = observation.subjects
    facts =
      (subjects.count == 1 ? ["`as` can name only a \(subjects[0].participant)."] : [])
      + (observation.isOracle ? ["On a bench, observable where a sensor sees it: `list --bench` says so."] : [])
    example = observation.example
  }

  private static func rows(_ group: FieldGroup, below prefix: String = "") -> [Row] {
    group.fields.flatMap { field in
      let presence = field.isRequired ? "required" : field.defaultText.map { "default \($0)" } ?? "optional"
      let alone = group.shorthand == field ? ", may stand alone" : ""
      return [row(field, presence: presence + alone, below: prefix)]
        + nested(field.type).map { rows($0, below: "\(prefix)\(field.name).") }.reduce([], +)
    }
  }

  private static func nested(_ type: ValueType) -> [FieldGroup] {
    switch type {
    case .group(let group): [group]
    case .list(let element): nested(element)
    case .either(let types): types.flatMap(nested)
    default: []
    }
  }

  private static func row(_ field: FieldDeclaration, presence: String, below prefix: String = "") -> Row {
    let bounds = [field.minimum, field.maximum].compactMap { $0?.description }
    let range = bounds.count == 2 ? " \(bounds[0]) to \(bounds[1])" : ""
    let unit = field.unit.map { " in steps of \($0)" } ?? ""
    let words = Self.choices(field.type)
    let meanings = words.filter { !$0.meaning.isEmpty }.map { "`\($0.written)`: \($0.meaning)" }
    let capability = field.capability.map { ["Needs \($0)."] } ?? []
    let company = field.company.map { company in
      ["Only where `\(company.field)` is \(Wording.list(company.values.map { "`\($0)`" }))."]
    }
    return Row(
      name: prefix + field.name, type: field.type.shortName + range + unit, presence: presence,
      documentation: ([field.documentation] + meanings + capability + (company ?? [])).joined(separator: " "),
      choices: words)
  }

  private static func choices(_ type: ValueType) -> [ValueType.Choice] {
    switch type {
    case .choice(let choices): choices
    case .list(let element): choices(element)
    case .either(let types): types.flatMap(choices)
    default: []
    }
  }

  private static func facts(needs: [Capability]) -> [String] {
    needs.isEmpty ? [] : ["Needs " + needs.map(\.description).joined(separator: ", ") + "."]
  }
}

extension ReferenceEntry {
  /// The entry for a terminal.
  var text: String {
    var lines = [title, "  \(summary)"]
    if !details.isEmpty { lines += ["  \(details)"] }
    for table in tables {
      lines += ["", "\(table.heading):"]
      let width = table.rows.map(\.name.count).max() ?? 0
      for row in table.rows {
        let name = row.name + String(repeating: " ", count: width - row.name.count)
        lines.append("  \(name)  \(row.documentation)\(row.remarks)")
      }
    }
    if !facts.isEmpty { lines += [""] + facts }
    lines += ["", "Example:"] + example.split(separator: "\n").map { "  \($0)" }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The entry as a section of the Markdown reference.
  var markdown: String {
    var blocks = ["### `\(title)`", summary]
    if !details.isEmpty { blocks.append(details) }
    for table in tables {
      let hasTypes = table.rows.contains { !$0.type.isEmpty }
      let hasPresence = table.rows.contains { !$0.presence.isEmpty }
      let heading = [table.heading] + (hasTypes ? ["Type"] : []) + (hasPresence ? ["Presence"] : []) + ["Meaning"]
      let rows = table.rows.map { row in
        ["`\(row.name)`"] + (hasTypes ? [row.type] : []) + (hasPresence ? [row.presence] : []) + [row.documentation]
      }
      let lines = [heading, heading.map { _ in "---" }] + rows
      blocks.append(lines.map { "| " + $0.map(Self.cell).joined(separator: " | ") + " |" }.joined(separator: "\n"))
    }
    if !facts.isEmpty { blocks.append(facts.joined(separator: " ")) }
    blocks.append("```yaml\n\(example)\n```")
    return blocks.joined(separator: "\n\n")
  }

  private static func cell(_ text: String) -> String { String(text.flatMap { $0 == "|" ? "\\|" : "\($0)" }) }
}
