import Text

/// Help and reference pages made from the declarations.
extension Vocabulary {
  /// What `explain` can be asked for, in order: the subjects, verbs as `actor verb`, sections as `given section`,
  /// events and the language's own words by name. Also the words for completion.
  public var topics: [String] {
    ["units", "steps", "given", "events"] + actors.map(\.rawValue)
      + verbs.map { "\($0.actor.rawValue) \($0.name)" } + given.map { "given \($0.name)" } + observations.map(\.name)
      + keywordTopics
  }

  /// The language's own words that no subject, verb or event of the same name hides.
  private var keywordTopics: [String] {
    let others = ["steps", "given"] + observations.map(\.name)
    return KeywordEntry.all.map(\.name).filter { !others.contains($0) }
  }

  /// What a topic means, for a terminal; `nil` for a topic that does not exist. A verb may be named alone, which
  /// explains it for every actor that has it, and so may a field, a failure or a word of a choice, which is told for every
  /// place where it stands; what leads to it may stand before it. No words give the overview.
  public func explanation(of words: [String]) -> String? {
    if let verb = words.count == 2 ? Actor(rawValue: words[0]).flatMap({ self.verb(words[1], of: $0) }) : nil {
      return ReferenceEntry(verb).text
    }
    if words.count == 2, words[0] == "given", let section = given.first(where: { $0.name == words[1] }) {
      return ReferenceEntry(section).text
    }
    guard let word = words.first else { return overview }
    guard words.count < 2 else { return placesText(of: words) }
    if let actor = Actor(rawValue: word) {
      return actors.contains(actor)
        ? list(verbs(of: actor).map { ($0.name, $0.summary) })
        : "`\(word)` has no verbs; only packages of one's own add some.\n"
    }
    switch word {
    case "units": return unitsText
    case "steps": return StepForm.documented.map(\.text).joined(separator: "\n")
    case "given": return list(given.map { ($0.name, $0.summary) })
    case "events": return list(observations.map { ($0.name, $0.summary) })
    default: break
    }
    let entries =
      KeywordEntry.all.filter { $0.name == word }.map(\.text)
      + verbs.filter { $0.name == word }.map { ReferenceEntry($0).text }
      + observations.filter { $0.name == word }.map { ReferenceEntry($0).text }
      + [placesText(of: words)].compactMap { $0 }
    return entries.isEmpty ? nil : entries.joined(separator: "\n")
  }

  /// The topic nearest to words that are none.
  public func nearestTopic(to words: [String]) -> String? {
    Spelling.nearest(
      to: words.joined(separator: " "), among: topics + verbs.map(\.name) + wordPlaces.compactMap(\.path.last))
  }

  private var overview: String {
    let actors = self.actors.map { actor in
      (actor.rawValue, verbs(of: actor).map(\.name).joined(separator: ", "))
    }
    return "A step is an actor with a verb, or one of the language's own steps:\n"
      + list(actors)
      + list(StepForm.all.dropFirst(Actor.allCases.count).map { ($0.lead.name, $0.lead.documentation) })
      + "\nA scenario file has these keys:\n" + list(Keyword.scenario.map { ($0.name, $0.documentation) })
      + "\nMore about one topic: `explain phone`, `explain phone VERB`, `explain given`, `explain events`,\n"
      + "`explain steps`, `explain units`, or any word of the language, such as `explain never`.\n"
  }

  private var unitsText: String {
    list(
      Dimension.allCases.map { dimension in
        (dimension.rawValue, dimension.units.map(\.symbol).joined(separator: ", ") + "; as in `\(dimension.example)`")
      })
  }

  private func list(_ items: [(String, String)]) -> String {
    let width = items.map(\.0.count).max() ?? 0
    return items.map { name, text in
      "  " + name + String(repeating: " ", count: width - name.count) + "  \(text)\n"
    }.joined()
  }

