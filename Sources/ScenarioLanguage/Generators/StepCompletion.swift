import Text

/// What may stand next in a step that is being typed on one line, such as `phone: sync, exp`.
package struct StepCompletion {
  /// Words for the place where a line ends.
  package struct Proposal: Hashable, Sendable {
    /// What is already there of the word, at the end of the line.
    package var beginning: String
    /// The words that begin like it, in the order of the reference.
    package var words: [String]
    /// Whether a colon and a value must follow.
    package var areKeys: Bool
  }

  private let vocabulary: Vocabulary

  /// Completes steps in these words.
  package init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// The words that may stand at the end of a line.
  package func proposal(for line: String) -> Proposal {
    let text = PartialStep(line)
    var place = Place.step
    // The items of a list stand where the list stands.
    for level in text.levels.dropLast() {
      if let key = level.key { place = child(of: place, key, in: level) }
    }
    let level = text.levels[text.levels.count - 1]
    let isKey = level.key == nil && level.isMapping
    let words: [String]
    if let key = level.key {
      words = values(at: child(of: place, key, in: level))
    } else {
      words = isKey ? keys(at: place, in: level) : values(at: place)
    }
    return Proposal(
      beginning: text.word, words: words.filter { $0.hasPrefix(text.word) },
      areKeys: isKey && (place.keysHaveValues || !level.keys.isEmpty))
  }

  /// A place in a step, by what may stand there.
  private indirect enum Place {
    case step
    case given
    case verb(Actor)
    case outcome(VerbDeclaration)
    case names([String])
    case pattern
    case event(ObservationDeclaration)
    case field(FieldDeclaration)
    case group(FieldGroup)
    case matcher(FieldDeclaration)
    case anything

    /// Whether the first word in the place of a key needs a value; a verb, an event or a failure may stand alone.
    var keysHaveValues: Bool {
      switch self {
      case .verb, .pattern, .names: false
      default: true
      }
    }
  }

  private func child(of place: Place, _ key: String, in level: PartialStep.Level) -> Place {
    switch place {
    case .step: return part(of: level, key)
    case .given:
      return vocabulary.given.first { $0.name == key || $0.plural == key }.map { .group($0.group) } ?? .anything
    case .verb(let actor):
      guard let verb = level.keys.first.flatMap({ vocabulary.verb($0, of: actor) }) else { return .anything }
      return key == verb.name ? .group(verb.group) : verb.group.field(key).map { .field($0) } ?? .anything
    case .outcome(let verb): return verb.results.field(key).map { .matcher($0) } ?? .anything
    case .pattern: return vocabulary.observation(key).map { .event($0) } ?? .anything
    case .event(let event): return event.group.field(key).map { .matcher($0) } ?? .anything
    case .field(let field): return Self.group(field.type)?.field(key).map { .field($0) } ?? .anything
    case .group(let group): return group.field(key).map { .field($0) } ?? .anything
    case .matcher(let field): return .field(field)
    case .names, .anything: return .anything
    }
  }

  /// What stands after a key of a step.
  private func part(of step: PartialStep.Level, _ key: String) -> Place {
    if let actor = Actor(rawValue: key) { return .verb(actor) }
    let verb = step.keys.first.flatMap { Actor(rawValue: $0) }.flatMap { actor in
      step.firstWords[actor.rawValue].flatMap { vocabulary.verb($0, of: actor) }
    }
    switch key {
    case "given": return .given
    case "expect", "keep": return verb.map { .outcome($0) } ?? .anything
    case "fails": return verb.map { .names($0.failures.map(\.name)) } ?? .anything
    case "may-fail": return .names(["true"])
    case "eventually", "either", "never", "until": return .pattern
    case "steps", "while": return .step
    default: return .anything
    }
  }

  private func keys(at place: Place, in level: PartialStep.Level) -> [String] {
    let words: [String]
    switch place {
    case .step:
      if let lead = level.keys.first {
        words = StepForm.form(lead)?.siblings.map(\.name) ?? []
      } else {
        words = vocabulary.leads + ["given"]
      }
    case .given: words = vocabulary.given.flatMap { [$0.name] + ($0.plural.map { [$0] } ?? []) }
    case .verb(let actor):
      if let name = level.keys.first {
        let group = vocabulary.verb(name, of: actor)?.group
        words = group.map { group in group.fields.filter { $0 != group.shorthand }.map(\.name) } ?? []
      } else {
        words = vocabulary.verbs(of: actor).map(\.name)
      }
    case .outcome(let verb): words = verb.results.fields.map(\.name)
    case .names(let names): words = names
    case .pattern: words = level.keys.isEmpty ? vocabulary.observations.map(\.name) : []
    case .event(let event): words = event.group.fields.map(\.name) + Self.relations(of: event.group.shorthand)
    case .field(let field): words = Self.group(field.type)?.fields.map(\.name) ?? []
    case .group(let group): words = group.fields.map(\.name)
    case .matcher: words = FieldMatcher.Relation.allCases.filter { $0 != .equal }.map(\.rawValue)
    case .anything: words = []
    }
    return words.filter { !level.keys.contains($0) }
  }

  /// An event's shorthand may be compared without its name.
  private static func relations(of field: FieldDeclaration?) -> [String] {
    field == nil ? [] : FieldMatcher.Relation.allCases.filter { $0 != .equal }.map(\.rawValue)
  }

  private func values(at place: Place) -> [String] {
    switch place {
    case .verb(let actor): vocabulary.verbs(of: actor).map(\.name)
    case .names(let names): names
    case .pattern: vocabulary.observations.map(\.name)
    case .event(let event): event.group.shorthand.map { Self.choices($0.type) } ?? []
    case .field(let field), .matcher(let field): Self.choices(field.type)
    case .group(let group): group.shorthand.map { Self.choices($0.type) } ?? []
    case .step, .given, .outcome, .anything: []
    }
  }

  private static func group(_ type: ValueType) -> FieldGroup? {
    switch type {
    case .group(let group): group
    case .list(let element): group(element)
    case .either(let types): types.lazy.compactMap { group($0) }.first
    default: nil
    }
  }

  private static func choices(_ type: ValueType) -> [String] {
    switch type {
    case .boolean: ["true", "false"]
    case .choice(let choices): choices.map(\.written)
    case .list(let element): choices(element)
    case .either(let types): types.flatMap { choices($0) }
    case .group(let group): group.shorthand.map { choices($0.type) } ?? []
    default: []
    }
  }
}

