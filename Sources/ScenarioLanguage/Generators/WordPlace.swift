/// A place of a word that leads neither a step nor a section: a field, a failure, a word of a choice, a capability.
struct WordPlace {
  /// The word as it is written.
  let word: String
  /// What it is there, with an article.
  let role: String
  /// What has it, as the reference calls it: `given: device`.
  let owner: String
  /// What it means there.
  let meaning: String
  /// What leads to it in a scenario, the word last: `given`, `device`, `records`, `seconds`.
  let path: [String]

  /// `below` is what stands between owner and word.
  init(_ word: String, _ role: String, of owner: String, below: String = "", _ meaning: String) {
    self.word = word
    self.role = role
    self.owner = owner
    self.meaning = meaning
    path = Self.parts("\(owner) \(below) \(word)")
  }

  /// The words of a title, a topic or a name such as `records.seconds`.
  static func parts(_ text: String) -> [String] {
    text.split { " :.".contains($0) }.map(String.init)
  }
}

extension Vocabulary {
  /// Every such place, in the order of the reference.
  var wordPlaces: [WordPlace] {
    let entries =
      verbs.map { ReferenceEntry($0) } + given.map { ReferenceEntry($0) } + observations.map { ReferenceEntry($0) }
    return entries.flatMap(\.wordPlaces) + given.flatMap(Self.wordsOfLists)
      + capabilities.map { WordPlace($0.name, "a capability", of: "needs: \($0.category.rawValue)", $0.documentation) }
  }

  /// The list form of a section, and what its items have beside their fields.
  private static func wordsOfLists(_ section: GivenDeclaration) -> [WordPlace] {
    guard let plural = section.plural else { return [] }
    return [
      WordPlace(plural, "a list", of: "given", ReferenceEntry(section).details),
      WordPlace("name", "a key", of: "given: \(plural)", "The name after `as`, and in verbs and outcomes."),
      WordPlace(
        "count", "a key", of: "given: \(plural)",
        "How many of the kind; a `name` with 2 of them makes NAME-1 and NAME-2."),
    ]
  }

  /// What a word means wherever it stands, places of one meaning together; `nil` for a word that stands nowhere.
  func placesText(of words: [String]) -> String? {
    let path = words.flatMap(WordPlace.parts)
    guard !path.isEmpty else { return nil }
    var lines: [[WordPlace]] = []
    for place in wordPlaces where place.path.suffix(path.count).elementsEqual(path) {
      if let index = lines.firstIndex(where: { $0[0].meaning == place.meaning && $0[0].role == place.role }) {
        lines[index].append(place)
      } else {
        lines.append([place])
      }
    }
    guard !lines.isEmpty else { return nil }
    return lines.map { places in
      let owners = places.map { "`\($0.owner)`" }.joined(separator: ", ")
      return "\(places[0].word), \(places[0].role) of \(owners): \(places[0].meaning)\n"
    }.joined()
  }
}

extension ReferenceEntry {
  /// The places of the words in its tables.
  fileprivate var wordPlaces: [WordPlace] {
    tables.flatMap { table in
      table.rows.flatMap { row in
        [WordPlace(row.name, table.role, of: title, row.documentation + row.remarks)]
          + row.choices.map { choice in
            WordPlace(
              choice.word, "a value of `\(row.name)`", of: title, below: row.name,
              choice.meaning.isEmpty ? row.documentation : choice.meaning)
          }
      }
    }
  }
}