  /// The whole reference as one Markdown page.
  public var markdownReference: String {
    let keys = Keyword.scenario.map { "| `\($0.name)` | \($0.documentation) |" }.joined(separator: "\n")
    let units = Dimension.allCases.map { dimension in
      let symbols = dimension.units.map { "`\($0.symbol)`" }.joined(separator: " ")
      return "| \(dimension.rawValue) | \(symbols) | `\(dimension.example)` |"
    }.joined(separator: "\n")
    let forms = StepForm.documented.map(\.markdown).joined()
    var blocks = [
      "# Scenario reference", "Made from the declarations of the verbs; do not edit.",
      "## A file", "| Key | Meaning |\n| --- | --- |\n\(keys)", "## Units",
      "Every quantity needs a unit.", "| Quantity | Units | As in |\n| --- | --- | --- |\n\(units)",
      "## Steps", Self.forms, String(forms.dropLast()), "## Comparisons", Self.comparisons, "## Values that vary",
      Self.variables, "## Values that a step keeps", Self.keptValues,
    ]
    for actor in actors {
      blocks += ["## Verbs of `\(actor.rawValue)`: \(actor.documentation)"]
      blocks += verbs(of: actor).map { ReferenceEntry($0).markdown }
    }
    blocks += ["## The world before the first step: `given`"] + given.map { ReferenceEntry($0).markdown }
    blocks += ["## Events"] + observations.map { ReferenceEntry($0).markdown }
    let capabilities = self.capabilities.map { "| \($0.category.rawValue) | `\($0.name)` | \($0.documentation) |" }
    blocks += [
      "## Capabilities",
      (["| Category | Name | Meaning |", "| --- | --- | --- |"] + capabilities).joined(separator: "\n"),
    ]
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static let forms = """
    A step is one actor with one verb, or one of the language's own words. A verb stands alone (`device: press`), with
    its main value (`device: {press: 2 s}`), with more fields beside it (`air: {lose: 30 %, for: 5 s}`), or with all its
    fields in braces of their own (`air: {lose: {rate: 30 %, for: 5 s}}`).
    """

  private static let variables = """
    Every list under `matrix` is a variable; the scenario runs once for each combination, in the order of the file, under
    names such as `sync-all[records=7]`. A `matrix` that is itself a list names its combinations one by one:
    `- {records: 1, loss: 5 %}`. `$records` stands for the value, alone or inside text; `$$` is a dollar sign. A
    fragment, in a file of its own that begins with `fragment:` or under `fragments`, sees only its own `parameters`.
    """

  private static let keptValues = """
    `keep: {NAME: FIELD}` beside a verb keeps a field of its outcome. Later steps write `$NAME` in `expect`, in the braces
    of an event, or as a field of a verb that takes the same kind of value. A fragment keeps for itself, and gets what it
    needs by `with`. What the steps keep is not known in `always`.
    """

  private static let comparisons = """
    In `expect:` and in the braces of an event a field is compared with a value, or with comparisons in braces that
    must all hold: `{at-least: 3, at-most: 5}`. There are `not`, `at-least`, `at-most`, `more-than`, `less-than`,
    `one-of` with a list, `contains` and `contains-not`. A field that is a list is compared as a whole:
    `not: [a, b]` holds of every other list, `contains-not: a` of every list without `a`. Comparisons that hold of no
    value that the field can have, or of every one, are refused.
    """
}

extension StepForm {
  /// The form for a terminal.
  var text: String {
    let width = siblings.map(\.name.count).max() ?? 0
    let lines = siblings.map { keyword in
      "    \(keyword.name)" + String(repeating: " ", count: width - keyword.name.count) + "  \(keyword.documentation)"
    }
    return (["\(lead.name): \(lead.documentation)"] + lines).map { $0 + "\n" }.joined()
  }

  /// The form as an item of the Markdown reference.
  var markdown: String {
    "- `\(lead.name)`: \(lead.documentation)\n"
      + siblings.map { "  - `\($0.name)`: \($0.documentation)\n" }.joined()
  }
}