/// The beginning of a step, as far as it is typed: which braces are open, and what stands in them.
private struct PartialStep {
  /// What stands inside of one pair of braces.
  struct Level {
    /// Whether it has keys; else it is a list.
    var isMapping: Bool
    /// The key whose value comes next; `nil` where a key comes next.
    var key: String?
    /// All keys so far.
    var keys: [String] = []
    /// The first word in the value of each key: a verb alone, or the first key in its braces.
    var firstWords: [String: String] = [:]

    /// Notes a word, which the first one of a value hides.
    mutating func note(_ word: String) {
      guard let key, !word.isEmpty, firstWords[key] == nil else { return }
      firstWords[key] = word
    }
  }

  /// The levels that are open, the step itself first.
  private(set) var levels = [Level(isMapping: true, key: nil)]
  /// What is there of the word at the end.
  private(set) var word = ""

  init(_ line: String) {
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil }
        word.append(character)
        continue
      }
      switch character {
      case "\"", "'":
        quote = character
        word.append(character)
      case "{", "[": open(isMapping: character == "{")
      case "}", "]": close()
      case ",": endValue()
      case " " where word.hasSuffix(":") && levels[levels.count - 1].isMapping && levels[levels.count - 1].key == nil:
        beginValue()
      case " " where word.isEmpty: break
      default: word.append(character)
      }
    }
  }

  private var last: Int { levels.count - 1 }

  private mutating func beginValue() {
    word.removeLast()
    if last > 0, levels[last].keys.isEmpty { levels[last - 1].note(word) }
    levels[last].key = word
    levels[last].keys.append(word)
    word = ""
  }

  private mutating func endValue() {
    if levels[last].key == nil, levels[last].isMapping, !word.isEmpty {
      if last > 0, levels[last].keys.isEmpty { levels[last - 1].note(word) }
      levels[last].keys.append(word)
    }
    levels[last].note(word)
    levels[last].key = nil
    word = ""
  }

  private mutating func open(isMapping: Bool) {
    word = ""
    levels.append(Level(isMapping: isMapping, key: nil))
  }

  private mutating func close() {
    endValue()
    if levels.count > 1 { levels.removeLast() }
  }
}
